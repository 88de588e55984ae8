// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "python/errors.h"
#include "python/module.h"

namespace workbench {
namespace {

const char* LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "INFO";
    case LogLevel::kWarning:
      return "WARNING";
    case LogLevel::kError:
      return "ERROR";
    case LogLevel::kVerbose:
      break;
  }
  return "VERBOSE";
}

py::tuple TakeLog(double timeout_s) {
  Log::Page page;
  {
    py::gil_scoped_release release;
    page = TheBridge().take_log(Nanoseconds(timeout_s));
  }
  py::list rows;
  for (const LogRecord& record : page.records) {
    rows.append(py::make_tuple(LevelName(record.level), record.time_ns, record.file, record.line,
                               record.message, record.source));
  }
  return py::make_tuple(rows, page.dropped);
}

py::dict Settings() {
  const LogSettings settings = TheBridge().log_settings();
  py::dict row;
  row["log_file"] = settings.file;
  row["log_info"] = settings.info;
  row["log_warning"] = settings.warning;
  row["log_error"] = settings.error;
  row["log_verbose_level"] = settings.verbose_level;
  row["log_format"] = settings.format == LogFormat::kIso8601 ? "ISO8601" : "default";
  return row;
}

void SetSettings(const std::string& file, bool info, bool warning, bool error, int verbose_level,
                 const std::string& format) {
  const LogFormat known = format == "ISO8601" ? LogFormat::kIso8601 : LogFormat::kDefault;
  ThrowIfError(TheBridge().set_log_settings({info, warning, error, verbose_level, known, file}));
}

}  // namespace

void RegisterLog(py::module_& module) {
  module.def(
      "attach_log", [](bool is_attached) { TheBridge().attach_log(is_attached); }, py::arg("attached"));
  module.def("take_log", &TakeLog, py::arg("timeout_s"));
  module.def("log_settings", &Settings);
  module.def("set_log_settings", &SetSettings, py::kw_only(), py::arg("log_file"), py::arg("log_info"),
             py::arg("log_warning"), py::arg("log_error"), py::arg("log_verbose_level"),
             py::arg("log_format"));
}

}  // namespace workbench
