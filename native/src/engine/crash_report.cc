// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/crash_report.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "model/model.h"

namespace workbench {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kMaxFrames = 48;
constexpr size_t kMaxRequests = 16;

// A handler has no other way to be told. Written before the handlers are set.
char report_path[4096];
struct sigaction previous[NSIG];

// Within a handler: no allocation, no stream.
__attribute__((format(printf, 2, 3))) void WriteLine(int file, const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  const size_t count = length < 0 ? 0 : std::min(static_cast<size_t>(length), sizeof line - 1);
  if (write(file, line, count) < 0) return;  // nobody is left to tell
}

const void* FaultingAddress(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(registers.pc);
#endif
}

void WriteFrames(int file, const void* faulting) {
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  for (int i = 0; i < count; ++i) {
    Dl_info where;
    if (dladdr(frames[i], &where) == 0 || where.dli_fname == nullptr) continue;
    // A return address points behind its call, perhaps into the next line; a faulting one is exact.
    const int behind = frames[i] == faulting ? 0 : 1;
    const auto offset =
        static_cast<const char*>(frames[i]) - static_cast<const char*>(where.dli_fbase) - behind;
    WriteLine(file, "frame 0x%" PRIxPTR " %s\n", static_cast<uintptr_t>(offset), where.dli_fname);
  }
}

void WriteReport(int signal_number, const void* context, const ModelInstance& instance) {
  const int file = open(report_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  const Model& model = *instance.model();
  WriteLine(file, "signal %d\n", signal_number);
  WriteLine(file, "backend %s\n", model.backend()->name().c_str());
  WriteLine(file, "library %s\n", model.backend()->library().path().c_str());
  WriteLine(file, "model %s\n", model.signature().name.c_str());
  WriteLine(file, "version %" PRId64 "\n", model.signature().version);
  WriteLine(file, "instance %s\n", instance.options().name.c_str());
  WriteLine(file, "requests %zu\n", instance.batch().requests.size());
  size_t told = 0;
  for (const InferenceRequest* request : instance.batch().requests) {
    if (told++ == kMaxRequests) break;
    WriteLine(file, "request %s\n", request->id().c_str());
  }
  WriteFrames(file, FaultingAddress(context));
  close(file);
}

void OnCrash(int signal_number, siginfo_t*, void* context) {
  // Once: a crash of the report itself goes to whoever came before.
  sigaction(signal_number, &previous[signal_number], nullptr);
  if (const ModelInstance* const instance = ModelInstance::Current())
    WriteReport(signal_number, context, *instance);
  // Returning runs the faulting instruction again, now with the handler from before; an abort must be raised
  // anew.
  if (signal_number == SIGABRT) raise(SIGABRT);
}

Status Handle(int signal_number) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = &OnCrash;
  if (sigaction(signal_number, &action, &previous[signal_number]) == 0) return OkStatus();
  return InternalError(std::string("cannot watch for crashes: ") + std::strerror(errno));
}

}  // namespace

Status InstallCrashReport(const std::string& path) {
  if (path.size() >= sizeof report_path)
    return InvalidArgumentError("the path of a crash report is too long");
  const bool is_first = report_path[0] == '\0';
  std::strcpy(report_path, path.c_str());
  if (!is_first) return OkStatus();
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads its library now: a handler must not
  for (int signal_number : kSignals) RETURN_IF_ERROR(Handle(signal_number));
  return OkStatus();
}

}  // namespace workbench
