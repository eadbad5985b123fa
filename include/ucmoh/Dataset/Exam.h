//===- Exam.h - Few measurements that tell what weights know
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An exam is a small file of records that lies beside weights. Nothing is learned from it: it says
/// which machines, intrinsics and types the weights know, and how well they rank some measured
/// programs of each. Its size has a bound, however many machines there are.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DATASET_EXAM_H
#define UCMOH_DATASET_EXAM_H

#include "ucmoh/Dataset/Dataset.h"
#include <set>

namespace ucmoh {

/// The file beside weights: "W.exam.jsonl.zst" of "W.safetensors".
std::string examPath(llvm::StringRef weights);

/// Ids of a fifth of these tasks, two at least: always the same ones. What is measured of them is
/// not learned.
std::set<std::string> tasksAside(llvm::ArrayRef<TaskInfo> tasks);

/// How large an exam is.
struct ExamOptions {
  int64_t rows = 6144;      ///< all machines have so many together
  int64_t tasks = 64;       ///< a machine has so many at most
  int64_t programs = 32;    ///< a task has so many
  int64_t leastSamples = 2; ///< a program has so many: one may be of a noisy moment
};

/// Writes an exam of what the exam in `before` has (none if empty), and of the tasks `ids` of
/// `records`. Held-out tasks are left out. The same tasks and programs are drawn again from the
/// same records. Errors: records that cannot be read, a file that cannot be written.
llvm::Error writeExam(llvm::StringRef before, llvm::ArrayRef<std::string> records,
                      const std::set<std::string> &ids, const ExamOptions &options,
                      llvm::StringRef output);

} // namespace ucmoh

#endif // UCMOH_DATASET_EXAM_H
