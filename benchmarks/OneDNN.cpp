//===- OneDNN.cpp - The task by oneDNN --------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDNN.h"
#include "dnnl.hpp"

using namespace bench;
using dnnl::memory;
using Tag = memory::format_tag;

namespace {
/// The three operands as oneDNN sees them: dims in its logical order, our layout as a format tag.
struct Operands {
  memory::desc lhs, rhs, result;
};

/// A primitive, its memories and the reorders around it.
struct Execution {
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::primitive primitive;
  memory lhs, rhs, result, plainResult;
};
} // namespace

static memory::data_type typeOf(Type type) {
  using T = memory::data_type;
  const T types[] = {T::u8, T::s8, T::s32, T::bf16, T::f32};
  return types[static_cast<int>(type)];
}

static Sizes concat(Sizes front, const Sizes &back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

static Operands plainOperands(const Task &task) {
  auto desc = [](const Sizes &dims, Type type, Tag tag) {
    return memory::desc(dims, typeOf(type), tag);
  };
  if (!task.isConvolution()) {
    Tag tag = task.isBatched() ? Tag::abc : Tag::ab;
    return {desc(task.lhsShape(), task.lhs, tag), desc(task.rhsShape(), task.rhs, tag),
            desc(task.resultShape(), task.result, tag)};
  }
  bool is3d = task.in.size() == 3;
  Tag channelsLast = is3d ? Tag::ndhwc : Tag::nhwc;
  memory::desc weights =
      task.isDepthwise ? desc(concat({task.channels, 1, 1}, task.kernel), task.rhs, Tag::hwigo)
                       : desc(concat({task.filters, task.channels}, task.kernel), task.rhs,
                              is3d ? Tag::dhwio : Tag::hwio);
  return {desc(concat({task.images, task.channels}, task.in), task.lhs, channelsLast), weights,
          desc(concat({task.images, task.filters}, task.out), task.result, channelsLast)};
}

static memory::desc inAnyFormat(const memory::desc &desc) {
  return memory::desc(desc.get_dims(), desc.get_data_type(), Tag::any);
}

static dnnl::convolution_forward::primitive_desc
describeConvolution(const Task &task, const dnnl::engine &engine, const Operands &operands) {
  Sizes dilation = task.dilation; // oneDNN counts the elements left out
  for (int64_t &step : dilation)
    --step;
  return {engine,
          dnnl::prop_kind::forward_inference,
          dnnl::algorithm::convolution_direct,
          operands.lhs,
          operands.rhs,
          operands.result,
          task.stride,
          dilation,
          task.pad,
          task.pad};
}

static void reorder(Execution &execution, memory &from, memory &to) {
  dnnl::reorder(from, to).execute(execution.stream, from, to);
  execution.stream.wait();
}

/// `plain` itself if it is in the wanted format, otherwise a reordered copy.
static memory inFormat(Execution &execution, memory plain, const memory::desc &wanted) {
  if (plain.get_desc() == wanted)
    return plain;
  memory copy(wanted, execution.engine);
  reorder(execution, plain, copy);
  return copy;
}

template <typename Primitive>
static Implementation
makeImplementation(const std::string &name, const typename Primitive::primitive_desc &desc,
                   std::shared_ptr<Execution> execution, const Operands &plain, const Buffer &lhs,
                   const Buffer &rhs) {
  Execution &e = *execution;
  e.primitive = Primitive(desc);
  e.lhs = inFormat(e, memory(plain.lhs, e.engine, lhs.data()), desc.src_desc());
  e.rhs = inFormat(e, memory(plain.rhs, e.engine, rhs.data()), desc.weights_desc());
  e.result = memory(desc.dst_desc(), e.engine);
  e.plainResult = memory(plain.result, e.engine);
  auto run = [execution] {
    execution->primitive.execute(execution->stream, {{DNNL_ARG_SRC, execution->lhs},
                                                     {DNNL_ARG_WEIGHTS, execution->rhs},
                                                     {DNNL_ARG_DST, execution->result}});
    execution->stream.wait();
  };
  auto plainResult = [execution] {
    reorder(*execution, execution->result, execution->plainResult);
    return static_cast<const char *>(execution->plainResult.get_data_handle());
  };
  return {name, desc.impl_info_str(), run, plainResult};
}

std::vector<Implementation> bench::makeOneDNN(const Task &task, const Buffer &lhs,
                                              const Buffer &rhs) {
  Operands plain = plainOperands(task), packed = plain;
  auto newExecution = [] {
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return std::make_shared<Execution>(Execution{engine, dnnl::stream(engine), {}, {}, {}, {}, {}});
  };
  auto execution = newExecution();
  if (!task.isBatched())
    packed.rhs = inAnyFormat(plain.rhs);
  if (!task.isConvolution()) {
    dnnl::matmul::primitive_desc desc(execution->engine, packed.lhs, packed.rhs, packed.result);
    return {makeImplementation<dnnl::matmul>("onednn-plain", desc, execution, plain, lhs, rhs)};
  }
  std::vector<Implementation> implementations;
  for (const char *name : {"onednn-plain", "onednn-any"}) {
    execution = newExecution();
    auto desc = describeConvolution(task, execution->engine, packed);
    implementations.push_back(
        makeImplementation<dnnl::convolution_forward>(name, desc, execution, plain, lhs, rhs));
    packed.lhs = inAnyFormat(plain.lhs);
    packed.result = inAnyFormat(plain.result);
  }
  return implementations;
}
