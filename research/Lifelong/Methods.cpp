//===- Methods.cpp - Ways not to forget
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifelong/Methods.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

static constexpr LifelongMethod methods[] = {
    {"fine-tuning", "the new programs alone: the floor"},
    {"ewc", "EWC as published, an anchor for each step", Hold::Fisher},
    {"online-ewc", "EWC with one anchor and summed importance", Hold::FisherSum},
    {"mas", "memory-aware synapses", Hold::Sensitivity},
    {"l2-sp", "all weights held alike", Hold::Alike},
    {"last-layers", "the last two layers learn, the others stay", Hold::Nothing, Rehearse::Nothing,
     true},
    {"pseudo", "pseudo-rehearsal: drawn programs, labelled by the network itself", Hold::Nothing,
     Rehearse::Drawn},
    {"pseudo+ewc", "pseudo-rehearsal and online EWC", Hold::FisherSum, Rehearse::Drawn},
    {"replay", "stored programs of all former steps", Hold::Nothing, Rehearse::Stored},
    {"joint", "all steps at once: the ceiling", Hold::Nothing, Rehearse::Nothing, false, false,
     true},
    {"heads", "MTL: all steps at once, the last two layers of each step its own", Hold::Nothing,
     Rehearse::Nothing, false, false, false, true},
    {"alone", "each step by itself", Hold::Nothing, Rehearse::Nothing, false, true},
};

llvm::ArrayRef<LifelongMethod> ucmoh::lifelongMethods() { return methods; }

const LifelongMethod *ucmoh::findLifelongMethod(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(methods, [&](const LifelongMethod &method) { return method.name == name; });
  return found == std::end(methods) ? nullptr : found;
}
