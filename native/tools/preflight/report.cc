// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <unistd.h>

#include <initializer_list>

namespace workbench::preflight {
namespace {

constexpr std::size_t kLineBytes = 4096;
constexpr std::size_t kDigits = 2 * sizeof(std::size_t);

// printf may not be called from a signal handler.
const char* Number(std::size_t value, unsigned base, char (&buffer)[kDigits * 2 + 1]) {
  char* at = buffer + sizeof(buffer) - 1;
  *at = '\0';
  do {
    *--at = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  return at;
}

}  // namespace

void Report::Signal(int number) const {
  char buffer[kDigits * 2 + 1];
  Line("signal ", Number(static_cast<std::size_t>(number), 10, buffer));
}

void Report::Frame(std::size_t offset, const char* path) const {
  char buffer[kDigits * 2 + 1];
  Line("frame 0x", Number(offset, 16, buffer), " ", path);
}

void Report::Line(const char* first, const char* second, const char* third, const char* fourth) const {
  char line[kLineBytes];
  std::size_t size = 0;
  for (const char* word : {first, second, third, fourth}) {
    for (; *word != '\0' && size < kLineBytes - 1; ++word)
      line[size++] = *word == '\n' || *word == '\r' ? ' ' : *word;
  }
  line[size++] = '\n';
  [[maybe_unused]] const ssize_t written = write(fd_, line, size);
}

}  // namespace workbench::preflight
