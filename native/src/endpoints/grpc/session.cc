// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/session.h"

#include <algorithm>
#include <array>

#include "endpoints/grpc/connection.h"
#include "endpoints/grpc/server.h"

namespace workbench {
namespace {

constexpr uint32_t kMostStreams = 1024;
constexpr uint32_t kHeadLimit = 16 << 10;
// A tensor of 4 MiB arrives without waiting for leave to go on.
constexpr int32_t kStreamWindow = 8 << 20;
constexpr int32_t kConnectionWindow = 32 << 20;
constexpr uint32_t kFrameSize = 1 << 20;  // that clients may send
constexpr ssize_t kSentFrameSize = 256 << 10;
constexpr size_t kMostOutput = 1 << 20;  // before the socket takes some of it

}  // namespace

// nghttp2 calls these, within nghttp2_session_mem_recv and nghttp2_session_mem_send.
struct SessionCallbacks {
  static GrpcConnection& Of(void* user_data) { return *static_cast<GrpcConnection*>(user_data); }

  static int OnBeginHeaders(nghttp2_session*, const nghttp2_frame*, void* user_data) {
    Of(user_data).head_ = GrpcHead();
    return 0;
  }

  static int OnHeader(nghttp2_session*, const nghttp2_frame*, const uint8_t* name, size_t name_size,
                      const uint8_t* value, size_t value_size, uint8_t, void* user_data) {
    GrpcHead& head = Of(user_data).head_;
    head.Add({reinterpret_cast<const char*>(name), name_size},
             {reinterpret_cast<const char*>(value), value_size});
    return head.byte_size() > kHeadLimit ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : 0;
  }

  static int OnFrame(nghttp2_session*, const nghttp2_frame* frame, void* user_data) {
    GrpcConnection& self = Of(user_data);
    const int32_t id = frame->hd.stream_id;
    const bool has_ended = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_RST_STREAM) self.OnReset();
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) self.OnHead(id);
    const bool may_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (!may_end || !has_ended) return 0;
    if (const std::shared_ptr<GrpcCall> call = CallOf(self, id)) call->ReceiveEnd();
    return 0;
  }

  // A client that is still sending is told to stop.
  static int OnSent(nghttp2_session* session, const nghttp2_frame* frame, void*) {
    if (frame->hd.type != NGHTTP2_HEADERS || (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
    const int32_t id = frame->hd.stream_id;
    if (nghttp2_session_get_stream_remote_close(session, id) != 0) return 0;
    return nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR);
  }

  static int OnData(nghttp2_session* session, uint8_t, int32_t id, const uint8_t* data, size_t byte_size,
                    void* user_data) {
    nghttp2_session_consume_connection(session, byte_size);
    const std::shared_ptr<GrpcCall> call = CallOf(Of(user_data), id);
    if (call == nullptr) {
      nghttp2_session_consume_stream(session, id, byte_size);
      return 0;
    }
    call->Receive({reinterpret_cast<const char*>(data), byte_size});
    call->Consume(byte_size);
    return 0;
  }

  static int OnClose(nghttp2_session*, int32_t id, uint32_t, void* user_data) {
    Of(user_data).OnStreamClosed(id);
    return 0;
  }

  static std::shared_ptr<GrpcCall> CallOf(GrpcConnection& connection, int32_t id) {
    const auto found = connection.calls_.find(id);
    return found == connection.calls_.end() ? nullptr : found->second;
  }

  static ssize_t FrameSize(nghttp2_session*, uint8_t, int32_t, int32_t session_window, int32_t stream_window,
                           uint32_t most, void*) {
    return std::min<ssize_t>({kSentFrameSize, session_window, stream_window, most});
  }

  // How much of the next frame there is; what it holds is taken in SendData.
  static ssize_t CountData(nghttp2_session*, int32_t, uint8_t*, size_t limit, uint32_t* flags,
                           nghttp2_data_source* source, void* user_data) {
    const auto& call = *static_cast<GrpcCall*>(source->ptr);
    if (call.is_idle()) return NGHTTP2_ERR_DEFERRED;
    const size_t byte_size = call.CountToSend(limit);
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (const GrpcStatus* const status = call.EndAfter(byte_size)) {
      *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
      Of(user_data).SubmitTrailer(call, *status);
    }
    return static_cast<ssize_t>(byte_size);
  }

  static int SendData(nghttp2_session*, nghttp2_frame*, const uint8_t* head, size_t byte_size,
                      nghttp2_data_source* source, void* user_data) {
    constexpr size_t kFrameHeadSize = 9;
    GrpcConnection& self = Of(user_data);
    if (self.output_.byte_size() > kMostOutput) return NGHTTP2_ERR_WOULDBLOCK;
    self.output_.Copy({reinterpret_cast<const char*>(head), kFrameHeadSize});
    static_cast<GrpcCall*>(source->ptr)->TakeToSend(byte_size, &self.output_);
    return 0;
  }

  static nghttp2_session_callbacks* All() {
    static nghttp2_session_callbacks* const all = [] {
      nghttp2_session_callbacks* made = nullptr;
      if (nghttp2_session_callbacks_new(&made) != 0) return made;
      nghttp2_session_callbacks_set_on_begin_headers_callback(made, &OnBeginHeaders);
      nghttp2_session_callbacks_set_on_header_callback(made, &OnHeader);
      nghttp2_session_callbacks_set_on_frame_recv_callback(made, &OnFrame);
      nghttp2_session_callbacks_set_on_frame_send_callback(made, &OnSent);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, &OnData);
      nghttp2_session_callbacks_set_on_stream_close_callback(made, &OnClose);
      nghttp2_session_callbacks_set_data_source_read_length_callback(made, &FrameSize);
      nghttp2_session_callbacks_set_send_data_callback(made, &SendData);
      return made;
    }();
    return all;
  }

  static nghttp2_option* Options() {
    static nghttp2_option* const options = [] {
      nghttp2_option* made = nullptr;
      if (nghttp2_option_new(&made) != 0) return made;
      nghttp2_option_set_no_auto_window_update(made, 1);  // a choked stream gets no leave to send more
      nghttp2_option_set_no_closed_streams(made, 1);
      return made;
    }();
    return options;
  }
};

nghttp2_session* NewSession(GrpcConnection* connection) {
  nghttp2_session* session = nullptr;
  if (nghttp2_session_server_new2(&session, SessionCallbacks::All(), connection,
                                  SessionCallbacks::Options()) != 0)
    return nullptr;
  const std::array<nghttp2_settings_entry, 4> settings{
      {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
       {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, kFrameSize},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kHeadLimit}}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, kConnectionWindow);
  return session;
}

void GrpcConnection::BeginReply(GrpcCall* call) {
  nghttp2_data_provider provider{};
  provider.source.ptr = call;
  provider.read_callback = &SessionCallbacks::CountData;
  SubmitHead(*call, provider);
}

}  // namespace workbench
