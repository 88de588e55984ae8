// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/route.h"

#include <charconv>
#include <vector>

namespace workbench {
namespace {

using Parts = std::vector<std::string>;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size();
    const int high = is_escape ? HexDigit(text[i + 1]) : -1;
    const int low = is_escape ? HexDigit(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      decoded += text[i];
    } else {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

// Between the slashes; decoded afterwards, so that a name may have a slash of its own.
Parts PartsOf(std::string_view target) {
  target = target.substr(0, target.find('?'));
  Parts parts;
  while (!target.empty()) {
    target.remove_prefix(1);
    const size_t end = std::min(target.find('/'), target.size());
    parts.push_back(Decoded(target.substr(0, end)));
    target.remove_prefix(end);
  }
  return parts;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

struct Verb {
  std::string_view text;
  HttpAction action;
};

template <size_t kCount>
HttpAction ActionOf(std::string_view text, const Verb (&verbs)[kCount]) {
  for (const Verb& verb : verbs) {
    if (verb.text == text) return verb.action;
  }
  return HttpAction::kUnknown;
}

constexpr Verb kModelVerbs[] = {
    {"infer", HttpAction::kInfer},
    {"generate", HttpAction::kGenerate},
    {"generate_stream", HttpAction::kGenerateStream},
    {"ready", HttpAction::kModelReady},
    {"config", HttpAction::kModelConfig},
    {"stats", HttpAction::kModelStatistics},
};
constexpr Verb kHealthVerbs[] = {{"live", HttpAction::kServerLive}, {"ready", HttpAction::kServerReady}};
constexpr Verb kRepositoryVerbs[] = {{"load", HttpAction::kLoad}, {"unload", HttpAction::kUnload}};
constexpr Verb kSystemMemoryVerbs[] = {{"status", HttpAction::kSystemMemoryStatus},
                                       {"register", HttpAction::kSystemMemoryRegister},
                                       {"unregister", HttpAction::kSystemMemoryUnregister}};
constexpr Verb kCudaMemoryVerbs[] = {{"status", HttpAction::kCudaMemoryStatus},
                                     {"register", HttpAction::kCudaMemoryRegister},
                                     {"unregister", HttpAction::kCudaMemoryUnregister}};

// models/NAME[/versions/VERSION][/VERB]
HttpRoute ModelRoute(const Parts& parts) {
  if (parts.size() == 3 && parts[2] == "stats") return {HttpAction::kModelStatistics, "", ""};
  HttpRoute route;
  size_t next = 3;
  if (parts.size() < next || parts[2].empty()) return route;
  if (parts.size() > next + 1 && parts[next] == "versions") {
    if (!IsNumber(parts[next + 1])) return route;
    route.version = parts[next + 1];
    next += 2;
  }
  route.name = parts[2];
  const size_t left = parts.size() - next;
  if (left == 0) route.action = HttpAction::kModelMetadata;
  if (left == 1) route.action = ActionOf(parts[next], kModelVerbs);
  const bool is_trace = left == 2 && parts[next] == "trace" && parts[next + 1] == "setting";
  if (is_trace) route.action = HttpAction::kModelTraceSettings;
  return route;
}

// repository[/REPOSITORY]/index, repository[/REPOSITORY]/models/NAME/VERB
HttpRoute RepositoryRoute(const Parts& parts) {
  const size_t next = parts.size() > 3 && parts[2] != "models" ? 3 : 2;
  const size_t left = parts.size() - next;
  if (left == 1 && parts[next] == "index") return {HttpAction::kIndex, "", ""};
  if (left != 3 || parts[next] != "models") return {};
  return {ActionOf(parts[next + 2], kRepositoryVerbs), parts[next + 1], ""};
}

// KIND[/region/NAME]/VERB
template <size_t kCount>
HttpRoute MemoryRoute(const Parts& parts, const Verb (&verbs)[kCount]) {
  if (parts.size() == 3) return {ActionOf(parts[2], verbs), "", ""};
  if (parts.size() != 5 || parts[2] != "region") return {};
  return {ActionOf(parts[4], verbs), parts[3], ""};
}

}  // namespace

HttpRoute RouteOf(std::string_view target) {
  const Parts parts = PartsOf(target);
  if (parts.empty() || parts[0] != "v2") return {};
  if (parts.size() == 1) return {HttpAction::kServerMetadata, "", ""};
  if (parts[1] == "models") return ModelRoute(parts);
  if (parts[1] == "health" && parts.size() == 3) return {ActionOf(parts[2], kHealthVerbs), "", ""};
  if (parts[1] == "repository" && parts.size() > 2) return RepositoryRoute(parts);
  if (parts[1] == "systemsharedmemory") return MemoryRoute(parts, kSystemMemoryVerbs);
  if (parts[1] == "cudasharedmemory") return MemoryRoute(parts, kCudaMemoryVerbs);
  if (parts.size() == 2 && parts[1] == "logging") return {HttpAction::kLogSettings, "", ""};
  const bool is_trace = parts.size() == 3 && parts[1] == "trace" && parts[2] == "setting";
  return {is_trace ? HttpAction::kTraceSettings : HttpAction::kUnknown, "", ""};
}

Result<int64_t> VersionOf(const HttpRoute& route) {
  if (route.version.empty()) return int64_t{-1};
  int64_t version = 0;
  const char* const end = route.version.data() + route.version.size();
  const auto [stop, error] = std::from_chars(route.version.data(), end, version);
  if (error == std::errc() && stop == end) return version;
  return InvalidArgumentError("the version of model '" + route.name + "' is no number that can be served: '" +
                              route.version + "'");
}

bool IsGet(HttpAction action) {
  switch (action) {
    case HttpAction::kServerLive:
    case HttpAction::kServerReady:
    case HttpAction::kServerMetadata:
    case HttpAction::kModelReady:
    case HttpAction::kModelMetadata:
    case HttpAction::kModelConfig:
    case HttpAction::kModelStatistics:
    case HttpAction::kSystemMemoryStatus:
    case HttpAction::kCudaMemoryStatus:
    case HttpAction::kTraceSettings:
    case HttpAction::kModelTraceSettings:
    case HttpAction::kLogSettings:
      return true;
    default:
      return false;
  }
}

bool IsPost(HttpAction action) {
  const bool is_setting = action == HttpAction::kTraceSettings || action == HttpAction::kModelTraceSettings ||
                          action == HttpAction::kLogSettings;
  return is_setting || !IsGet(action);
}

}  // namespace workbench
