// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/model_registry.h"

#include <algorithm>

namespace workbench {
namespace {

Model::Ref Reference(Model* model) {
  model->AddReference();
  return Model::Ref(model);
}

}  // namespace

Model::Ref ModelRegistry::Publish(Model* model) {
  MutexLock lock(&mutex_);
  Model::Ref& slot = models_[model->signature().name][model->signature().version];
  Model::Ref before = std::move(slot);
  slot = Reference(model);
  return before;
}

Model::Ref ModelRegistry::Withdraw(Model* model) {
  MutexLock lock(&mutex_);
  Versions& versions = models_[model->signature().name];
  auto found = versions.find(model->signature().version);
  if (found == versions.end() || found->second.get() != model) return nullptr;
  Model::Ref reference = std::move(found->second);
  versions.erase(found);
  return reference;
}

Result<Model::Ref> ModelRegistry::Find(std::string_view name, int64_t version) {
  MutexLock lock(&mutex_);
  auto found = models_.find(name);
  if (found == models_.end())
    return NotFoundError("there is no model '" + std::string(name) + "' on this server");
  const Versions& versions = found->second;
  if (versions.empty())
    return UnavailableError("model '" + std::string(name) + "' is not ready: no version of it is served");
  if (version < 0) return Reference(versions.rbegin()->second.get());
  auto slot = versions.find(version);
  if (slot == versions.end()) {
    return UnavailableError("version " + std::to_string(version) + " of model '" + std::string(name) +
                            "' is not ready");
  }
  return Reference(slot->second.get());
}

std::vector<Model::Ref> ModelRegistry::All() {
  std::vector<Model::Ref> all;
  MutexLock lock(&mutex_);
  for (const auto& [name, versions] : models_) {
    for (const auto& [version, model] : versions) all.push_back(Reference(model.get()));
  }
  return all;
}

uint16_t ModelRegistry::NumberOf(const std::string& name, int64_t version) {
  MutexLock lock(&mutex_);
  const std::pair<std::string, int64_t> wanted(name, version);
  auto found = std::find(names_.begin(), names_.end(), wanted);
  if (found != names_.end()) return static_cast<uint16_t>(found - names_.begin());
  if (names_.size() > UINT16_MAX) return 0;  // events of such a model are told, but not whose they are
  names_.push_back(wanted);
  return static_cast<uint16_t>(names_.size() - 1);
}

std::vector<std::pair<std::string, int64_t>> ModelRegistry::Names() {
  MutexLock lock(&mutex_);
  return names_;
}

}  // namespace workbench
