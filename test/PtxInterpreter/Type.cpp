//===- Type.cpp - Scalar types of PTX -------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Type.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

std::optional<Type> ucmoh::ptx::parseType(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<Type>>(suffix)
      .Case("pred", Type::Pred)
      .Cases({"u8", "b8"}, Type::U8)
      .Cases({"u16", "b16"}, Type::U16)
      .Cases({"u32", "b32"}, Type::U32)
      .Cases({"u64", "b64"}, Type::U64)
      .Case("s8", Type::S8)
      .Case("s16", Type::S16)
      .Case("s32", Type::S32)
      .Case("s64", Type::S64)
      .Case("f16", Type::F16)
      .Case("bf16", Type::BF16)
      .Case("f16x2", Type::F16x2)
      .Case("bf16x2", Type::BF16x2)
      .Case("f32", Type::F32)
      .Case("f64", Type::F64)
      .Case("tf32", Type::TF32)
      .Case("e4m3", Type::E4M3)
      .Case("e5m2", Type::E5M2)
      .Case("e4m3x2", Type::E4M3x2)
      .Case("e5m2x2", Type::E5M2x2)
      .Case("b128", Type::B128)
      .Default(std::nullopt);
}

unsigned ucmoh::ptx::bitsOf(Type type) {
  switch (type) {
  case Type::None:
  case Type::Pred:
    return 1;
  case Type::U8:
  case Type::S8:
  case Type::E4M3:
  case Type::E5M2:
    return 8;
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
  case Type::E4M3x2:
  case Type::E5M2x2:
    return 16;
  case Type::U32:
  case Type::S32:
  case Type::F32:
  case Type::TF32:
  case Type::F16x2:
  case Type::BF16x2:
    return 32;
  case Type::U64:
  case Type::S64:
  case Type::F64:
    return 64;
  case Type::B128:
    return 128;
  }
  return 0;
}
