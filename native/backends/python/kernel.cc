// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Models that run in this process. The interpreter's lock is held once per execution: around the model's
// code, the making of its requests and the reading of its answers. Answers are sent and requests released
// without it.
#include <algorithm>
#include <utility>
#include <vector>

#include "executor.h"
#include "interpreter.h"
#include "parameters.h"
#include "requests.h"
#include "sender.h"
#include "services.h"

namespace workbench::python_backend {
namespace {

constexpr int kTrials = 16;
constexpr int64_t kReschedule = TRITONSERVER_REQUEST_RELEASE_RESCHEDULE;

class KernelHost;

// One request of an execution and its object.
struct Served {
  Request* request;
  RequestObject made;
};

class KernelExecutor : public Executor {
 public:
  KernelExecutor(KernelHost& host, const Instance& instance);
  ~KernelExecutor() override;
  void Execute(Batch& batch) override;
  void Released() override;

 private:
  void MakeRequests(Batch& batch);
  py::object Run(Batch& batch);
  py::object Await(py::object result);
  void Answer(const py::object& result);
  void AnswerOne(const Served& served, PyObject* response);
  void WithoutResponse(const Served& served) const;
  void Fill(Request* request, PyObject* response);
  void FailAll(const Error& error);
  void FailSender(const Served& served, const Error& error) const;
  void LeaveToSenders();
  void Drop();
  void ReadOptions(const Model& model);
  bool KeepWhatIsUsed(Served& served);
  void EndTrial(bool is_kept);

  KernelHost& host_;
  const Instance& instance_;
  const std::string stage_;
  const bool is_decoupled_;
  RequestOptions options_;
  DeviceReader reader_;
  int trials_left_ = 0;
  uint64_t copied_inputs_ = 0, copied_outputs_ = 0;  // bytes of the execution under way
  py::object model_, execute_;
  ThreadState thread_;
  py::object requests_;
  std::vector<Served> served_;
  std::vector<std::pair<Lease*, TRITONBACKEND_Request*>> kept_;
};

class KernelHost : public Host {
 public:
  KernelHost(const Model& model, const std::string& path) : model_(model) {
    InPython("model.py", [&] {
      RegisterServices();
      services_ = std::make_shared<Services>(model);
      hosted_ = Api::Get().hosted_model(path, services_);
    });
  }
  ~KernelHost() override {
    if (Py_IsInitialized() == 0) {
      Abandon();
      return;
    }
    const Gil gil;
    services_->Close();
    try {
      hosted_.attr("close")();
    } catch (py::error_already_set& raised) {
      Log(TRITONSERVER_LOG_ERROR, ErrorOf(raised, "closing model '" + model_.name() + "'").what());
    }
    hosted_ = py::object();
    services_.reset();
  }
  std::string Complete(const std::string& config) override {
    return InPython("auto_complete_config",
                    [&] { return hosted_.attr("complete")(config).cast<std::string>(); });
  }
  std::unique_ptr<Executor> NewInstance(const Instance& instance) override {
    services_->Declare(model_);
    return std::make_unique<KernelExecutor>(*this, instance);
  }

  const Model& model() const { return model_; }
  const py::object& hosted() const { return hosted_; }
  const std::shared_ptr<Services>& services() const { return services_; }

 private:
  // The interpreter has ended before: what it held went with it.
  void Abandon() {
    static_cast<void>(hosted_.release());
    static_cast<void>(new std::shared_ptr<Services>(std::move(services_)));
  }

