// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/host_policies.h"

#include <cstdio>

namespace workbench {

HostPolicySettings SettingsOf(const HostPolicies* policies, const std::string& name) {
  if (policies == nullptr) return {};
  const auto found = policies->find(name);
  return found == policies->end() ? HostPolicySettings() : found->second;
}

std::string JsonOf(const HostPolicySettings& settings) {
  std::string json = "{";
  for (const auto& [setting, value] : settings) {
    json += (json.size() > 1 ? "," : "") + Quoted(setting) + ":" + Quoted(value);
  }
  return json + "}";
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    if (static_cast<unsigned char>(letter) >= 0x20) {
      quoted += letter;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", letter);
      quoted += escape;
    }
  }
  return quoted + "\"";
}

}  // namespace workbench
