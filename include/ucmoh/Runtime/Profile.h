//===- Profile.h - Where the time of a call goes, as a trace
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_PROFILE_H
#define UCMOH_RUNTIME_PROFILE_H

#include "llvm/Support/JSON.h"

namespace ucmoh {

/// One call of each function in the trace-event format, which Perfetto (ui.perfetto.dev) and
/// chrome://tracing draw as bars over time. A function is a thread of the trace. Its call is one
/// event, around the events of its ops. What lies between them has no event: see "other" in
/// Runner.h.
class Profile {
public:
  /// Takes "profile" out of what runFunction reports, and adds its events. A report without one,
  /// because the run failed, adds nothing.
  void take(llvm::json::Object &report);
  /// The JSON object of the trace. Times are in microseconds, as the format demands.
  llvm::json::Value toJson() &&;

private:
  void addFunction(const llvm::json::Object &report, double seconds);
  void addSpan(const llvm::json::Object &report, const llvm::json::Array &span);

  llvm::json::Array events;
  int64_t thread = 0; ///< that of the function last taken
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_PROFILE_H
