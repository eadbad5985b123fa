//===- DriverStream.cpp - Streams and events of the driver API ------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace ucmoh::ptx;
using Clock = std::chrono::steady_clock;

/// The time of the host when it was recorded: what an event measures is the interpreter.
struct CUevent_st {
  Clock::time_point time;
  bool isRecorded = false;
};
struct CUstream_st {
  unsigned flags;
};

PTX_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  *stream = new CUstream_st{flags};
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
  return cuStreamCreate(stream, flags);
}
PTX_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  delete stream;
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
PTX_EXPORT CUresult cuStreamQuery(CUstream) { return CUDA_SUCCESS; }
PTX_EXPORT CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }

PTX_EXPORT CUresult cuEventCreate(CUevent *event, unsigned) {
  *event = new CUevent_st;
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  delete event;
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuEventRecord(CUevent event, CUstream) {
  event->time = Clock::now();
  event->isRecorded = true;
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
PTX_EXPORT CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }

static CUresult elapsed(float *milliseconds, CUevent begin, CUevent end) {
  if (!milliseconds || !begin->isRecorded || !end->isRecorded)
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return CUDA_SUCCESS;
}
PTX_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  return elapsed(milliseconds, begin, end);
}
PTX_EXPORT CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent begin, CUevent end) {
  return elapsed(milliseconds, begin, end);
}
