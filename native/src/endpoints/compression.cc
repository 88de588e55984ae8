// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/compression.h"

#include <zlib.h>

#include <algorithm>

namespace workbench {
namespace {

constexpr size_t kChunk = size_t{64} << 10;
constexpr int kGzipWindow = 15 + 16;  // zlib: 16 more means a gzip header
constexpr int kDeflateWindow = 15;
constexpr int kAnyWindow = 15 + 32;  // zlib: 32 more finds out which of both

struct Inflater {
  z_stream stream{};
  const bool is_ready = inflateInit2(&stream, kAnyWindow) == Z_OK;
  ~Inflater() { inflateEnd(&stream); }
};

struct Deflater {
  z_stream stream{};
  const bool is_ready;
  explicit Deflater(int window, int level)
      : is_ready(deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflater() { deflateEnd(&stream); }
};

void Give(std::string_view bytes, z_stream* stream) {
  stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream->avail_in = static_cast<uInt>(bytes.size());
}

// Room for another chunk at the end of the text.
void GiveRoom(std::string* text, z_stream* stream) {
  const size_t used = text->size();
  text->resize(used + kChunk);
  stream->next_out = reinterpret_cast<Bytef*>(text->data() + used);
  stream->avail_out = static_cast<uInt>(kChunk);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

}  // namespace

Result<ContentCoding> CodingNamed(std::string_view name) {
  const std::string lower = Lower(name);
  if (lower.empty() || lower == "identity") return ContentCoding::kNone;
  if (lower == "gzip") return ContentCoding::kGzip;
  if (lower == "deflate") return ContentCoding::kDeflate;
  return UnsupportedError("Content-Encoding '" + std::string(name) + "' is not served; gzip and deflate are");
}

ContentCoding CodingAccepted(std::string_view header) {
  const std::string lower = Lower(header);
  if (lower.find("gzip") != std::string::npos) return ContentCoding::kGzip;
  if (lower.find("deflate") != std::string::npos) return ContentCoding::kDeflate;
  return ContentCoding::kNone;
}

const char* NameOf(ContentCoding coding) { return coding == ContentCoding::kGzip ? "gzip" : "deflate"; }

Result<std::string> Decompress(std::string_view bytes, ContentCoding coding, size_t limit,
                               bool* is_too_large) {
  Inflater inflater;
  if (!inflater.is_ready) return UnavailableError("no memory to unpack the body");
  z_stream* const stream = &inflater.stream;
  std::string text;
  Give(bytes, stream);
  for (int found = Z_OK; found != Z_STREAM_END;) {
    GiveRoom(&text, stream);
    found = inflate(stream, Z_NO_FLUSH);
    text.resize(text.size() - stream->avail_out);
    const bool is_stuck =
        found == Z_BUF_ERROR || (found == Z_OK && stream->avail_in == 0 && stream->avail_out > 0);
    if (is_stuck || (found != Z_OK && found != Z_STREAM_END)) {
      return InvalidArgumentError(std::string("the body is not of its Content-Encoding ") + NameOf(coding) +
                                  ", or ends too early");
    }
    if (text.size() > limit) {
      if (is_too_large != nullptr) *is_too_large = true;
      return InvalidArgumentError("the unpacked body has more than " + std::to_string(limit) + " bytes");
    }
  }
  return text;
}

Result<std::string> Compress(std::string_view bytes, ContentCoding coding, int level) {
  Deflater deflater(coding == ContentCoding::kGzip ? kGzipWindow : kDeflateWindow, level);
  if (!deflater.is_ready) return UnavailableError("no memory to pack the body");
  std::string packed;
  Give(bytes, &deflater.stream);
  for (int found = Z_OK; found != Z_STREAM_END;) {
    GiveRoom(&packed, &deflater.stream);
    found = deflate(&deflater.stream, Z_FINISH);
    packed.resize(packed.size() - deflater.stream.avail_out);
    if (found != Z_OK && found != Z_STREAM_END) return InternalError("the body could not be packed");
  }
  return packed;
}

}  // namespace workbench
