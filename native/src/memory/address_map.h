// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// AddressMap: a value for each live address. Open addressing: no allocation but when it grows. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace workbench {

template <typename Value>
class AddressMap {
 public:
  AddressMap() : slots_(16) {}

  // REQUIRES: address is not null and not in the map.
  void Insert(const void* address, Value value) {
    if (2 * (size_ + 1) > slots_.size()) Double();
    Place({reinterpret_cast<uintptr_t>(address), std::move(value)});
    ++size_;
  }
  // The value, which is no longer in the map; or nothing.
  std::optional<Value> Remove(const void* address) {
    const size_t index = IndexOf(reinterpret_cast<uintptr_t>(address));
    if (slots_[index].address == 0) return std::nullopt;
    std::optional<Value> value(std::move(slots_[index].value));
    CloseGap(index);
    --size_;
    return value;
  }
  const Value* Find(const void* address) const {
    const Slot& slot = slots_[IndexOf(reinterpret_cast<uintptr_t>(address))];
    return slot.address == 0 ? nullptr : &slot.value;
  }
  size_t size() const { return size_; }

 private:
  struct Slot {
    uintptr_t address = 0;  // 0: the slot is empty
    Value value{};
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t Home(uintptr_t address) const { return (address * 0x9E3779B97F4A7C15ull >> 32) & mask(); }
  // Where the address is, or the empty slot where it would go.
  size_t IndexOf(uintptr_t address) const {
    size_t index = Home(address);
    while (slots_[index].address != 0 && slots_[index].address != address) index = (index + 1) & mask();
    return index;
  }
  void Place(Slot slot) {
    const size_t index = IndexOf(slot.address);
    slots_[index] = std::move(slot);
  }
  // Moves back what lies behind the gap and would not be found across it.
  void CloseGap(size_t gap) {
    for (size_t index = (gap + 1) & mask(); slots_[index].address != 0; index = (index + 1) & mask()) {
      const size_t distance = (index - Home(slots_[index].address)) & mask();
      if (distance < ((index - gap) & mask())) continue;
      slots_[gap] = std::move(slots_[index]);
      gap = index;
    }
    slots_[gap] = Slot{};
  }
  void Double() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.address != 0) Place(std::move(slot));
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace workbench
