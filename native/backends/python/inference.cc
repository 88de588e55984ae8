// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter.h"
#include "outputs.h"
#include "parameters.h"

namespace workbench::python_backend {
namespace {

TRITONSERVER_Error* Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t byte_size,
                             TRITONSERVER_MemoryType, int64_t, void*, void** buffer, void** buffer_userp,
                             TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  *buffer_userp = nullptr;
  *memory_type = TRITONSERVER_MEMORY_CPU;
  *memory_type_id = 0;
  *buffer = byte_size == 0 ? nullptr : std::malloc(byte_size);
  if (*buffer != nullptr || byte_size == 0) return nullptr;
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "no memory for the answer of a model");
}

TRITONSERVER_Error* Free(TRITONSERVER_ResponseAllocator*, void* buffer, void*, size_t,
                         TRITONSERVER_MemoryType, int64_t) {
  std::free(buffer);
  return nullptr;
}

TRITONSERVER_ResponseAllocator* Allocator() {
  static TRITONSERVER_ResponseAllocator* const allocator = [] {
    TRITONSERVER_ResponseAllocator* made = nullptr;
    Check(TRITONSERVER_ResponseAllocatorNew(&made, &Allocate, &Free, nullptr));
    return made;
  }();
  return allocator;
}

struct DeleteResponse {
  void operator()(TRITONSERVER_InferenceResponse* response) const {
    detail::LogFailure(TRITONSERVER_InferenceResponseDelete(response), "deleting a response");
  }
};
using Response = std::unique_ptr<TRITONSERVER_InferenceResponse, DeleteResponse>;

py::object ErrorIn(TRITONSERVER_InferenceResponse* response) {
  TRITONSERVER_Error* const error = TRITONSERVER_InferenceResponseError(response);
  if (error == nullptr) return py::none();
  return py::make_tuple(static_cast<int>(TRITONSERVER_ErrorCode(error)), TRITONSERVER_ErrorMessage(error));
}

py::list OutputsOf(TRITONSERVER_InferenceResponse* response, const py::object& owner) {
  py::list outputs;
  uint32_t count = 0;
  Check(TRITONSERVER_InferenceResponseOutputCount(response, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
    const int64_t* shape = nullptr;
    uint64_t dim_count = 0;
    const void* base = nullptr;
    size_t byte_size = 0;
    TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
    int64_t memory_type_id = 0;
    void* userp = nullptr;
    Check(TRITONSERVER_InferenceResponseOutput(response, index, &name, &type, &shape, &dim_count, &base,
                                               &byte_size, &memory_type, &memory_type_id, &userp));
    py::object array = ArrayOf(name, type, shape, dim_count, base, byte_size, owner);
    outputs.append(py::reinterpret_steal<py::object>(
        NewTensor(Api::Get(), py::str(name).ptr(), std::move(array), type)));
  }
  return outputs;
}

py::dict ParametersIn(TRITONSERVER_InferenceResponse* response) {
  py::dict parameters;
  uint32_t count = 0;
  Check(TRITONSERVER_InferenceResponseParameterCount(response, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    TRITONSERVER_ParameterType type = TRITONSERVER_PARAMETER_STRING;
    const void* value = nullptr;
    Check(TRITONSERVER_InferenceResponseParameter(response, index, &name, &type, &value));
    parameters[name] = ParameterOf(type, value);
  }
  return parameters;
}

py::tuple AnswerOf(Response response) {
  TRITONSERVER_InferenceResponse* const raw = response.get();
  py::object error = ErrorIn(raw);
  if (!error.is_none()) return py::make_tuple(py::list(), error, py::dict());
  // The arrays view the response's memory, and keep it.
  const py::capsule owner(response.release(), [](void* held) {
    DeleteResponse()(static_cast<TRITONSERVER_InferenceResponse*>(held));
  });
  return py::make_tuple(OutputsOf(raw, owner), py::none(), ParametersIn(raw));
}

struct SetRequestParameter {
  TRITONSERVER_InferenceRequest* request;
  void operator()(const char* name, const std::string& value) const {
    Check(TRITONSERVER_InferenceRequestSetStringParameter(request, name, value.c_str()));
  }
  void operator()(const char* name, int64_t value) const {
    Check(TRITONSERVER_InferenceRequestSetIntParameter(request, name, value));
  }
  void operator()(const char* name, bool value) const {
    Check(TRITONSERVER_InferenceRequestSetBoolParameter(request, name, value));
  }
  void operator()(const char* name, double value) const {
    Check(TRITONSERVER_InferenceRequestSetDoubleParameter(request, name, value));
  }
};

void RequireTransaction(TRITONSERVER_Server* server, const AskedModel& model) {
  uint32_t flags = 0;
  void* unused = nullptr;
  Check(TRITONSERVER_ServerModelTransactionProperties(server, model.name.c_str(), model.version, &flags,
                                                      &unused));
  if ((flags & TRITONSERVER_TXN_DECOUPLED) == 0 || model.is_decoupled) return;
  throw Unsupported("model '" + model.name +
                    "' is decoupled and answers any number of times: ask it by "
                    "exec(decoupled=True), which gives an iterator");
}

}  // namespace

// What the server reads of Python until the request is released. Guarded by the interpreter's lock.
struct Answers::Lent {
  std::deque<EncodedArray> encoded;
  py::list arrays;
};

// What the callbacks of the server use; they keep it until the request is released and its last answer is
// there. Nothing of Python's is in it: it may end on a thread of the server.
struct Answers::Call {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Response> responses;
  std::optional<Error> refusal;
  bool is_final = false;
  TRITONSERVER_InferenceRequest* request = nullptr;  // while it is under way
  std::shared_ptr<Call> self;                        // of the callbacks
  int callbacks_left = 0;
  Lent* abandoned = nullptr;  // what nobody but the server reads any more

  void Fill(const py::tuple& facts, const py::sequence& inputs, Lent* lent);
  void AddInput(PyObject* tensor, Lent* lent);
  void Submit(TRITONSERVER_Server* server, uintptr_t trace);
  // REQUIRES: mutex. The server reads nothing any more, so that what was lent can go with the last answer.
  bool is_done() const { return is_final && callbacks_left == 0; }
  void Part() {
    std::shared_ptr<Call> last;
    const std::lock_guard<std::mutex> lock(mutex);
    if (--callbacks_left > 0) return;
    last = std::move(self);
    changed.notify_all();
    // Without the interpreter's lock: Python drops it when it comes to it.
    if (abandoned != nullptr) static_cast<void>(Py_AddPendingCall(&DropLent, abandoned));
  }
  static int DropLent(void* lent) {
    delete static_cast<Lent*>(lent);
    return 0;
  }

  static void OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t flags, void* userp);
  static void OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* userp);
};

