// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// "Device memory": a file in memory that is mapped twice, once for the stand-in to read and write, and once
// without any access, at the addresses that it hands out.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "state.h"

namespace stand_in {

class Arena {
 public:
  Arena(int fd, size_t byte_size) : fd_(fd), byte_size_(byte_size) {
    shadow_ = static_cast<char*>(mmap(nullptr, byte_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    address_ = static_cast<char*>(
        mmap(nullptr, byte_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  static std::unique_ptr<Arena> New(size_t byte_size) {
    const int fd = memfd_create("wb_stand_in", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(byte_size)) != 0) return nullptr;
    return std::make_unique<Arena>(fd, byte_size);
  }
  ~Arena() {
    munmap(shadow_, byte_size_);
    munmap(address_, byte_size_);
    close(fd_);
  }

  // Null: there is no room. The first gap that is large enough.
  void* Take(size_t byte_size) {
    size_t start = 0;
    for (const auto& [offset, live] : live_) {
      if (offset - start >= byte_size) break;
      start = RoundUp(offset + live);
    }
    if (start > byte_size_ || byte_size_ - start < byte_size) return nullptr;
    live_[start] = byte_size;
    return address_ + start;
  }
  bool Give(const void* bytes) {
    if (!Holds(bytes)) return false;
    const auto found = live_.find(OffsetOf(bytes));
    if (found == live_.end()) return false;
    std::fill_n(shadow_ + found->first, found->second, '\xDD');
    live_.erase(found);
    return true;
  }
  bool Holds(const void* bytes) const { return bytes >= address_ && bytes < address_ + byte_size_; }
  // Where the stand-in reads those bytes; null where they are not wholly in one live allocation.
  char* Shadow(const void* bytes, size_t byte_size) const {
    const size_t offset = OffsetOf(bytes);
    auto after = live_.upper_bound(offset);
    if (after == live_.begin()) return nullptr;
    --after;
    return offset + byte_size <= after->first + after->second ? shadow_ + offset : nullptr;
  }
  size_t live_byte_size() const {
    size_t sum = 0;
    for (const auto& [offset, live] : live_) sum += live;
    return sum;
  }
  size_t byte_size() const { return byte_size_; }
  int fd() const { return fd_; }
  size_t OffsetOf(const void* bytes) const {
    return static_cast<size_t>(static_cast<const char*>(bytes) - address_);
  }
  // The live allocation in which the bytes lie.
  bool RangeOf(const void* bytes, void** start, size_t* byte_size) {
    auto after = live_.upper_bound(OffsetOf(bytes));
    if (after == live_.begin()) return false;
    --after;
    *start = address_ + after->first;
    *byte_size = after->second;
    return OffsetOf(bytes) < after->first + after->second;
  }
  void Adopt(size_t offset, size_t byte_size) { live_[offset] = byte_size; }
  size_t SizeAt(size_t offset) const { return live_.count(offset) != 0 ? live_.at(offset) : 0; }
  void* address(size_t offset) { return address_ + offset; }

 private:
  static size_t RoundUp(size_t value) { return (value + 511) / 256 * 256; }  // never touching each other

  const int fd_;
  const size_t byte_size_;
  char* shadow_;
  char* address_;
  std::map<size_t, size_t> live_;  // by offset
};

// All memory of the stand-in. Any thread.
class Memory {
 public:
  static Memory& Get() {
    static Memory* const memory = new Memory();
    return *memory;
  }

  void Reset(const Settings& settings) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (int i = static_cast<int>(arenas_.size()); i < settings.devices; ++i)
      arenas_.push_back(Arena::New(size_t{1} << 30));
    limit_ = settings.device_byte_size;
    pinned_limit_ = settings.pinned_byte_size;
  }

  void* Take(int device, size_t byte_size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Arena& arena = *arenas_[static_cast<size_t>(device)];
    if (byte_size > limit_ - std::min(limit_, arena.live_byte_size())) return nullptr;
    return arena.Take(byte_size);
  }
  bool Give(const void* bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& arena : arenas_) {
      if (arena->Give(bytes)) return true;
    }
    return false;
  }
  void* TakePinned(size_t byte_size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (byte_size > pinned_limit_ - std::min(pinned_limit_, pinned_live_)) return nullptr;
    void* const bytes = std::aligned_alloc(4096, (byte_size + 4095) / 4096 * 4096);
    pinned_[bytes] = byte_size;
    pinned_live_ += byte_size;
    return bytes;
  }
  bool GivePinned(void* bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pinned_.find(bytes);
    if (found == pinned_.end()) return false;
    pinned_live_ -= found->second;
    pinned_.erase(found);
    std::free(bytes);
    return true;
  }

  // Where the bytes can be touched; null: memory of a device that is not allocated.
  char* Touchable(const void* bytes, size_t byte_size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto* arenas : {&arenas_, &opened_}) {
      for (const auto& arena : *arenas) {
        if (arena->Holds(bytes)) return arena->Shadow(bytes, byte_size);
      }
    }
    return const_cast<char*>(static_cast<const char*>(bytes));
  }
  bool RangeOf(const void* bytes, void** start, size_t* byte_size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto* arenas : {&arenas_, &opened_}) {
      for (const auto& arena : *arenas) {
        if (arena->Holds(bytes)) return arena->RangeOf(bytes, start, byte_size);
      }
    }
    return false;
  }
  // The device of an address, -1 for page-locked memory, -2 for any other.
  int DeviceOf(const void* bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < arenas_.size(); ++i) {
      if (arenas_[i]->Holds(bytes)) return static_cast<int>(i);
    }
    const auto after = pinned_.upper_bound(const_cast<void*>(bytes));
    if (after == pinned_.begin()) return -2;
    const auto& [start, byte_size] = *std::prev(after);
    return bytes < static_cast<const char*>(start) + byte_size ? -1 : -2;
  }
  size_t Live(int device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return device < 0 ? pinned_live_ : arenas_[static_cast<size_t>(device)]->live_byte_size();
  }
  size_t limit() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return limit_;
  }

  // --- memory of another process
  struct Shared {
    int process;
    int fd;
    size_t offset;
    size_t byte_size;
    size_t arena_byte_size;
  };
  bool Share(const void* bytes, Shared* shared) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& arena : arenas_) {
      if (!arena->Holds(bytes)) continue;
      const size_t offset = arena->OffsetOf(bytes);
      *shared = {getpid(), arena->fd(), offset, arena->SizeAt(offset), arena->byte_size()};
      return shared->byte_size != 0;
    }
    return false;
  }
  void* Open(const Shared& shared) {
    const std::string path = "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.fd);
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    opened_.push_back(std::make_unique<Arena>(fd, shared.arena_byte_size));
    opened_.back()->Adopt(shared.offset, shared.byte_size);
    return opened_.back()->address(shared.offset);
  }
  bool Close(const void* bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(opened_.begin(), opened_.end(),
                                    [bytes](const auto& arena) { return arena->Holds(bytes); });
    if (found == opened_.end()) return false;
    opened_.erase(found);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // by device
  std::vector<std::unique_ptr<Arena>> opened_;  // of other processes
  std::map<void*, size_t> pinned_;
  size_t limit_ = 0;
  size_t pinned_limit_ = 0;
  size_t pinned_live_ = 0;
};

}  // namespace stand_in
