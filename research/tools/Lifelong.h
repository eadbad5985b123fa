//===- Lifelong.h - ucmoh-research lifelong and draw
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_TOOLS_LIFELONG_H
#define UCMOH_RESEARCH_TOOLS_LIFELONG_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// The subcommands, whose options belong to `category`.
extern llvm::cl::SubCommand lifelongCommand, drawCommand;
/// All subcommands show it.
llvm::cl::OptionCategory &researchCategory();

/// Learns steps one after the other and appends a line for each pair of steps to a file.
llvm::Error runLifelong();
/// Writes programs that nobody measured, for rehearsals.
llvm::Error runDraw();

} // namespace ucmoh

#endif // UCMOH_RESEARCH_TOOLS_LIFELONG_H
