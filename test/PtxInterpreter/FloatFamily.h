//===- FloatFamily.h - Handlers of floating-point instructions --*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_FLOATFAMILY_H
#define UCMOH_PTXINTERPRETER_FLOATFAMILY_H

#include "Builder.h"
#include "Lane.h"

namespace ucmoh::ptx {

/// Sets the host's rounding for the time of a handler.
class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : isDefault(rounding == Rounding::NearestEven) {
    if (!isDefault)
      std::fesetround(rounding == Rounding::Zero   ? FE_TOWARDZERO
                      : rounding == Rounding::Down ? FE_DOWNWARD
                                                   : FE_UPWARD);
  }
  ~RoundingScope() {
    if (!isDefault)
      std::fesetround(FE_TONEAREST);
  }

private:
  bool isDefault;
};

/// The suffixes .rn, .rz, .rm, .rp, .ftz and .sat.
inline void takeFloatModifiers(Builder &builder) {
  builder.takeRounding();
  builder.instruction.flushDenormals = builder.take("ftz");
  builder.instruction.saturate = builder.take("sat");
}

/// `Function` between what .ftz does to its arguments and what .ftz and .sat do to its result.
template <typename Function> struct Modified {
  const Instruction &instruction;

  template <typename T> T flush(T value) const {
    bool isTiny = sizeof(T) == 4 && std::fabs(value) < T(0x1p-126);
    return instruction.flushDenormals && isTiny ? std::copysign(T(0), value) : value;
  }
  template <typename... T> auto operator()(T... arguments) const {
    auto result = flush(Function()(flush(arguments)...));
    using Result = decltype(result);
    if (!instruction.saturate)
      return result;
    // .sat turns a NaN into 0.
    return result > Result(0) ? std::min(result, Result(1)) : Result(0);
  }
};

template <Type type, typename Function, unsigned arity>
void applyModified(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, arity > 1 ? 2 : 1);
  uint64_t *c = warp.operand(instruction, arity > 2 ? 3 : 1);
  Modified<Function> function{instruction};
  forEachLane(lanes, [&](unsigned i) {
    if constexpr (arity == 1)
      d[i] = Evaluate<type>::run(function, a[i]);
    else if constexpr (arity == 2)
      d[i] = Evaluate<type>::run(function, a[i], b[i]);
    else
      d[i] = Evaluate<type>::run(function, a[i], b[i], c[i]);
  });
}

/// Picks the plain handler when no suffix asks for more.
template <Type type, typename Function, unsigned arity>
void applyFloat(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  RoundingScope scope(instruction.rounding);
  if (instruction.flushDenormals || instruction.saturate)
    applyModified<type, Function, arity>(warp, instruction, lanes);
  else if constexpr (arity == 1)
    applyUnary<type, Function>(warp, instruction, lanes);
  else if constexpr (arity == 2)
    applyBinary<type, Function>(warp, instruction, lanes);
  else
    applyTernary<type, Function>(warp, instruction, lanes);
}

template <typename Function> struct FloatUnary {
  template <Type type>
  static constexpr Instruction::Handler handler = applyFloat<type, Function, 1>;
};
template <typename Function> struct FloatBinary {
  template <Type type>
  static constexpr Instruction::Handler handler = applyFloat<type, Function, 2>;
};
template <typename Function> struct FloatTernary {
  template <Type type>
  static constexpr Instruction::Handler handler = applyFloat<type, Function, 3>;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_FLOATFAMILY_H
