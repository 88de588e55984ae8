// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/patience.h"

#include <chrono>
#include <new>
#include <thread>

namespace workbench {
namespace {

std::new_handler before = nullptr;

void OnNoMemory() {
  if (Patience::has()) return std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (before == nullptr) throw std::bad_alloc();
  before();
}

}  // namespace

void Patience::Install() {
  static const bool is_installed = [] {
    before = std::get_new_handler();
    std::set_new_handler(&OnNoMemory);
    return true;
  }();
  (void)is_installed;
}

}  // namespace workbench
