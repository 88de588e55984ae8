// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostPolicies: settings of named groups of instances, such as on which cores they run. Plain values.
#pragma once

#include <map>
#include <string>

namespace workbench {

using HostPolicySettings = std::map<std::string, std::string>;
using HostPolicies = std::map<std::string, HostPolicySettings>;

// The settings of that name; empty where there are none. policies may be null.
HostPolicySettings SettingsOf(const HostPolicies* policies, const std::string& name);
// As JSON: an object of texts, and a text.
std::string JsonOf(const HostPolicySettings& settings);
std::string Quoted(const std::string& text);

}  // namespace workbench
