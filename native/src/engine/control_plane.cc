// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/control_plane.h"

#include <utility>

#include "base/mutex.h"

namespace workbench {
namespace {

struct Slot {
  Mutex mutex;
  std::shared_ptr<ControlPlane> control_plane GUARDED_BY(mutex);  // shared with calls under way
};

// Never destroyed: threads may ask after static destruction.
Slot& slot() {
  static Slot* const slot = new Slot();
  return *slot;
}

}  // namespace

void SetControlPlane(std::shared_ptr<ControlPlane> control_plane) {
  MutexLock lock(&slot().mutex);
  slot().control_plane.swap(control_plane);
}

Result<std::shared_ptr<ControlPlane>> GetControlPlane() {
  MutexLock lock(&slot().mutex);
  if (slot().control_plane) return slot().control_plane;
  return UnavailableError("nobody manages models in this process; `import workbench` in its Python first");
}

}  // namespace workbench
