// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/output_queue.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <utility>

namespace workbench {
namespace {

constexpr size_t kChunkSize = size_t{64} << 10;  // what is gathered in one piece
constexpr size_t kKeptSize = size_t{4} << 10;    // what an idle connection keeps

}  // namespace

void OutputQueue::Copy(std::string_view bytes) {
  byte_size_ += bytes.size();
  const bool has_room = !chunks_.empty() && chunks_.back().owner == nullptr &&
                        chunks_.back().copied.size() + bytes.size() <= kChunkSize;
  if (!has_room) chunks_.emplace_back();
  chunks_.back().copied.append(bytes);
}

void OutputQueue::Borrow(std::string_view bytes, std::shared_ptr<const void> owner) {
  byte_size_ += bytes.size();
  chunks_.push_back({std::string(), bytes, std::move(owner)});
}

bool OutputQueue::WriteTo(int socket) {
  while (byte_size_ > 0) {
    std::array<iovec, 64> parts;
    size_t count = 0;
    size_t skipped = written_;
    for (size_t i = first_; i < chunks_.size() && count < parts.size(); ++i) {
      const std::string_view bytes = chunks_[i].view().substr(std::exchange(skipped, 0));
      parts[count++] = {const_cast<char*>(bytes.data()), bytes.size()};
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      Drop(static_cast<size_t>(sent));
    } else if (errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
  return true;
}

void OutputQueue::Drop(size_t byte_size) {
  byte_size_ -= byte_size;
  written_ += byte_size;
  while (first_ < chunks_.size() && written_ >= chunks_[first_].view().size()) {
    written_ -= chunks_[first_].view().size();
    Chunk& done = chunks_[first_++];
    done.owner.reset();
    if (byte_size_ > 0) done.copied = std::string();
  }
  if (byte_size_ > 0) return;
  chunks_.resize(1);
  chunks_[0].borrowed = {};
  chunks_[0].copied.clear();
  if (chunks_[0].copied.capacity() > kKeptSize) chunks_[0].copied = std::string();
  first_ = written_ = 0;
}

}  // namespace workbench
