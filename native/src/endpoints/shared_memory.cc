// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/shared_memory.h"

#include <utility>
#include <vector>

namespace workbench {
namespace {

Status IsInUse(const std::string& name) {
  return InvalidArgumentError("shared memory region '" + name +
                              "' is in use by a request; unregister it when that is answered");
}

Status IsTaken(const std::string& name) {
  return AlreadyExistsError("shared memory region '" + name + "' is registered already");
}

}  // namespace

// What is opened for nothing is closed again: opening calls out, and holds no lock.
template <typename Open>
Status SharedMemory::Add(const std::string& name, const Open& open) {
  {
    MutexLock lock(&mutex_);
    if (regions_.count(name) != 0) return IsTaken(name);
  }
  ASSIGN_OR_RETURN(SharedMemoryRegion::Ref region, open());
  MutexLock lock(&mutex_);
  return regions_.emplace(name, std::move(region)).second ? OkStatus() : IsTaken(name);
}

Status SharedMemory::Register(const std::string& name, const std::string& key, uint64_t offset,
                              uint64_t byte_size) {
  return Add(name, [&] { return SharedMemoryRegion::Open(name, key, offset, byte_size); });
}

Status SharedMemory::RegisterCuda(TRITONSERVER_Server* server, const std::string& name,
                                  const std::string& handle, int64_t device_id, uint64_t byte_size) {
  return Add(name, [&] { return SharedMemoryRegion::OpenCuda(server, name, handle, device_id, byte_size); });
}

Status SharedMemory::Unregister(const std::string& name, SharedMemoryKind kind) {
  SharedMemoryRegion::Ref gone;  // let go of without the lock
  MutexLock lock(&mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end() || found->second->kind() != kind) return OkStatus();
  if (found->second.use_count() > 1) return IsInUse(name);
  gone = std::move(found->second);
  regions_.erase(found);
  return OkStatus();
}

Status SharedMemory::UnregisterAll(SharedMemoryKind kind) {
  std::vector<SharedMemoryRegion::Ref> gone;
  MutexLock lock(&mutex_);
  Status status;
  for (auto entry = regions_.begin(); entry != regions_.end();) {
    const bool is_in_use = entry->second.use_count() > 1;
    if (entry->second->kind() != kind || is_in_use) {
      if (entry->second->kind() == kind) status = IsInUse(entry->first);
      ++entry;
      continue;
    }
    gone.push_back(std::move(entry->second));
    entry = regions_.erase(entry);
  }
  return status;
}

Result<SharedMemoryRegion::Ref> SharedMemory::Find(const std::string& name) const {
  MutexLock lock(&mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end()) return NotFoundError("shared memory region '" + name + "' is not registered");
  return found->second;
}

Result<std::map<std::string, SharedMemoryRegion::Ref>> SharedMemory::Regions(SharedMemoryKind kind,
                                                                             const std::string& name) const {
  std::map<std::string, SharedMemoryRegion::Ref> found;
  MutexLock lock(&mutex_);
  for (const auto& [region_name, region] : regions_) {
    if (region->kind() == kind && (name.empty() || region_name == name)) found.emplace(region_name, region);
  }
  if (found.empty() && !name.empty())
    return NotFoundError("shared memory region '" + name + "' is not registered");
  return found;
}

}  // namespace workbench