Answers::Answers(std::shared_ptr<Call> call, std::unique_ptr<Lent> lent)
    : call_(std::move(call)), lent_(std::move(lent)) {}

void Answers::Call::OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t flags, void* userp) {
  if ((flags & TRITONSERVER_REQUEST_RELEASE_ALL) == 0) return;
  auto* const call = static_cast<Call*>(userp);
  const std::shared_ptr<Call> alive = call->self;
  {
    const std::lock_guard<std::mutex> lock(call->mutex);
    call->request = nullptr;
  }
  detail::LogFailure(TRITONSERVER_InferenceRequestDelete(request), "deleting a request");
  call->Part();
}

void Answers::Call::OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* userp) {
  auto* const call = static_cast<Call*>(userp);
  const std::shared_ptr<Call> alive = call->self;
  const bool is_final = (flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) != 0;
  {
    const std::lock_guard<std::mutex> lock(call->mutex);
    if (response != nullptr) call->responses.emplace_back(response);
    call->is_final = call->is_final || is_final;
    call->changed.notify_all();
  }
  if (is_final) call->Part();
}

void Answers::Call::AddInput(PyObject* tensor, Lent* lent) {
  const Api& api = Api::Get();
  if (!PyObject_TypeCheck(tensor, api.tensor)) throw InvalidArgument("the inputs of a request are Tensors");
  const char* const name = PyUnicode_AsUTF8(api.tensor_slots.name.Get(tensor));
  if (name == nullptr) throw py::error_already_set();
  EncodedArray& array = lent->encoded.emplace_back();
  lent->arrays.append(py::handle(api.tensor_slots.array.Get(tensor)));
  Encode(name, api.tensor_slots.array.Get(tensor), &array);
  Check(TRITONSERVER_InferenceRequestAddInput(request, name, array.type, array.shape, array.dim_count));
  if (array.byte_size == 0) return;
  Check(TRITONSERVER_InferenceRequestAppendInputData(request, name, array.data, array.byte_size,
                                                     TRITONSERVER_MEMORY_CPU, 0));
}

