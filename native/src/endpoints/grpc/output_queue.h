// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// OutputQueue: what goes out on one socket, in order: small bytes gathered, large ones borrowed and written
// from where they lie.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace workbench {

class OutputQueue {
 public:
  void Copy(std::string_view bytes);
  // owner keeps them.
  void Borrow(std::string_view bytes, std::shared_ptr<const void> owner);

  bool empty() const { return byte_size_ == 0; }
  size_t byte_size() const { return byte_size_; }
  // Writes what the socket takes now. False where the connection is broken.
  bool WriteTo(int socket);

 private:
  struct Chunk {
    std::string copied;
    std::string_view borrowed;  // where there is an owner
    std::shared_ptr<const void> owner;

    std::string_view view() const { return owner != nullptr ? borrowed : std::string_view(copied); }
  };

  void Drop(size_t byte_size);

  std::vector<Chunk> chunks_;
  size_t first_ = 0;    // chunk that is not yet written
  size_t written_ = 0;  // bytes of it that are
  size_t byte_size_ = 0;
};

}  // namespace workbench
