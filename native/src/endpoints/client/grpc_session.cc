// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/grpc_session.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "endpoints/client/grpc_request.h"

namespace workbench {
namespace {

// Replies are read and forgotten: a server is never kept waiting for leave to send.
constexpr int32_t kWindow = 1 << 30;
constexpr size_t kMostOutput = 256 << 10;
constexpr std::string_view kPath = "/inference.GRPCInferenceService/ModelInfer";

nghttp2_nv Field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

}  // namespace

struct GrpcClientSession::Call {
  GrpcSending sending;
  std::string frame;
  size_t sent = 0;
  std::string status;  // grpc-status

  // Copies what comes next of frame, message and parameters; how much.
  size_t Read(uint8_t* to, size_t limit) {
    size_t copied = 0;
    size_t begin = 0;
    for (const std::string_view part :
         {std::string_view(frame), sending.message, std::string_view(sending.parameters)}) {
      const size_t at = std::clamp(sent, begin, begin + part.size()) - begin;
      const size_t count = std::min(part.size() - at, limit - copied);
      std::memcpy(to + copied, part.data() + at, count);
      copied += count;
      sent += count;
      begin += part.size();
    }
    return copied;
  }
  bool is_sent() const { return sent == frame.size() + sending.message.size() + sending.parameters.size(); }
};

// nghttp2 calls these, within nghttp2_session_mem_recv and nghttp2_session_mem_send.
struct ClientCallbacks {
  static GrpcClientSession& Of(void* user_data) { return *static_cast<GrpcClientSession*>(user_data); }

  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                      const uint8_t* value, size_t value_size, uint8_t, void* user_data) {
    const std::string_view field(reinterpret_cast<const char*>(name), name_size);
    if (field != "grpc-status") return 0;
    const auto found = Of(user_data).calls_.find(frame->hd.stream_id);
    if (found != Of(user_data).calls_.end())
      found->second->status.assign(reinterpret_cast<const char*>(value), value_size);
    return 0;
  }

  // A stream that the server refused or broke off has no status.
  static int OnClose(nghttp2_session*, int32_t id, uint32_t error, void* user_data) {
    GrpcClientSession& self = Of(user_data);
    const auto found = self.calls_.find(id);
    if (found == self.calls_.end()) return 0;
    const bool is_broken = found->second->status.empty() && error != NGHTTP2_NO_ERROR;
    const StatusCode status = is_broken ? StatusCode::kUnavailable : StatusOfGrpc(found->second->status);
    self.ended_.push_back({std::move(found->second->sending.expected), status});
    self.calls_.erase(found);
    return 0;
  }

  // Of a connection that the server is about to end: no more calls begin on it.
  static int OnNotSent(nghttp2_session* session, const nghttp2_frame* frame, int, void* user_data) {
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    return OnClose(session, frame->hd.stream_id, NGHTTP2_REFUSED_STREAM, user_data);
  }

  static ssize_t OnRead(nghttp2_session*, int32_t, uint8_t* to, size_t limit, uint32_t* flags,
                        nghttp2_data_source* source, void*) {
    auto* const call = static_cast<GrpcClientSession::Call*>(source->ptr);
    const size_t copied = call->Read(to, limit);
    if (call->is_sent()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(copied);
  }

  static nghttp2_session_callbacks* All() {
    static nghttp2_session_callbacks* const all = [] {
      nghttp2_session_callbacks* made = nullptr;
      if (nghttp2_session_callbacks_new(&made) != 0) return made;
      nghttp2_session_callbacks_set_on_header_callback(made, &OnHeader);
      nghttp2_session_callbacks_set_on_frame_not_send_callback(made, &OnNotSent);
      nghttp2_session_callbacks_set_on_stream_close_callback(made, &OnClose);
      return made;
    }();
    return all;
  }
};

GrpcClientSession::GrpcClientSession(GrpcCallHead head) : head_(std::move(head)) {
  nghttp2_session* session = nullptr;
  if (nghttp2_session_client_new(&session, ClientCallbacks::All(), this) != 0) return;
  session_.reset(session);
  const std::array<nghttp2_settings_entry, 2> settings{
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindow}}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, kWindow);
}

GrpcClientSession::~GrpcClientSession() = default;

void GrpcClientSession::Submit(GrpcSending sending) {
  auto call = std::make_unique<Call>();
  call->frame = MessageFrame(sending.message.size() + sending.parameters.size());
  call->sending = std::move(sending);
  std::vector<nghttp2_nv> fields{Field(":method", "POST"),        Field(":scheme", "http"),
                                 Field(":path", kPath),           Field(":authority", head_.authority),
                                 Field("te", "trailers"),         Field("content-type", "application/grpc"),
                                 Field("user-agent", "workbench")};
  if (!head_.token.empty()) fields.push_back(Field("authorization", head_.token));
  nghttp2_data_provider provider{};
  provider.source.ptr = call.get();
  provider.read_callback = &ClientCallbacks::OnRead;
  const int32_t id = session_ ? nghttp2_submit_request(session_.get(), nullptr, fields.data(), fields.size(),
                                                       &provider, nullptr)
                              : NGHTTP2_ERR_NOMEM;
  if (id < 0) {
    ended_.push_back({std::move(call->sending.expected), StatusCode::kUnavailable});
  } else {
    calls_.emplace(id, std::move(call));
  }
}

bool GrpcClientSession::Receive(std::string_view bytes) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(bytes.data());
  return session_ && nghttp2_session_mem_recv(session_.get(), begin, bytes.size()) >= 0 &&
         (nghttp2_session_want_read(session_.get()) != 0 || nghttp2_session_want_write(session_.get()) != 0);
}

bool GrpcClientSession::TakeOutput(std::string* bytes) {
  while (session_ && bytes->size() < kMostOutput) {
    const uint8_t* data = nullptr;
    const ssize_t count = nghttp2_session_mem_send(session_.get(), &data);
    if (count < 0) return false;
    if (count == 0) return true;
    bytes->append(reinterpret_cast<const char*>(data), static_cast<size_t>(count));
  }
  return session_ != nullptr;
}

void GrpcClientSession::EndAll(StatusCode status) {
  for (auto& [id, call] : calls_) {
    ended_.push_back({std::move(call->sending.expected), status});
    // What the stream still sends is read from the call: it stays until the session has forgotten it.
    nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  }
}

std::vector<Ended> GrpcClientSession::TakeEnded() {
  ended_.erase(std::remove_if(ended_.begin(), ended_.end(),
                              [](const Ended& ended) { return ended.expected.completions == nullptr; }),
               ended_.end());
  return std::exchange(ended_, {});
}

}  // namespace workbench
