//===- TunerOutput.cpp - What a tuner leaves: choices, a table, a page
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/TunerOutput.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ucmoh;
namespace json = llvm::json;

static json::Object toLine(const TunedTask &task, llvm::StringRef identity, int64_t uses) {
  std::string choice;
  llvm::raw_string_ostream(choice) << task.attribute;
  json::Object line{{"workload", task.name}, {"workload_hash", identity},
                    {"choice", choice},      {"rank", int64_t(task.choice)},
                    {"uses", uses},          {"trials", task.trials}};
  if (task.before > 0)
    line["before_seconds"] = task.before;
  if (task.after > 0)
    line["seconds"] = task.after;
  return line;
}

llvm::Error ucmoh::writeChoices(llvm::StringRef path, llvm::ArrayRef<TunedTask> tasks) {
  return writeAtomically(path, [&](llvm::raw_ostream &out) {
    for (const TunedTask &task : tasks)
      for (const auto &[identity, uses] : task.identities)
        out << json::Value(toLine(task, identity, uses)) << "\n";
    return llvm::Error::success();
  });
}

/// Both, for the table and the page, are "-" where nothing was measured.
static std::string number(double value, double unit) {
  return value > 0 ? llvm::formatv("{0:f1}", value * unit).str() : "-";
}

static std::string ratio(double before, double after) {
  return before > 0 && after > 0 ? llvm::formatv("{0:f2}", before / after).str() : "-";
}

void ucmoh::printTable(const Tuner &tuner, llvm::raw_ostream &out) {
  constexpr const char *format = "{0,-44} {1,4} {2,7} {3,12} {4,12} {5,7} {6,7} {7,8}  {8}\n";
  out << llvm::formatv(format, "workload", "uses", "of", "before us", "after us", "faster",
                       "trials", "seconds", "");
  for (const TunedTask &task : tuner.getTasks())
    out << llvm::formatv(format, task.name, task.uses, task.candidates, number(task.before, 1e6),
                         number(task.after, 1e6), ratio(task.before, task.after), task.trials,
                         llvm::formatv("{0:f1}", task.seconds), task.note);
  if (auto seconds = tuner.getModelSeconds())
    out << llvm::formatv("the model, in place: {0} us with the picks, {1} us with the choices, {2} "
                         "times faster\n",
                         number(seconds->first, 1e6), number(seconds->second, 1e6),
                         ratio(seconds->first, seconds->second));
  out << tuner.getEnd() << "\n";
}

using llvm::formatv;

static constexpr const char *head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>ucmoh-tune</title><style>
body { font: 15px sans-serif; margin: 2em auto; max-width: 70em; }
table { border-collapse: collapse; }
td, th { padding: .2em .7em; border-bottom: 1px solid #ccc; text-align: right; }
td:first-child, th:first-child, td:last-child, th:last-child { text-align: left; }
</style></head><body>
<h1>What tuning was worth</h1>
)";

namespace {
/// The plot: seconds of tuning to the right, microseconds of all tasks upwards from 0.
struct Frame {
  double width = 800, height = 300, left = 80, bottom = 40;
  double seconds, microseconds; ///< the largest ones

  double x(double value) const { return left + value / seconds * width; }
  double y(double value) const { return height - value / microseconds * (height - 20); }
};
} // namespace

static std::string escaped(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

static void writeTask(const TunedTask &task, llvm::raw_ostream &out) {
  out << "<tr><td>" << escaped(task.name) << "</td>";
  std::string cells[] = {std::to_string(task.uses),      std::to_string(task.candidates),
                         number(task.before, 1e6),       number(task.after, 1e6),
                         ratio(task.before, task.after), std::to_string(task.trials),
                         number(task.seconds, 1)};
  for (const std::string &cell : cells)
    out << "<td>" << cell << "</td>";
  out << "<td>" << escaped(task.note) << "</td></tr>\n";
}

static void writeTable(const Tuner &tuner, llvm::raw_ostream &out) {
  out << "<table>\n<tr>";
  for (const char *title : {"workload", "uses", "candidates", "before, µs", "after, µs",
                            "times faster", "trials", "seconds", ""})
    out << "<th>" << title << "</th>";
  out << "</tr>\n";
  for (const TunedTask &task : tuner.getTasks())
    writeTask(task, out);
  out << "</table>\n";
}

static void writeLabel(double x, double y, const char *anchor, const std::string &text,
                       llvm::raw_ostream &out) {
  out << formatv(
      "<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"{2}\" font-size=\"12\">{3}</text>\n", x, y,
      anchor, text);
}

/// A step at each point: between rounds, nothing changes.
static void writeSteps(const Frame &frame, llvm::ArrayRef<TunePoint> curve, double TunePoint::*what,
                       const char *color, llvm::raw_ostream &out) {
  out << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << color << "\" points=\"";
  double last = curve.front().*what;
  for (const TunePoint &point : curve) {
    double x = frame.x(point.seconds);
    out << formatv("{0:f1},{1:f1} {0:f1},{2:f1} ", x, frame.y(last * 1e6),
                   frame.y(point.*what * 1e6));
    last = point.*what;
  }
  out << "\"/>\n";
}

static void writePlot(llvm::ArrayRef<TunePoint> curve, llvm::raw_ostream &out) {
  if (curve.size() < 2)
    return;
  Frame frame;
  frame.seconds = curve.back().seconds;
  frame.microseconds = 0;
  for (const TunePoint &point : curve)
    frame.microseconds = std::max({frame.microseconds, point.before * 1e6, point.after * 1e6});
  out << "<h2>All workloads, times their uses, against the time of tuning</h2>\n"
      << formatv("<svg viewBox=\"0 0 {0} {1}\" width=\"100%\">\n", frame.left + frame.width + 20,
                 frame.height + frame.bottom);
  for (int part = 0; part <= 4; ++part) {
    double height = frame.microseconds * part / 4, time = frame.seconds * part / 4;
    out << formatv("<path stroke=\"#ddd\" d=\"M{0:f1} {1:f1}H{2:f1}\"/>\n", frame.left,
                   frame.y(height), frame.left + frame.width);
    writeLabel(frame.left - 6, frame.y(height) + 4, "end", formatv("{0:f1} µs", height), out);
    writeLabel(frame.x(time), frame.height + 20, "middle", formatv("{0:f1} s", time), out);
  }
  writeSteps(frame, curve, &TunePoint::before, "#999", out);
  writeSteps(frame, curve, &TunePoint::after, "#06c", out);
  out << "</svg>\n<p>Grey: with the model's picks. Blue: with the fastest ones so far.</p>\n";
}

llvm::Error ucmoh::writeReport(llvm::StringRef path, const Tuner &tuner) {
  return writeAtomically(path, [&](llvm::raw_ostream &out) {
    out << head;
    if (auto seconds = tuner.getModelSeconds())
      out << formatv("<p>The model, in place: {0} µs with the picks, {1} µs with the choices, {2} "
                     "times faster.</p>\n",
                     number(seconds->first, 1e6), number(seconds->second, 1e6),
                     ratio(seconds->first, seconds->second));
    writeTable(tuner, out);
    writePlot(tuner.getCurve(), out);
    out << "<p>" << escaped(tuner.getEnd()) << ".</p>\n</body></html>\n";
    return llvm::Error::success();
  });
}
