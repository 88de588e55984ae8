// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/thread_placement.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace workbench {
namespace {

// Of set_mempolicy, which needs no library.
constexpr int kDefaultPolicy = 0;
constexpr int kBindPolicy = 2;
constexpr int kMaxNodes = 64;

bool ParseNumber(std::string_view text, int* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size() && *number >= 0;
}

Status Wrong(const char* setting, const std::string& value, const char* right) {
  return InvalidArgumentError("host policy setting " + std::string(setting) + " is '" + value + "'; " +
                              right);
}

// One core, or the first and the last of several.
bool ParseRange(std::string_view text, std::vector<int>* cores) {
  const size_t dash = text.find('-');
  int first = 0;
  int last = 0;
  if (!ParseNumber(text.substr(0, dash), &first)) return false;
  last = first;
  if (dash != std::string_view::npos && !ParseNumber(text.substr(dash + 1), &last)) return false;
  if (last < first || last >= CPU_SETSIZE) return false;
  for (int core = first; core <= last; ++core) cores->push_back(core);
  return true;
}

bool ParseCores(std::string_view text, std::vector<int>* cores) {
  for (;;) {
    const size_t comma = text.find(',');
    if (!ParseRange(text.substr(0, comma), cores)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

Status SetCores(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores) CPU_SET(core, &set);
  const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  if (error == 0) return OkStatus();
  return InternalError("the thread cannot run on the cores of its host policy: " +
                       std::string(std::strerror(error)));
}

std::vector<int> CoresNow() {
  std::vector<int> cores;
  cpu_set_t set;
  if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

Status SetNode(int node) {
  const unsigned long mask = node < 0 ? 0 : 1ul << node;
  const long result = node < 0 ? syscall(SYS_set_mempolicy, kDefaultPolicy, nullptr, 0)
                               : syscall(SYS_set_mempolicy, kBindPolicy, &mask, kMaxNodes + 1);
  if (result == 0) return OkStatus();
  return InternalError("the thread cannot allocate from memory node " + std::to_string(node) +
                       " of its host policy: " + std::strerror(errno));
}

}  // namespace

Result<ThreadPlacement> ThreadPlacement::Parse(const std::map<std::string, std::string>& settings) {
  ThreadPlacement placement;
  const auto node = settings.find("numa-node");
  if (node != settings.end() &&
      (!ParseNumber(node->second, &placement.numa_node) || placement.numa_node >= kMaxNodes)) {
    return Wrong("numa-node", node->second, "it is the number of a memory node, such as 0");
  }
  const auto cores = settings.find("cpu-cores");
  if (cores != settings.end() && !ParseCores(cores->second, &placement.cores)) {
    return Wrong("cpu-cores", cores->second, "it lists cores and ranges of them, such as 0-3,8");
  }
  return placement;
}

Status PlaceThisThread(const ThreadPlacement& placement) {
  if (!placement.cores.empty()) RETURN_IF_ERROR(SetCores(placement.cores));
  return placement.numa_node < 0 ? OkStatus() : SetNode(placement.numa_node);
}

ScopedThreadPlacement::ScopedThreadPlacement(const ThreadPlacement& placement)
    : has_cores_(!placement.cores.empty()), has_node_(placement.numa_node >= 0) {
  if (has_cores_) cores_before_ = CoresNow();
  status_ = PlaceThisThread(placement);
}

ScopedThreadPlacement::~ScopedThreadPlacement() {
  if (has_cores_ && !cores_before_.empty()) (void)SetCores(cores_before_);
  if (has_node_) (void)SetNode(-1);
}

}  // namespace workbench
