// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

#include "session.h"

#include <cstring>
#include <utility>

namespace workbench::bench {

namespace {
constexpr int kElements = 16;
constexpr int kValues = 1 << 16;  // floats tell all of them apart

TRITONSERVER_Error* KeepBuffer(TRITONSERVER_ResponseAllocator*, void*, void*, size_t, TRITONSERVER_MemoryType,
                               int64_t) {
  return nullptr;
}
}  // namespace

Session::Session(const ServerLibrary& library, TRITONSERVER_Server* server, Options options)
    : library_(library), server_(server), options_(std::move(options)), slots_(options_.slot_count) {
  library_.Check(library_.ResponseAllocatorNew(&allocator_, Allocate, KeepBuffer, nullptr));
  float number = 0;
  for (Slot& slot : slots_) {
    slot.session = this;
    slot.input.assign(kElements * options_.rows, ++number);
    slot.output.resize(slot.input.size());
  }
}

Session::~Session() {
  for (Slot& slot : slots_) {
    if (slot.request != nullptr) library_.Check(library_.InferenceRequestDelete(slot.request));
  }
  library_.Check(library_.ResponseAllocatorDelete(allocator_));
}

void Session::Submit(Slot& slot, uint64_t intended_ns) {
  slot.intended_ns = intended_ns;
  const int value = static_cast<int>(slot.input[0]) + 1;
  slot.input[0] = static_cast<float>(value % kValues);
  if (slot.request == nullptr) BuildRequest(slot);
  slot.outstanding.store(2, std::memory_order_relaxed);
  library_.Check(
      library_.InferenceRequestSetResponseCallback(slot.request, allocator_, &slot, OnResponse, &slot));
  library_.Check(library_.ServerInferAsync(server_, slot.request, nullptr));
}

LatencyHistogram Session::Latencies() const {
  LatencyHistogram all;
  for (const Slot& slot : slots_) all.Merge(slot.latencies);
  return all;
}

void Session::BuildRequest(Slot& slot) {
  const int64_t shape[] = {options_.rows, kElements};
  const size_t byte_size = slot.input.size() * sizeof(float);
  auto*& request = slot.request;
  library_.Check(library_.InferenceRequestNew(&request, server_, options_.model.c_str(), /*version=*/-1));
  library_.Check(library_.InferenceRequestAddInput(request, "INPUT0", TRITONSERVER_TYPE_FP32, shape, 2));
  library_.Check(library_.InferenceRequestAppendInputData(request, "INPUT0", slot.input.data(), byte_size,
                                                          TRITONSERVER_MEMORY_CPU, 0));
  library_.Check(library_.InferenceRequestAddRequestedOutput(request, "OUTPUT0"));
  library_.Check(library_.InferenceRequestSetReleaseCallback(request, OnRelease, &slot));
}

TRITONSERVER_Error* Session::Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t byte_size,
                                      TRITONSERVER_MemoryType, int64_t, void* userp, void** buffer,
                                      void** buffer_userp, TRITONSERVER_MemoryType* actual_memory_type,
                                      int64_t* actual_memory_type_id) {
  Slot& slot = *static_cast<Slot*>(userp);
  if (byte_size > slot.output.size() * sizeof(float)) ServerLibrary::Fail("output is too large");
  *buffer = slot.output.data();
  *buffer_userp = nullptr;
  *actual_memory_type = TRITONSERVER_MEMORY_CPU;
  *actual_memory_type_id = 0;
  return nullptr;
}

void Session::OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t flags, void* userp) {
  if ((flags & TRITONSERVER_REQUEST_RELEASE_ALL) == 0) return;
  Slot& slot = *static_cast<Slot*>(userp);
  Session& session = *slot.session;
  if (!session.options_.reuse_requests) {
    slot.request = nullptr;
    session.library_.Check(session.library_.InferenceRequestDelete(request));
  }
  session.FinishPart(slot);
}

void Session::OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* userp) {
  Slot& slot = *static_cast<Slot*>(userp);
  Session& session = *slot.session;
  if (response != nullptr) {
    session.Verify(slot, response);
    session.library_.Check(session.library_.InferenceResponseDelete(response));
  }
  if ((flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) == 0) return;
  slot.answered_ns = NowNs();
  session.FinishPart(slot);
}

void Session::Verify(const Slot& slot, TRITONSERVER_InferenceResponse* response) {
  library_.Check(library_.InferenceResponseError(response));
  const char* name = nullptr;
  TRITONSERVER_DataType datatype;
  const int64_t* shape = nullptr;
  uint64_t dim_count = 0;
  const void* base = nullptr;
  size_t byte_size = 0;
  TRITONSERVER_MemoryType memory_type;
  int64_t memory_type_id = 0;
  void* userp = nullptr;
  library_.Check(library_.InferenceResponseOutput(response, 0, &name, &datatype, &shape, &dim_count, &base,
                                                  &byte_size, &memory_type, &memory_type_id, &userp));
  const size_t expected = slot.input.size() * sizeof(float);
  if (byte_size != expected || std::memcmp(base, slot.input.data(), expected) != 0) ++mismatches_;
}

// Response and release come in either order and on any thread; the later one completes the slot.
void Session::FinishPart(Slot& slot) {
  if (slot.outstanding.fetch_sub(1) != 1) return;
  if (recording_.load(std::memory_order_relaxed)) {
    slot.latencies.Record(slot.answered_ns - slot.intended_ns);
  }
  listener_->Complete(slot);
}

}  // namespace workbench::bench
