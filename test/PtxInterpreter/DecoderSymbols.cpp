//===- DecoderSymbols.cpp - Names of a kernel and where they live ---------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace ucmoh::ptx;
using llvm::StringRef;

void Decoder::declareParameters(const FunctionSyntax &function) {
  for (const VariableSyntax &parameter : function.parameters) {
    Symbol symbol{Symbol::Variable, Space::Param};
    symbol.address = llvm::alignTo(kernel.parameterBytes, parameter.alignment);
    kernel.parameters.push_back({uint32_t(symbol.address), uint32_t(parameter.size)});
    kernel.parameterBytes = symbol.address + parameter.size;
    scopes.back().symbols[parameter.name] = symbol;
  }
}

Decoder::Symbol Decoder::allocate(const VariableSyntax &variable) {
  Symbol symbol{Symbol::Variable, variable.space};
  // Parameters of calls are memory of the thread.
  bool isShared = variable.space == Space::Shared;
  symbol.space = isShared ? Space::Shared : Space::Local;
  unsigned &bytes = isShared ? kernel.staticSharedBytes : kernel.localBytes;
  bytes = llvm::alignTo(bytes, variable.alignment);
  symbol.address = bytes + (isShared ? sharedBase : 0);
  bytes += variable.size;
  return symbol;
}

void Decoder::declareVariable(const VariableSyntax &variable) {
  scopes.back().symbols[variable.name] = allocate(variable);
}

/// A kernel gets those shared variables of the module that it names.
Decoder::Symbol *Decoder::declareShared(StringRef name) {
  for (const VariableSyntax &variable : module.variables) {
    if (variable.name != name || variable.space != Space::Shared)
      continue;
    Symbol symbol{Symbol::Dynamic, Space::Shared};
    if (variable.isExternal)
      dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
    else
      symbol = allocate(variable);
    return &(scopes.front().symbols[name] = symbol);
  }
  return nullptr;
}

Decoder::Symbol *Decoder::declareInRange(Scope &scope, StringRef name) {
  for (const RegisterSyntax &range : scope.ranges) {
    StringRef rest = name;
    unsigned number;
    if (!rest.consume_front(range.prefix))
      continue;
    bool isMember =
        range.count == 0 ? rest.empty() : !rest.getAsInteger(10, number) && number < range.count;
    if (!isMember)
      continue;
    Symbol symbol{Symbol::Register};
    symbol.slot = kernel.numSlots++;
    return &(scope.symbols[name] = symbol);
  }
  return nullptr;
}

Decoder::Symbol *Decoder::findSymbol(StringRef name) {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto it = scopes[i].symbols.find(name);
    if (it != scopes[i].symbols.end())
      return &it->second;
    if (Symbol *symbol = declareInRange(scopes[i], name))
      return symbol;
  }
  return declareShared(name);
}

bool Decoder::registerSlot(StringRef name, Slot &slot) {
  Symbol *symbol = findSymbol(name);
  if (!symbol || symbol->kind != Symbol::Register)
    return false;
  slot = symbol->slot;
  return true;
}

Slot Decoder::constantSlot(uint64_t value) {
  auto [it, isNew] = constants.try_emplace(value, kernel.numSlots);
  if (isNew)
    kernel.constants.push_back({kernel.numSlots++, value});
  return it->second;
}

bool Decoder::nameSlot(StringRef name, int64_t displacement, Slot &slot) {
  Symbol *symbol = findSymbol(name);
  if (!symbol) {
    auto global = globals.find(name);
    if (global == globals.end())
      return specialSlot(name, slot);
    slot = constantSlot(global->second + displacement);
    return true;
  }
  if (symbol->kind == Symbol::Label)
    return false;
  slot = symbol->slot;
  if (symbol->kind == Symbol::Variable)
    slot = constantSlot(symbol->address + displacement);
  if (symbol->kind == Symbol::Dynamic) {
    slot = kernel.numSlots++;
    kernel.constants.push_back({slot, uint64_t(displacement)});
    dynamicSlots.push_back(slot);
  }
  return true;
}

void Decoder::redirectParameter(StringRef name, Space &space) {
  if (Symbol *symbol = findSymbol(name))
    if (symbol->kind == Symbol::Variable)
      space = symbol->space;
}

void Decoder::finishLayout() {
  kernel.staticSharedBytes = llvm::alignTo(kernel.staticSharedBytes, dynamicAlignment);
  kernel.localBytes = llvm::alignTo(kernel.localBytes, 16);
  for (auto &[slot, value] : kernel.constants)
    if (llvm::is_contained(dynamicSlots, slot))
      value += sharedBase + kernel.staticSharedBytes;
}

static std::optional<Special> parseSpecial(StringRef name) {
  return llvm::StringSwitch<std::optional<Special>>(name)
      .Case("%tid.x", Special::TidX)
      .Case("%tid.y", Special::TidY)
      .Case("%tid.z", Special::TidZ)
      .Case("%ntid.x", Special::NtidX)
      .Case("%ntid.y", Special::NtidY)
      .Case("%ntid.z", Special::NtidZ)
      .Case("%ctaid.x", Special::CtaidX)
      .Case("%ctaid.y", Special::CtaidY)
      .Case("%ctaid.z", Special::CtaidZ)
      .Case("%nctaid.x", Special::NctaidX)
      .Case("%nctaid.y", Special::NctaidY)
      .Case("%nctaid.z", Special::NctaidZ)
      .Case("%laneid", Special::LaneId)
      .Case("%warpid", Special::WarpId)
      .Case("%nwarpid", Special::NwarpId)
      .Case("%lanemask_eq", Special::LaneMaskEq)
      .Case("%lanemask_le", Special::LaneMaskLe)
      .Case("%lanemask_lt", Special::LaneMaskLt)
      .Case("%lanemask_ge", Special::LaneMaskGe)
      .Case("%lanemask_gt", Special::LaneMaskGt)
      .Case("%dynamic_smem_size", Special::DynamicSharedBytes)
      .Case("%total_smem_size", Special::TotalSharedBytes)
      // One SM, one grid, one block a cluster; there is no time.
      .Cases({"%smid", "%gridid", "%cluster_ctarank", "%clock", "%clock64", "%globaltimer"},
             Special::Zero)
      .Cases({"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z"}, Special::Zero)
      .Cases({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z"}, Special::One)
      .Cases({"%nsmid", "%cluster_nctarank"}, Special::One)
      .Default(std::nullopt);
}

bool Decoder::specialSlot(StringRef name, Slot &slot) {
  if (name == "WARP_SZ") {
    slot = constantSlot(warpSize);
    return true;
  }
  std::optional<Special> special = parseSpecial(name);
  if (!special)
    return false;
  auto [it, isNew] = specials.try_emplace(uint8_t(*special), kernel.numSlots);
  if (isNew)
    kernel.specials.push_back({kernel.numSlots++, *special});
  slot = it->second;
  return true;
}
