// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/registry.h"

#include <algorithm>
#include <cctype>

#include "metrics/text_serializer.h"

namespace workbench {
namespace {

bool IsNameCharacter(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) || character == '_' || character == ':';
}

}  // namespace

Status Registry::CheckName(const std::string& name) {
  const bool is_legal = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                        std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (is_legal) return OkStatus();
  return InvalidArgumentError("'" + name +
                              "' cannot name a metric: letters, digits, _ and : may, no digit first");
}

Status Registry::OtherKind(const std::string& name, MetricKind kind) {
  return AlreadyExistsError("there is a metric family '" + name + "' already, and it is a " + KindName(kind));
}

std::vector<FamilySnapshot> Registry::Read() const {
  std::vector<FamilySnapshot> snapshots;
  MutexLock lock(&mutex_);
  for (const auto& [name, family] : families_) {
    FamilySnapshot snapshot = family->Read();
    if (!snapshot.metrics.empty()) snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

}  // namespace workbench
