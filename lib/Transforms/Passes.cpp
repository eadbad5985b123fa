//===- Passes.cpp - Registration of the passes of UCMoH
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"

namespace ucmoh {
// One line per pass that exists.
#define GEN_PASS_REGISTRATION_RESOLVETARGET
#define GEN_PASS_REGISTRATION_DROPZEROS
#define GEN_PASS_REGISTRATION_LAYOUT
#define GEN_PASS_REGISTRATION_PREPARE
#define GEN_PASS_REGISTRATION_EXTENTS
#define GEN_PASS_REGISTRATION_SUMROWS
#define GEN_PASS_REGISTRATION_GROUPS
#define GEN_PASS_REGISTRATION_BLOCKS
#define GEN_PASS_REGISTRATION_SCORE
#define GEN_PASS_REGISTRATION_SELECT
#define GEN_PASS_REGISTRATION_SELECTKNOBS
#define GEN_PASS_REGISTRATION_TILE
#define GEN_PASS_REGISTRATION_TENSORIZE
#define GEN_PASS_REGISTRATION_APPROXIMATEMATH
#define GEN_PASS_REGISTRATION_EXPANDPOWERS
#define GEN_PASS_REGISTRATION_HOISTWEIGHTS
#define GEN_PASS_REGISTRATION_LOWERCHECKS
#define GEN_PASS_REGISTRATION_INSTRUMENT
#define GEN_PASS_REGISTRATION_INLINEKERNELS
#define GEN_PASS_REGISTRATION_DECOMPOSE
#define GEN_PASS_REGISTRATION_DISTINCTRESULTS
#define GEN_PASS_REGISTRATION_LOWERCOPIES
#define GEN_PASS_REGISTRATION_LOWERFLAGS
#define GEN_PASS_REGISTRATION_WINDOWS
#define GEN_PASS_REGISTRATION_GROUPREST
#define GEN_PASS_REGISTRATION_FUSEREST
#define GEN_PASS_REGISTRATION_PLACEPARTS
#define GEN_PASS_REGISTRATION_PLACEPIECES
#define GEN_PASS_REGISTRATION_PLACEROWS
#define GEN_PASS_REGISTRATION_VECTORIZEREST
#define GEN_PASS_REGISTRATION_SHAREREST
#define GEN_PASS_REGISTRATION_THREADSTACKS
#define GEN_PASS_REGISTRATION_LOWER
#define GEN_PASS_REGISTRATION_EXPANDFLOATS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

void ucmoh::registerUCMoHPasses() {
  registerResolveTarget();
  registerDropZeros();
  registerLayout();
  registerPrepare();
  registerExtents();
  registerSumRows();
  registerGroups();
  registerPlaceParts();
  registerBlocks();
  registerScore();
  registerSelect();
  registerSelectKnobs();
  registerTile();
  registerTensorize();
  registerApproximateMath();
  registerExpandPowers();
  registerHoistWeights();
  registerLowerChecks();
  registerInstrument();
  registerInlineKernels();
  registerDecompose();
  registerDistinctResults();
  registerLowerCopies();
  registerLowerFlags();
  registerWindows();
  registerGroupRest();
  registerFuseRest();
  registerPlacePieces();
  registerPlaceRows();
  registerVectorizeRest();
  registerShareRest();
  registerThreadStacks();
  registerLower();
  registerExpandFloats();
  registerUCMoHPipelines();
}