void Answers::Call::Fill(const py::tuple& facts, const py::sequence& inputs, Lent* lent) {
  Check(TRITONSERVER_InferenceRequestSetId(request, facts[0].cast<std::string>().c_str()));
  if (py::isinstance<py::str>(facts[1])) {
    const std::string text = facts[1].cast<std::string>();
    Check(TRITONSERVER_InferenceRequestSetCorrelationIdString(request, text.c_str()));
  } else {
    Check(TRITONSERVER_InferenceRequestSetCorrelationId(request, facts[1].cast<uint64_t>()));
  }
  Check(TRITONSERVER_InferenceRequestSetFlags(request, facts[2].cast<uint32_t>()));
  Check(TRITONSERVER_InferenceRequestSetPriorityUInt64(request, facts[3].cast<uint64_t>()));
  Check(TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(request, facts[4].cast<uint64_t>()));
  ForEachParameter(facts[5], SetRequestParameter{request});
  for (const py::handle name : facts[6]) {
    Check(TRITONSERVER_InferenceRequestAddRequestedOutput(request, name.cast<std::string>().c_str()));
  }
  for (const py::handle tensor : inputs) AddInput(tensor.ptr(), lent);
}

void Answers::Call::Submit(TRITONSERVER_Server* server, uintptr_t parent) {
  Check(TRITONSERVER_InferenceRequestSetReleaseCallback(request, &OnRelease, this));
  Check(TRITONSERVER_InferenceRequestSetResponseCallback(request, Allocator(), nullptr, &OnResponse, this));
  TRITONSERVER_InferenceTrace* trace = nullptr;
  if (parent != 0) {
    Check(TRITONSERVER_InferenceTraceSpawnChildTrace(reinterpret_cast<TRITONSERVER_InferenceTrace*>(parent),
                                                     &trace));
  }
  callbacks_left = 2;
  TRITONSERVER_Error* const refused = TRITONSERVER_ServerInferAsync(server, request, trace);
  if (refused == nullptr) return;
  callbacks_left = 0;
  if (trace != nullptr) detail::LogFailure(TRITONSERVER_InferenceTraceDelete(trace), "deleting a trace");
  Check(refused);
}

std::unique_ptr<Answers> Answers::Ask(TRITONSERVER_Server* server, const AskedModel& model,
                                      const py::tuple& facts, const py::sequence& inputs) {
  auto call = std::make_shared<Call>();
  auto lent = std::make_unique<Lent>();
  call->self = call;
  try {
    RequireTransaction(server, model);
    Check(TRITONSERVER_InferenceRequestNew(&call->request, server, model.name.c_str(), model.version));
    call->Fill(facts, inputs, lent.get());
    const uintptr_t trace = facts[7].cast<uintptr_t>();
    const NoGil no_gil;
    call->Submit(server, trace);
  } catch (const Error& refusal) {
    call->refusal = refusal;
    call->is_final = true;
    call->self.reset();
    if (call->request != nullptr) {
      detail::LogFailure(TRITONSERVER_InferenceRequestDelete(call->request), "deleting a request");
      call->request = nullptr;
    }
  }
  return std::unique_ptr<Answers>(new Answers(std::move(call), std::move(lent)));
}

Answers::~Answers() {
  const std::lock_guard<std::mutex> lock(call_->mutex);
  if (call_->callbacks_left > 0) call_->abandoned = lent_.release();
}

py::object Answers::Take() {
  Response response;
  {
    const NoGil no_gil;
    std::unique_lock<std::mutex> lock(call_->mutex);
    call_->changed.wait(lock, [this] { return !call_->responses.empty() || call_->is_done(); });
    if (!call_->responses.empty()) {
      response = std::move(call_->responses.front());
      call_->responses.pop_front();
    }
  }
  if (response) return AnswerOf(std::move(response));
  if (!call_->refusal) return py::none();
  const Error refusal = *std::exchange(call_->refusal, std::nullopt);
  return py::make_tuple(py::list(), py::make_tuple(static_cast<int>(refusal.code()), refusal.what()),
                        py::dict());
}

void Answers::Cancel() {
  const std::lock_guard<std::mutex> lock(call_->mutex);
  if (call_->request == nullptr || call_->is_final) return;
  detail::LogFailure(TRITONSERVER_InferenceRequestCancel(call_->request), "cancelling a request");
}

}  // namespace workbench::python_backend