  const Model& model_;
  std::shared_ptr<Services> services_;
  py::object hosted_;
};

// Whether somebody else holds the list, one of its tensors, or the array of one.
bool IsKept(PyObject* inputs) {
  if (Py_REFCNT(inputs) > 1) return true;
  for (Py_ssize_t index = 0; index < PyList_GET_SIZE(inputs); ++index) {
    PyObject* const tensor = PyList_GET_ITEM(inputs, index);
    if (Py_REFCNT(tensor) > 1 || Py_REFCNT(Api::Get().tensor_slots.array.Get(tensor)) > 1) return true;
  }
  return false;
}

KernelExecutor::KernelExecutor(KernelHost& host, const Instance& instance)
    : host_(host),
      instance_(instance),
      stage_("model '" + host.model().name() + "': execute"),
      is_decoupled_(host.model().config()["model_transaction_policy"]["decoupled"].boolean()) {
  InPython("initialize", [&] {
    options_.services = py::cast(host.services());
    options_.model_name = py::str(host.model().name());
    ReadOptions(host.model());
    model_ = host.hosted().attr("new_instance")(ArgumentsOf(instance));
    execute_ = model_.attr("execute");
    host_.services()->Join(instance);
  });
}

// Views of a request's memory hold up its caller while the model keeps them. So a model's first executions
// are given copies, and views follow where it kept none of them.
void KernelExecutor::ReadOptions(const Model& model) {
  const std::string zero_copy = model.parameter("zero_copy", "auto");
  if (zero_copy != "auto" && zero_copy != "always" && zero_copy != "never") {
    throw InvalidArgument("parameter zero_copy is '" + zero_copy +
                          "'; there are \"auto\", \"always\" and \"never\"");
  }
  options_.is_writable = zero_copy == "never";
  options_.has_views = zero_copy == "always" || is_decoupled_;
  trials_left_ = options_.is_writable || options_.has_views ? 0 : kTrials;
}

KernelExecutor::~KernelExecutor() {
  if (Py_IsInitialized() == 0) {
    for (py::object* object : {&options_.services, &options_.model_name, &model_, &execute_})
      object->release();
    static_cast<void>(requests_.release());
    return;
  }
  const Gil gil;
  host_.services()->Leave(instance_);
  try {
    host_.hosted().attr("finalize")(model_);
  } catch (py::error_already_set& raised) {
    const Error error = ErrorOf(raised, "model '" + host_.model().name() + "': finalize");
    Log(TRITONSERVER_LOG_ERROR, error.what());
  }
  options_ = {};
  model_ = execute_ = py::object();
  requests_ = py::object();
  thread_.Drop();
}

void KernelExecutor::Execute(Batch& batch) {
  const bool is_new_thread = !thread_.is_kept();
  if (is_new_thread) thread_.Keep();
  const Gil gil;
  try {
    if (is_new_thread) Api::Get().enter(options_.services);
    MakeRequests(batch);
    if (!served_.empty()) Answer(Run(batch));
  } catch (py::error_already_set& raised) {
    FailAll(ErrorOf(raised, stage_));
  } catch (const Error& error) {
    FailAll(error);
  }
  LeaveToSenders();
  Drop();
  ReportCopy(instance_.handle(), CopyReason::kDeviceToHost, reader_.TakeByteSize());
  ReportCopy(instance_.handle(), CopyReason::kGathered, copied_inputs_);
  ReportCopy(instance_.handle(), CopyReason::kScattered, copied_outputs_);
}

// A request that cannot be read is answered alone; the model is given the others.
void KernelExecutor::MakeRequests(Batch& batch) {
  served_.clear();
  copied_inputs_ = copied_outputs_ = 0;
  py::list requests;
  batch.ForEach([&](Request& request) {
    served_.push_back({&request, NewRequest(request, options_, &reader_)});
    copied_inputs_ += served_.back().made.copied_byte_size;
    requests.append(served_.back().made.object);
  });
  requests_ = std::move(requests);
}

py::object KernelExecutor::Run(Batch& batch) {
  batch.MarkComputeStart();
  auto result = py::reinterpret_steal<py::object>(PyObject_CallOneArg(execute_.ptr(), requests_.ptr()));
  if (!result) throw py::error_already_set();
  if (PyCoro_CheckExact(result.ptr())) result = Await(std::move(result));
  batch.MarkComputeEnd();
  return result;
}

py::object KernelExecutor::Await(py::object result) {
  if (!is_decoupled_) return Api::Get().await_answer(result);
  return Api::Get().run_behind(result, requests_, stage_);
}

void KernelExecutor::Answer(const py::object& result) {
  if (is_decoupled_) {
    if (result.is_none()) return;
    throw Internal(stage_ + " returned " + Py_TYPE(result.ptr())->tp_name +
                   ": the model is decoupled, answers by response senders and returns None");
  }
  const auto responses = py::reinterpret_steal<py::object>(
      PySequence_Check(result.ptr()) ? PySequence_Fast(result.ptr(), "") : nullptr);
  if (!responses) {
    PyErr_Clear();
    throw Internal(stage_ + " returned " + Py_TYPE(result.ptr())->tp_name +
                   ": a list is needed, with an InferenceResponse for each request");
  }
  const auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(responses.ptr()));
  if (count != served_.size()) {
    throw Internal(stage_ + " returned " + std::to_string(count) + " responses for " +
                   std::to_string(served_.size()) + " requests: one for each is needed, in their order");
  }
  for (size_t index = 0; index < count; ++index) {
    AnswerOne(served_[index], PySequence_Fast_GET_ITEM(responses.ptr(), static_cast<Py_ssize_t>(index)));
  }
}

void KernelExecutor::AnswerOne(const Served& served, PyObject* response) {
  try {
    if (response == Py_None) return WithoutResponse(served);
    if (!PyObject_TypeCheck(response, Api::Get().response)) {
      throw Internal(stage_ + " returned " + Py_TYPE(response)->tp_name +
                     " among its responses: an InferenceResponse "
                     "is needed for each request");
    }
    Fill(served.request, response);
  } catch (py::error_already_set& raised) {
    served.request->Fail(ErrorOf(raised, stage_));
  } catch (const Error& error) {
    served.request->Fail(Error(error.code(), stage_ + ": " + error.what()));
  }
}

void KernelExecutor::WithoutResponse(const Served& served) const {
  PyObject* const object = served.made.object.ptr();
  const auto& slots = Api::Get().request_slots;
  if (slots.sender.Get(object) != Py_None) return;
  if (PyLong_AsLongLong(slots.release_flags.Get(object)) == kReschedule) return served.request->Reschedule();
  throw Internal("None was returned for a request that has no response sender and is not rescheduled");
}

void KernelExecutor::Fill(Request* request, PyObject* response) {
  const Api& api = Api::Get();
  PyObject* const error = api.response_slots.error.Get(response);
  if (error != nullptr && error != Py_None) {
    if (!PyObject_TypeCheck(error, api.error)) {
      throw Internal(std::string("the error of a response is a TritonError, and ") + Py_TYPE(error)->tp_name +
                     " was given");
    }
    const auto code = py::handle(api.error_slots.code.Get(error)).cast<int>();
    return request->Fail(static_cast<TRITONSERVER_Error_Code>(code),
                         py::handle(api.error_slots.message.Get(error)).cast<std::string>());
  }
  request->AnswerEmpty();
  WriteOutputs(api.response_slots.outputs.Get(response), *host_.services()->declared(),
               [this, request](const char* name, TRITONSERVER_DataType type, Shape shape, size_t byte_size) {
                 copied_outputs_ += byte_size;
                 return request->output(name).Allocate(type, shape, byte_size);
               });
  PyObject* const parameters = api.response_slots.parameters.Get(response);
  if (parameters == nullptr || parameters == Py_None) return;
  ForEachParameter(py::reinterpret_borrow<py::object>(parameters),
                   [request](const char* name, const auto& value) { request->SetParameter(name, value); });
}

void KernelExecutor::FailAll(const Error& error) {
  for (const Served& served : served_) {
    FailSender(served, error);
    served.request->Fail(error);
  }
}

void KernelExecutor::FailSender(const Served& served, const Error& error) const {
  PyObject* const sender = Api::Get().request_slots.sender.Get(served.made.object.ptr());
  if (sender == Py_None) return;
  try {
    py::handle(Api::Get().sender_slots.native.Get(sender)).cast<Sender&>().Fail(error);
  } catch (const std::exception& failure) {
    Log(TRITONSERVER_LOG_ERROR, stage_ + ": " + failure.what());
  }
}

// Requests with a sender are answered by it, now or later; those of a decoupled model need one.
void KernelExecutor::LeaveToSenders() {
  for (const Served& served : served_) {
    if (Api::Get().request_slots.sender.Get(served.made.object.ptr()) != Py_None) {
      served.request->AnswerLater();
    } else if (is_decoupled_) {
      served.request->Fail(Internal(stage_ + " returned without taking the request's response sender"));
    }
  }
}

// The requests go; what the model keeps of them stays readable.
void KernelExecutor::Drop() {
  requests_ = py::object();
  bool is_kept = false;
  for (Served& served : served_) is_kept = KeepWhatIsUsed(served) || is_kept;
  served_.clear();
  if (trials_left_ > 0) EndTrial(is_kept);
}

void KernelExecutor::EndTrial(bool is_kept) {
  trials_left_ = is_kept ? 0 : trials_left_ - 1;
  options_.has_views = trials_left_ == 0 && !is_kept;
}

// Whether the model keeps something of it.
bool KernelExecutor::KeepWhatIsUsed(Served& served) {
  const Api& api = Api::Get();
  PyObject* const object = served.made.object.ptr();
  bool is_kept = Py_REFCNT(object) > 1;
  if (is_kept) {
    const auto done = py::reinterpret_steal<py::object>(PyObject_CallMethodNoArgs(object, api.detach.ptr()));
    if (!done) PyErr_WriteUnraisable(object);
  }
  if (trials_left_ > 0 && !is_kept) is_kept = IsKept(api.request_slots.inputs.Get(object));
  served.made.object = py::object();
  if (served.made.lease == nullptr || Lease::EndIfUnused(served.made.lease)) return is_kept;
  served.request->KeepInputs();
  kept_.emplace_back(served.made.lease, served.request->handle());
  if (is_decoupled_ || !options_.has_views) return true;
  options_.has_views = false;
  Log(TRITONSERVER_LOG_WARN,
      stage_ +
          " keeps inputs after it returned: their caller waits until they go. From now on "
          "inputs are copied; parameter zero_copy: \"never\" does so from the start");
  return true;
}

void KernelExecutor::Released() {
  for (const auto& [lease, request] : kept_) lease->HandOver(request);
  kept_.clear();
}

}  // namespace

std::unique_ptr<Host> NewKernelHost(const Model& model, const std::string& path) {
  return std::make_unique<KernelHost>(model, path);
}

}  // namespace workbench::python_backend
