// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Backends for tests of sequences, on the plain C interface, for either server. Built once for each
// behaviour:
//   WB_ACCUMULATES  adds up IN, one sum for each place of the batch
//   WB_REMEMBERS    adds up IN, the sum kept as the state SUM_IN / SUM_OUT
//   WB_ITERATES      answers IN times, one answer for each execution, counting in the state SUM_IN / SUM_OUT
//   WB_TELLS_SHAPE  answers OUT with the shape of the state IN_STATE
//   WB_RESCHEDULES  asks to execute the request again, and answers with the error
// Inputs: IN INT32 [2], a number and for how many milliseconds the execution is to last at least; controls
// START, END, READY and CORRID where the model has them, of any type. Outputs: OUT INT32 [1], and SEEN INT32
// [6]: START, END, READY, CORRID, the place in the batch, and how many requests of the batch are ready.
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "triton/core/tritonbackend.h"

namespace {

uint64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Input {
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  std::vector<int64_t> shape;
  std::string bytes;
  bool is_present = false;
};

Input Read(TRITONBACKEND_Request* request, const char* name) {
  Input read;
  TRITONBACKEND_Input* input = nullptr;
  if (auto* error = TRITONBACKEND_RequestInput(request, name, &input)) {
    TRITONSERVER_ErrorDelete(error);
    return read;
  }
  const int64_t* shape = nullptr;
  uint32_t rank = 0;
  uint32_t buffer_count = 0;
  TRITONBACKEND_InputProperties(input, nullptr, &read.type, &shape, &rank, nullptr, &buffer_count);
  read.shape.assign(shape, shape + rank);
  for (uint32_t i = 0; i < buffer_count; ++i) {
    const void* base = nullptr;
    uint64_t byte_size = 0;
    TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
    int64_t memory_type_id = 0;
    TRITONBACKEND_InputBuffer(input, i, &base, &byte_size, &memory_type, &memory_type_id);
    read.bytes.append(static_cast<const char*>(base), byte_size);
  }
  read.is_present = true;
  return read;
}

template <typename T>
T As(const Input& input) {
  T value{};
  std::memcpy(&value, input.bytes.data(), sizeof value);
  return value;
}

// Any control as a number: a text is the sum of its bytes; -1: there is none.
int32_t Number(const Input& input) {
  if (!input.is_present) return -1;
  switch (input.type) {
    case TRITONSERVER_TYPE_FP32:
      return static_cast<int32_t>(As<float>(input));
    case TRITONSERVER_TYPE_BOOL:
      return input.bytes[0];
    case TRITONSERVER_TYPE_BYTES: {
      int32_t sum = 0;
      // An older server gives more bytes than the text has.
      const uint32_t length = As<uint32_t>(input);
      for (size_t i = 0; i < length; ++i) sum += input.bytes[sizeof length + i];
      return sum;
    }
    default:
      return As<int32_t>(input);  // of the 8 bytes of a longer type the low ones
  }
}

struct Seen {
  int32_t start, end, ready, id, place, ready_count;
};

#if defined(WB_TELLS_SHAPE) || defined(WB_RESCHEDULES)
#elif defined(WB_ACCUMULATES)
std::map<std::pair<TRITONBACKEND_ModelInstance*, int32_t>, int32_t> sums;

int32_t Advance(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request*, const Seen& seen,
                int32_t value) {
  int32_t& sum = sums[{instance, seen.place}];
  if (seen.ready == 0) return 0;
  sum = seen.start == 1 ? value : sum + value;
  return sum;
}
#else
TRITONSERVER_Error* WriteState(TRITONBACKEND_Request* request, const std::vector<int64_t>& shape,
                               int32_t value) {
  TRITONBACKEND_State* state = nullptr;
  void* buffer = nullptr;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  if (auto* error = TRITONBACKEND_StateNew(&state, request, "SUM_OUT", TRITONSERVER_TYPE_INT32, shape.data(),
                                           static_cast<uint32_t>(shape.size())))
    return error;
  if (auto* error = TRITONBACKEND_StateBuffer(state, &buffer, sizeof value, &memory_type, &memory_type_id))
    return error;
  std::memcpy(buffer, &value, sizeof value);
  return TRITONBACKEND_StateUpdate(state);
}

int32_t Advance(TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request* request, const Seen&, int32_t value) {
  const Input state = Read(request, "SUM_IN");
#if defined(WB_ITERATES)
  value = 1;
#endif
  const int32_t sum = As<int32_t>(state) + value;
  if (auto* error = WriteState(request, state.shape, sum)) {
    TRITONSERVER_ErrorDelete(error);
    return -1;
  }
  return sum;
}
#endif

TRITONSERVER_Error* Write(TRITONBACKEND_Response* response, const char* name, bool is_batched,
                          const int32_t* values, int64_t count) {
  TRITONBACKEND_Output* output = nullptr;
  const int64_t shape[] = {1, count};
  void* buffer = nullptr;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  if (auto* error = TRITONBACKEND_ResponseOutput(response, &output, name, TRITONSERVER_TYPE_INT32,
                                                 is_batched ? shape : shape + 1, is_batched ? 2 : 1))
    return error;
  const uint64_t byte_size = static_cast<uint64_t>(count) * sizeof(int32_t);
  if (auto* error = TRITONBACKEND_OutputBuffer(output, &buffer, byte_size, &memory_type, &memory_type_id))
    return error;
  std::memcpy(buffer, values, byte_size);
  return nullptr;
}

TRITONSERVER_Error* Answer(TRITONBACKEND_Request* request, bool is_batched, int32_t sum, const Seen& seen,
                           uint32_t flags) {
  TRITONBACKEND_Response* response = nullptr;
  if (auto* error = TRITONBACKEND_ResponseNew(&response, request)) return error;
  if (auto* error = Write(response, "OUT", is_batched, &sum, 1)) return error;
  if (auto* error = Write(response, "SEEN", is_batched, &seen.start, 6)) return error;
  return TRITONBACKEND_ResponseSend(response, flags, nullptr);
}

#if defined(WB_TELLS_SHAPE) || defined(WB_RESCHEDULES)
TRITONSERVER_Error* AnswerBriefly(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Response* response = nullptr;
  TRITONSERVER_Error* refusal = nullptr;
  if (auto* error = TRITONBACKEND_ResponseNew(&response, request)) return error;
#if defined(WB_TELLS_SHAPE)
  const Input state = Read(request, "IN_STATE");
  const std::vector<int32_t> shape(state.shape.begin(), state.shape.end());
  refusal = Write(response, "OUT", false, shape.data(), static_cast<int64_t>(shape.size()));
#else
  refusal = TRITONBACKEND_RequestRelease(request, TRITONSERVER_REQUEST_RELEASE_RESCHEDULE);
#endif
  auto* const error = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, refusal);
  if (refusal != nullptr) TRITONSERVER_ErrorDelete(refusal);
  return error;
}
#endif

}  // namespace

