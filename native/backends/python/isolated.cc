// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Models that run in a process of their own. Batches go through shared memory, and a socket wakes the other
// side; no lock of this process's interpreter is needed on their way. A process that ends is started anew.
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "executor.h"
#include "interpreter.h"
#include "services.h"
#include "wire.h"

namespace workbench::python_backend {
namespace {

constexpr size_t kFirstByteSize = 64 << 10;

// One direction's news: how many bytes of shared memory hold the message.
struct Bell {
  uint64_t byte_size = 0;
};

class IsolatedHost;

class IsolatedExecutor : public Executor {
 public:
  IsolatedExecutor(IsolatedHost& host, const Instance& instance);
  ~IsolatedExecutor() override;
  void Execute(Batch& batch) override;

 private:
  void Start();
  bool has_ended() const;
  std::optional<Bell> Ask(Batch& batch);
  bool Send(uint64_t byte_size);
  std::optional<Bell> Await();
  [[noreturn]] void ThrowEnded();

  IsolatedHost& host_;
  const Instance& instance_;
  const std::string stage_;
  py::object child_;
  int socket_ = -1, process_ = -1;
  SharedMemory inbox_, outbox_;
  bool is_new_inbox_ = false;
  bool is_running_ = false;
  DeviceReader reader_;
};

class IsolatedHost : public Host {
 public:
  IsolatedHost(const Model& model, const std::string& path) : model_(model) {
    InPython("model.py", [&] {
      RegisterServices();
      services_ = std::make_shared<Services>(model);
      children_ = py::module_::import("workbench.python_backend.isolation").attr("Children")(path, services_);
    });
  }
  ~IsolatedHost() override {
    if (Py_IsInitialized() == 0) {
      static_cast<void>(children_.release());
      static_cast<void>(new std::shared_ptr<Services>(std::move(services_)));
      return;
    }
    const Gil gil;
    services_->Close();
    try {
      children_.attr("close")();
    } catch (py::error_already_set& raised) {
      Log(TRITONSERVER_LOG_ERROR, ErrorOf(raised, "closing model '" + model_.name() + "'").what());
    }
    children_ = py::object();
    services_.reset();
  }
  std::string Complete(const std::string& config) override {
    return InPython("auto_complete_config",
                    [&] { return children_.attr("complete")(config).cast<std::string>(); });
  }
  std::unique_ptr<Executor> NewInstance(const Instance& instance) override {
    services_->Declare(model_);
    return std::make_unique<IsolatedExecutor>(*this, instance);
  }
  const Model& model() const { return model_; }
  const py::object& children() const { return children_; }
  Services& services() const { return *services_; }

 private:
  const Model& model_;
  std::shared_ptr<Services> services_;
  py::object children_;
};

IsolatedExecutor::IsolatedExecutor(IsolatedHost& host, const Instance& instance)
    : host_(host), instance_(instance), stage_("model '" + host.model().name() + "': execute") {
  InPython("initialize", [&] {
    Start();
    host_.services().Join(instance);
  });
}

// REQUIRES: the interpreter's lock. A process that initialized the model and waits for batches.
void IsolatedExecutor::Start() {
  if (child_) child_.attr("close")();
  is_running_ = false;
  child_ = host_.children().attr("start")(ArgumentsOf(instance_));
  socket_ = child_.attr("socket_descriptor").cast<int>();
  process_ = child_.attr("process_descriptor").cast<int>();
  outbox_.Adopt(child_.attr("take_outbox")().cast<int>());
  inbox_.Create(kFirstByteSize);
  is_new_inbox_ = true;
  is_running_ = true;
}

IsolatedExecutor::~IsolatedExecutor() {
  if (Py_IsInitialized() == 0) {
    static_cast<void>(child_.release());
    return;
  }
  const Gil gil;
  host_.services().Leave(instance_);
  try {
    if (child_) child_.attr("close")();
  } catch (py::error_already_set& raised) {
    Log(TRITONSERVER_LOG_ERROR, ErrorOf(raised, "model '" + host_.model().name() + "': finalize").what());
  }
  child_ = py::object();
}

bool IsolatedExecutor::has_ended() const {
  pollfd process = {process_, POLLIN, 0};
  return !is_running_ || (process_ >= 0 && poll(&process, 1, 0) > 0);
}

void IsolatedExecutor::Execute(Batch& batch) {
  std::optional<Bell> bell = Ask(batch);
  // It ended before it read the batch, which another one may execute then.
  if (!bell) bell = Ask(batch);
  if (!bell) ThrowEnded();
  batch.MarkComputeEnd();
  outbox_.Require(bell->byte_size, false);
  const bool keeps_inputs =
      ReadAnswers(batch, {outbox_.data(), bell->byte_size}, *host_.services().declared(), stage_);
  const uint64_t from_gpus = reader_.TakeByteSize();
  ReportCopy(instance_.handle(), CopyReason::kDeviceToHost, from_gpus);
  ReportCopy(instance_.handle(), CopyReason::kGathered, InputByteSize(batch) - from_gpus);
  if (!keeps_inputs) return;
  // The model goes on reading this memory: the next batch gets another.
  inbox_.Create(kFirstByteSize);
  is_new_inbox_ = true;
}

std::optional<Bell> IsolatedExecutor::Ask(Batch& batch) {
  if (has_ended()) {
    InPython("model '" + host_.model().name() + "': starting its process anew", [&] { Start(); });
  }
  static_cast<void>(reader_.TakeByteSize());  // of one that was not read
  const size_t byte_size = WriteBatch(batch, &inbox_, &reader_);
  batch.MarkComputeStart();
  std::optional<Bell> bell;
  if (Send(byte_size)) bell = Await();
  is_running_ = bell.has_value();
  return bell;
}

// False: nobody is there to read it.
bool IsolatedExecutor::Send(uint64_t byte_size) {
  const uint64_t words[2] = {byte_size, inbox_.byte_size()};
  iovec part = {const_cast<uint64_t*>(words), sizeof(words)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (is_new_inbox_) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int descriptor = inbox_.descriptor();
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(descriptor));
  }
  is_new_inbox_ = false;
  return sendmsg(socket_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof(words));
}

// None: the process ended and left the batch unread.
std::optional<Bell> IsolatedExecutor::Await() {
  Bell bell;
  for (;;) {
    pollfd events[2] = {{socket_, POLLIN, 0}, {process_, POLLIN, 0}};
    if (poll(events, process_ < 0 ? 1 : 2, -1) < 0) {
      if (errno == EINTR) continue;
      ThrowEnded();
    }
    // An answer that was sent before the end is an answer.
    if (events[0].revents == 0) ThrowEnded();
    const ssize_t received = recv(socket_, &bell, sizeof(bell), MSG_WAITALL);
    if (received == static_cast<ssize_t>(sizeof(bell))) return bell;
    if (received < 0 && errno == ECONNRESET) return std::nullopt;
    if (received >= 0 || errno != EINTR) ThrowEnded();
  }
}

void IsolatedExecutor::ThrowEnded() {
  is_running_ = false;
  const std::string how = InPython(stage_, [&] { return child_.attr("how_it_ended")().cast<std::string>(); });
  throw Internal(stage_ + ": the model's process " + how +
                 " while it executed; it is started anew for the next request");
}

}  // namespace

std::unique_ptr<Host> NewIsolatedHost(const Model& model, const std::string& path) {
  return std::make_unique<IsolatedHost>(model, path);
}

}  // namespace workbench::python_backend
