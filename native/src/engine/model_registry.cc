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
  if (before) Linger(before.get());
  return before;
}

void ModelRegistry::Linger(Model* model) {
  if (model->open_sequences() == 0) return;
  lingering_.push_back(Reference(model));
  has_lingering_.store(true, std::memory_order_relaxed);
}

void ModelRegistry::ForgetLingering() {
  const auto is_over = [](const Model::Ref& model) { return model->open_sequences() == 0; };
  lingering_.erase(std::remove_if(lingering_.begin(), lingering_.end(), is_over), lingering_.end());
  has_lingering_.store(!lingering_.empty(), std::memory_order_relaxed);
}

Model::Ref ModelRegistry::FindLingering(std::string_view name, int64_t version,
                                        const InferenceRequest* request) {
  MutexLock lock(&mutex_);
  ForgetLingering();
  for (const Model::Ref& model : lingering_) {
    const ModelSignature& signature = model->signature();
    if (signature.name != name || (version >= 0 && signature.version != version)) continue;
    if (request == nullptr || model->Continues(*request)) return Reference(model.get());
  }
  return nullptr;
}

Model::Ref ModelRegistry::Withdraw(Model* model, bool keeps_sequences) {
  MutexLock lock(&mutex_);
  if (keeps_sequences) Linger(model);
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
    return NotFoundError("Request for unknown model: there is no '" + std::string(name) + "' on this server");
  const Versions& versions = found->second;
  if (version < 0) {
    if (!versions.empty()) return Reference(versions.rbegin()->second.get());
    return NotFoundError("model '" + std::string(name) + "' is not ready: no version of it is served");
  }
  auto slot = versions.find(version);
  if (slot == versions.end()) return IsMissing(std::string(name), version);
  return Reference(slot->second.get());
}

Status ModelRegistry::IsMissing(const std::string& name, int64_t version) const {
  const std::string what = "version " + std::to_string(version) + " of model '" + name + "' ";
  const bool is_known = std::count(names_.begin(), names_.end(), std::pair(name, version)) > 0;
  return is_known ? UnavailableError(what + "is not ready") : NotFoundError(what + "does not exist");
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