extern "C" {

#if defined(WB_TELLS_SHAPE) || defined(WB_RESCHEDULES)
TRITONBACKEND_ISPEC TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance*,
                                                                           TRITONBACKEND_Request** requests,
                                                                           const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (auto* error = AnswerBriefly(requests[i])) TRITONSERVER_ErrorDelete(error);
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  return nullptr;
}
#else

TRITONBACKEND_ISPEC TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request** requests, const uint32_t count) {
  const uint64_t start_ns = NowNs();
  std::vector<Seen> all;
  std::vector<int32_t> values;
  int32_t hold_ms = 0;
  int32_t ready_count = 0;
  bool is_batched = false;
  for (uint32_t i = 0; i < count; ++i) {
    const Input input = Read(requests[i], "IN");
    is_batched = input.shape.size() == 2;
    int32_t numbers[2];
    std::memcpy(numbers, input.bytes.data(), sizeof numbers);
    Seen seen{Number(Read(requests[i], "START")),
              Number(Read(requests[i], "END")),
              Number(Read(requests[i], "READY")),
              Number(Read(requests[i], "CORRID")),
              static_cast<int32_t>(i),
              0};
    if (seen.ready != 0) {
      ++ready_count;
      if (numbers[1] > hold_ms) hold_ms = numbers[1];
    }
    all.push_back(seen);
    values.push_back(numbers[0]);
  }
  const uint64_t compute_start_ns = NowNs();
  if (hold_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(hold_ms));
  const uint64_t compute_end_ns = NowNs();
  for (uint32_t i = 0; i < count; ++i) {
    all[i].ready_count = ready_count;
    const int32_t sum = Advance(instance, requests[i], all[i], values[i]);
    uint32_t release = TRITONSERVER_REQUEST_RELEASE_ALL;
    uint32_t flags = TRITONSERVER_RESPONSE_COMPLETE_FINAL;
#if defined(WB_ITERATES)
    if (sum > 0 && sum < values[i]) {
      release = TRITONSERVER_REQUEST_RELEASE_RESCHEDULE;
      flags = 0;
    }
#endif
    if (auto* error = Answer(requests[i], is_batched, sum, all[i], flags)) TRITONSERVER_ErrorDelete(error);
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], true, start_ns, compute_start_ns,
                                                compute_end_ns, NowNs());
    if (auto* error = TRITONBACKEND_RequestRelease(requests[i], release)) TRITONSERVER_ErrorDelete(error);
  }
  TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, static_cast<uint64_t>(ready_count), start_ns,
                                                   compute_start_ns, compute_end_ns, NowNs());
  return nullptr;
}
#endif

}  // extern "C"
