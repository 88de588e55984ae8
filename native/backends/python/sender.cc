// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sender.h"

#include <algorithm>
#include <cstring>

#include "interpreter.h"
#include "parameters.h"

namespace workbench::python_backend {
namespace {

constexpr uint32_t kFinal = TRITONSERVER_RESPONSE_COMPLETE_FINAL;

struct SetParameter {
  TRITONBACKEND_Response* response;
  void operator()(const char* name, const std::string& value) const {
    Check(TRITONBACKEND_ResponseSetStringParameter(response, name, value.c_str()));
  }
  void operator()(const char* name, int64_t value) const {
    Check(TRITONBACKEND_ResponseSetIntParameter(response, name, value));
  }
  void operator()(const char* name, bool value) const {
    Check(TRITONBACKEND_ResponseSetBoolParameter(response, name, value));
  }
  void operator()(const char* name, double value) const {
    Check(TRITONBACKEND_ResponseSetDoubleParameter(response, name, value));
  }
};

void* AllocateIn(TRITONBACKEND_Response* response, const char* name, TRITONSERVER_DataType type, Shape shape,
                 size_t byte_size) {
  TRITONBACKEND_Output* output = nullptr;
  Check(TRITONBACKEND_ResponseOutput(response, &output, name, type, shape.data(),
                                     static_cast<uint32_t>(shape.size())));
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  void* data = nullptr;
  Check(TRITONBACKEND_OutputBuffer(output, &data, byte_size, &memory_type, &memory_type_id));
  if (memory_type != TRITONSERVER_MEMORY_GPU) return data;
  throw Unsupported(std::string("output '") + name +
                    "' is wanted in GPU memory, and this backend writes the "
                    "processor's");
}

}  // namespace

Sender::Sender(TRITONBACKEND_Request* request, std::shared_ptr<const DeclaredOutputs> declared,
               TRITONBACKEND_ModelInstance* instance)
    : declared_(std::move(declared)) {
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestOutputCount(request, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    Check(TRITONBACKEND_RequestOutputName(request, index, &name));
    wanted_.emplace_back(name);
  }
  Check(TRITONBACKEND_ResponseFactoryNew(&factory_, request));
  if (instance != nullptr) report_ = std::make_unique<ResponseReport>(instance, factory_);
}

Sender::~Sender() {
  const NoGil no_gil;
  report_.reset();
  if (!is_finished_) {
    Log(TRITONSERVER_LOG_WARN,
        "a model dropped a response sender without the flag TRITONSERVER_RESPONSE_COMPLETE_FINAL; it is sent "
        "now");
    detail::LogFailure(TRITONBACKEND_ResponseFactorySendFlags(factory_, kFinal), "ending a request");
  }
  detail::LogFailure(TRITONBACKEND_ResponseFactoryDelete(factory_), "ending a request");
}

bool Sender::is_cancelled() const {
  bool is_cancelled = false;
  Check(TRITONBACKEND_ResponseFactoryIsCancelled(factory_, &is_cancelled));
  return is_cancelled;
}

void Sender::Send(const py::object& outputs, const py::object& error, const py::object& parameters,
                  uint32_t flags) {
  if (is_finished_) {
    throw InvalidArgument(
        "the request has ended: a response with TRITONSERVER_RESPONSE_COMPLETE_FINAL was sent");
  }
  if (outputs.is_none()) return SendFlags(flags);
  TRITONBACKEND_Response* response = nullptr;
  Check(TRITONBACKEND_ResponseNewFromFactory(&response, factory_));
  if (!error.is_none()) {
    const auto told = error.cast<std::pair<int, std::string>>();
    const Error sent(static_cast<TRITONSERVER_Error_Code>(told.first), told.second);
    return SendResponse(response, flags, &sent);
  }
  try {
    if (report_ && py::len(outputs) > 0) report_->BeginOutput();
    Fill(response, outputs, parameters);
  } catch (...) {
    if (report_) report_->Forget();
    detail::LogFailure(TRITONBACKEND_ResponseDelete(response), "deleting a response");
    throw;
  }
  SendResponse(response, flags, nullptr);
}

void Sender::Fill(TRITONBACKEND_Response* response, const py::object& outputs,
                  const py::object& parameters) const {
  WriteOutputs(outputs.ptr(), *declared_,
               [&](const char* name, TRITONSERVER_DataType type, Shape shape, size_t byte_size) {
                 return Wants(name) ? AllocateIn(response, name, type, shape, byte_size) : nullptr;
               });
  ForEachParameter(parameters, SetParameter{response});
}

bool Sender::Wants(const char* name) const {
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [name](const std::string& wanted) { return wanted == name; });
}

void Sender::SendResponse(TRITONBACKEND_Response* response, uint32_t flags, const Error* error) {
  is_finished_ = (flags & kFinal) != 0;
  const NoGil no_gil;  // who hears of the response may run any code
  TRITONSERVER_Error* const told =
      error == nullptr ? nullptr : TRITONSERVER_ErrorNew(error->code(), error->what());
  if (report_) report_->End(told);  // whoever has the response finds it counted
  TRITONSERVER_Error* const failure = TRITONBACKEND_ResponseSend(response, flags, told);
  if (told != nullptr) TRITONSERVER_ErrorDelete(told);
  Check(failure);
}

void Sender::SendFlags(uint32_t flags) {
  is_finished_ = (flags & kFinal) != 0;
  const NoGil no_gil;
  Check(TRITONBACKEND_ResponseFactorySendFlags(factory_, flags));
}

void Sender::Fail(const Error& error) {
  if (is_finished_) return;
  TRITONBACKEND_Response* response = nullptr;
  Check(TRITONBACKEND_ResponseNewFromFactory(&response, factory_));
  SendResponse(response, kFinal, &error);
}

}  // namespace workbench::python_backend
