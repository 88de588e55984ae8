// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a file as the file-type model reads them: the first and the last ones after white space is
// taken off, as numbers, padded with a number that is no byte. Files too short to tell by the model are
// labelled here.
#include <algorithm>
#include <string_view>
#include <vector>
#include <workbench/backend.hpp>

namespace {

constexpr std::string_view kWhiteSpace = " \t\n\r\v\f";

std::string_view WithoutHead(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
}

std::string_view WithoutTail(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

// Bytes of the character that starts with `first`, 0 where none does.
size_t LengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

// The second byte of a character has a range of its own where there are shorter ways to write it, or none.
bool IsSecond(unsigned char first, unsigned char second) {
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto byte = [&](size_t offset) { return static_cast<unsigned char>(text[at + offset]); };
    const size_t length = LengthOf(byte(0));
    if (length == 0 || at + length > text.size()) return false;
    if (length > 1 && !IsSecond(byte(0), byte(1))) return false;
    for (size_t i = 2; i < length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

}  // namespace

struct MagikaFeatures {
  explicit MagikaFeatures(const workbench::Instance& instance)
      : head(Size(instance, "beg_size")),
        tail(Size(instance, "end_size")),
        block(Size(instance, "block_size")),
        shortest(Size(instance, "min_file_size_for_dl")),
        padding(static_cast<int32_t>(Size(instance, "padding_token"))) {}

  void Execute(workbench::Request& request) {
    const std::vector<std::string_view> files = request.input("CONTENT").strings();
    const auto rows = static_cast<int64_t>(files.size());
    const auto width = static_cast<int64_t>(head + tail);
    const workbench::Span<int32_t> numbers = request.output("BYTES").Allocate<int32_t>({rows, width});
    std::vector<std::string_view> known;
    int32_t* row = numbers.data();
    for (std::string_view file : files) {
      known.push_back(Fill(file, row));
      row += width;
    }
    request.output("KNOWN").Write(known, {rows, 1});
  }

 private:
  static size_t Size(const workbench::Instance& instance, const char* parameter) {
    return static_cast<size_t>(instance.model().parameter(parameter, 0));
  }

  // Returns the label of files that the model is not asked about, "" for the others.
  std::string_view Fill(std::string_view file, int32_t* row) const {
    std::fill(row, row + head + tail, padding);
    if (file.empty()) return "empty";
    const size_t read = std::min(block, file.size());
    const std::string_view first = WithoutHead(file.substr(0, read));
    const std::string_view last = WithoutTail(file.substr(file.size() - read));
    if (file.size() < shortest || first.size() < shortest) {
      return IsUtf8(file.substr(0, read)) ? "txt" : "unknown";
    }
    Copy(first.substr(0, head), row);
    const size_t kept = std::min(tail, last.size());
    Copy(last.substr(last.size() - kept), row + head + tail - kept);
    return "";
  }

  static void Copy(std::string_view bytes, int32_t* numbers) {
    std::transform(bytes.begin(), bytes.end(), numbers, [](char c) { return static_cast<unsigned char>(c); });
  }

  const size_t head;
  const size_t tail;
  const size_t block;
  const size_t shortest;
  const int32_t padding;
};

WORKBENCH_BACKEND(MagikaFeatures)
