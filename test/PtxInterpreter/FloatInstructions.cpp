//===- FloatInstructions.cpp - Instructions of floats only ----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFamily.h"

using namespace ucmoh::ptx;

namespace {

struct Fma {
  template <typename T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
struct NarrowFma {
  double operator()(double a, double b, double c) const { return fusedToOdd(a, b, c); }
};
template <typename Function> struct Relu {
  template <typename T> T operator()(T a, T b, T c) const {
    T result = Function()(a, b, c);
    return result > 0 || std::isnan(result) ? result : T(0);
  }
};
struct SquareRoot {
  template <typename T> T operator()(T a) const { return std::sqrt(a); }
};
struct ReciprocalRoot {
  template <typename T> T operator()(T a) const { return T(1 / std::sqrt(double(a))); }
};
struct Reciprocal {
  template <typename T> T operator()(T a) const { return 1 / a; }
};
struct Exp2 {
  template <typename T> T operator()(T a) const { return std::exp2(a); }
};
struct Log2 {
  template <typename T> T operator()(T a) const { return std::log2(a); }
};
struct Sine {
  template <typename T> T operator()(T a) const { return std::sin(a); }
};
struct Cosine {
  template <typename T> T operator()(T a) const { return std::cos(a); }
};
struct Tanh {
  template <typename T> T operator()(T a) const { return std::tanh(a); }
};
/// PTX has the sign first.
struct CopySign {
  template <typename T> T operator()(T sign, T magnitude) const {
    return std::copysign(magnitude, sign);
  }
};

bool decodeFma(Builder &b) {
  Type type = Type::None;
  bool relu = b.take("relu");
  takeFloatModifiers(b);
  b.takeType(type);
  if (type == Type::F32 || type == Type::F64)
    b.instruction.handler = floatHandler<FloatTernary<Fma>>(type);
  else
    b.instruction.handler = relu ? floatHandler<FloatTernary<Relu<NarrowFma>>>(type)
                                 : floatHandler<FloatTernary<NarrowFma>>(type);
  return b.expectOperands(4) && b.allOperands();
}

/// mad.f32 is fma.f32 on every current GPU.
bool decodeMadOrFma(Builder &b) {
  for (llvm::StringRef part : b.suffixes())
    if (part == "f32" || part == "f64")
      return decodeFma(b);
  return decodeIntegerMad(b);
}

/// Approximations are computed exactly and rounded: a kernel must not depend on their error.
template <typename Function> bool decodeFunction(Builder &b) {
  Type type = Type::None;
  b.take("approx");
  takeFloatModifiers(b);
  b.takeType(type);
  b.instruction.handler = floatHandler<FloatUnary<Function>>(type);
  return b.expectOperands(2) && b.allOperands();
}

bool decodeCopySign(Builder &b) {
  Type type = Type::None;
  b.takeType(type);
  b.instruction.handler = floatHandler<FloatBinary<CopySign>>(type);
  return b.expectOperands(3) && b.allOperands();
}

} // namespace

void ucmoh::ptx::addFloatInstructions(DecodeTable &table) {
  table["fma"] = decodeFma;
  table["mad"] = decodeMadOrFma;
  table["sqrt"] = decodeFunction<SquareRoot>;
  table["rsqrt"] = decodeFunction<ReciprocalRoot>;
  table["rcp"] = decodeFunction<Reciprocal>;
  table["ex2"] = decodeFunction<Exp2>;
  table["lg2"] = decodeFunction<Log2>;
  table["sin"] = decodeFunction<Sine>;
  table["cos"] = decodeFunction<Cosine>;
  table["tanh"] = decodeFunction<Tanh>;
  table["copysign"] = decodeCopySign;
}
