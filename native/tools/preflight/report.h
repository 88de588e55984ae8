// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Report: what the trial tells its parent, one line each, on a pipe of its own. A trial that ends without
// `ok` failed, however its process ended. Owned by main; callable from signal handlers, so it allocates
// nothing and locks nothing.
//
//   stage NAME             this step begins
//   error CODE MESSAGE     the step answered so; frames then tell where the last exception was thrown
//   exception TEXT         an exception escaped
//   signal NUMBER          the process was hit
//   exit                   somebody called exit()
//   timeout                the step did not end
//   frame OFFSET PATH      where: an offset in a loaded file, innermost frame first
//   ok                     every step ended well
#pragma once

#include <cstddef>

namespace workbench::preflight {

class Report {
 public:
  explicit Report(int fd) : fd_(fd) {}

  void Stage(const char* name) const { Line("stage ", name); }
  void Error(const char* code, const char* message) const { Line("error ", code, " ", message); }
  void Exception(const char* text) const { Line("exception ", text); }
  void Signal(int number) const;
  void Exit() const { Line("exit"); }
  void Timeout() const { Line("timeout"); }
  void Frame(std::size_t offset, const char* path) const;
  void Ok() const { Line("ok"); }

 private:
  // One write, so that lines of two threads do not mix. Line breaks inside the words become spaces.
  void Line(const char* first, const char* second = "", const char* third = "",
            const char* fourth = "") const;

  int fd_;
};

}  // namespace workbench::preflight
