// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchRunner: whoever executes batches, as the scheduler sees it. Instances of a model implement it.
#pragma once

#include <cstdint>

namespace workbench {

class BatchRunner {
 public:
  virtual ~BatchRunner() = default;
  // A batch is ready: an idle runner, if there is one, should Take it. Called with no lock held, from any
  // thread.
  virtual void WakeOne() = 0;
  // A batch is ready for that runner alone.
  virtual void Wake(uint32_t instance) = 0;
};

}  // namespace workbench
