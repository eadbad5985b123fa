//===- Methods.h - Ways not to forget
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_LIFELONG_METHODS_H
#define UCMOH_RESEARCH_LIFELONG_METHODS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// Says what holds the weights where they are.
enum class Hold {
  Nothing,
  Fisher,      ///< EWC: squared gradients of lists' losses, an anchor for each step
  FisherSum,   ///< online EWC: the sum of them, anchored where the last step ended
  Sensitivity, ///< MAS: gradients of the squared output; summed, anchored as before
  Alike,       ///< L2-SP: every weight as much
};

/// Says what is learned beside the new programs.
enum class Rehearse {
  Nothing,
  Drawn,  ///< programs that nobody measured, with the seconds that the network itself predicts
  Stored, ///< some measured programs of the former steps
};

/// A way to learn a step behind others.
struct LifelongMethod {
  llvm::StringLiteral name, meaning; ///< on the command line, in tables
  Hold hold = Hold::Nothing;
  Rehearse rehearse = Rehearse::Nothing;
  bool lastLayersOnly = false; ///< behind the first step
  bool isAlone = false;        ///< each step by itself, from nothing
  bool isJoint = false;        ///< all steps at once
  bool hasHeads = false;       ///< all at once, last layers of each step its own
};

/// All of them.
llvm::ArrayRef<LifelongMethod> lifelongMethods();
/// Null if there is none of that name.
const LifelongMethod *findLifelongMethod(llvm::StringRef name);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_LIFELONG_METHODS_H
