//===- Candidate.cpp - A candidate as attribute and back
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Candidates.h"

using namespace mlir;
using namespace ucmoh;

StringRef LoopOrder::toText() const {
  return rowBlocksOutside ? (rowTilesInside ? "mnk.nm" : "mnk.mn")
                          : (rowTilesInside ? "nmk.nm" : "nmk.mn");
}

std::optional<LoopOrder> LoopOrder::parse(StringRef text) {
  for (bool rowBlocksOutside : {false, true})
    for (bool rowTilesInside : {false, true})
      if (LoopOrder order{rowBlocksOutside, rowTilesInside}; order.toText() == text)
        return order;
  return std::nullopt;
}

static StringRef toString(Packing packing) {
  return packing == Packing::None ? "none" : packing == Packing::Block ? "block" : "prepacked";
}

/// The verifier of the attribute admits these three.
static Packing parsePacking(StringRef text) {
  return text == "none" ? Packing::None : text == "block" ? Packing::Block : Packing::Prepacked;
}

ChoiceAttr Candidate::toAttr(double predictedSeconds, StringRef model) const {
  MLIRContext *context = intrinsic->getSymbol().getContext();
  return ChoiceAttr::get(context, intrinsic->getSymbol(), {tileM, tileN}, {cacheM, cacheN, cacheK},
                         order.toText(), toString(packLhs), toString(packRhs), unroll, threads,
                         pipelineDepth, predictedSeconds, model);
}

FailureOr<Candidate> Candidate::fromAttr(ChoiceAttr attr, const Target &target,
                                         std::string &error) {
  Candidate candidate;
  std::string known;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    if (intrinsic.getSymbol() == attr.getIntrinsic())
      candidate.intrinsic = &intrinsic;
    known += " " + intrinsic.id();
  }
  if (!candidate.intrinsic) {
    llvm::raw_string_ostream(error)
        << "the target has no intrinsic " << attr.getIntrinsic() << "; it has" << known;
    return failure();
  }
  candidate.tileM = attr.getRegisterTile()[0];
  candidate.tileN = attr.getRegisterTile()[1];
  candidate.cacheM = attr.getCacheTile()[0];
  candidate.cacheN = attr.getCacheTile()[1];
  candidate.cacheK = attr.getCacheTile()[2];
  candidate.order = *LoopOrder::parse(attr.getOrder()); // the attribute's verifier parsed it, too
  candidate.packLhs = parsePacking(attr.getPackLhs());
  candidate.packRhs = parsePacking(attr.getPackRhs());
  candidate.unroll = attr.getUnroll();
  candidate.threads = attr.getThreads();
  candidate.pipelineDepth = attr.getPipelineDepth();
  return candidate;
}
