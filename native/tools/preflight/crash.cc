// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "crash.h"

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace workbench::preflight {
namespace {

constexpr int kMaxFrames = 64;
constexpr int kFailed = 70;  // the process's status; the report says the rest
constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};

// Handlers have no other way to be told.
const Report* the_report = nullptr;
alignas(16) char handler_stack[64 * 1024];  // a handler needs its own: the usual one may be what overflowed

std::uintptr_t FaultingAddress(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(registers.pc);
#endif
}

void ReportFrame(void* frame, std::uintptr_t faulting) {
  Dl_info where;
  if (dladdr(frame, &where) == 0 || where.dli_fname == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(frame);
  // A return address points behind its call, perhaps into the next line; a faulting one is exact.
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(where.dli_fbase);
  the_report->Frame(address == faulting ? offset : offset - 1, where.dli_fname);
}

void ReportFrames(std::uintptr_t faulting) {
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  for (int i = 0; i < count; ++i) ReportFrame(frames[i], faulting);
}

// Where the last exception was thrown. The core answers what escapes a backend by an error, and so does
// backend.hpp: the stack is gone by then.
void* throw_frames[kMaxFrames];
int throw_frame_count = 0;

void OnSignal(int number, siginfo_t*, void* context) {
  the_report->Signal(number);
  ReportFrames(FaultingAddress(context));
  _exit(kFailed);
}

void OnOtherThread(int, siginfo_t*, void* context) { ReportFrames(FaultingAddress(context)); }

// The alarm finds some thread; the one that hangs may be another.
void AskOtherThreads() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  DIR* threads = opendir("/proc/self/task");
  if (threads == nullptr) return;
  while (const dirent* entry = readdir(threads)) {
    const auto thread = static_cast<pid_t>(std::atoi(entry->d_name));
    if (thread > 0 && thread != self) syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
  }
  const timespec time_to_answer{0, 200'000'000};
  nanosleep(&time_to_answer, nullptr);
}

void OnAlarm(int, siginfo_t*, void* context) {
  the_report->Timeout();
  ReportFrames(FaultingAddress(context));
  AskOtherThreads();
  _exit(kFailed);
}

void OnTerminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::exception& exception) {
    the_report->Exception(exception.what());
  } catch (...) {
    the_report->Exception("something that is no std::exception");
  }
  ReportFrames(0);
  _exit(kFailed);
}

void OnExit() {
  if (the_report == nullptr) return;
  the_report->Exit();
  ReportFrames(0);
  _exit(kFailed);
}

void HandleSignals() {
  const stack_t stack{handler_stack, 0, sizeof(handler_stack)};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  action.sa_sigaction = OnSignal;
  for (int number : kFatalSignals) sigaction(number, &action, nullptr);
  action.sa_sigaction = OnAlarm;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_sigaction = OnOtherThread;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGUSR2, &action, nullptr);
}

}  // namespace

void ReportCrashes(const Report& report, unsigned timeout_s) {
  the_report = &report;
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads its library now: a handler must not
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  HandleSignals();
  std::set_terminate(OnTerminate);
  std::atexit(OnExit);
  alarm(timeout_s);
}

void ReportLastThrow() {
  for (int i = 0; i < throw_frame_count; ++i) ReportFrame(throw_frames[i], 0);
}

void StopReporting() {
  alarm(0);
  the_report = nullptr;
}

}  // namespace workbench::preflight

// Stands before the C++ library's function of that name, for every object that takes it from there.
extern "C" __attribute__((visibility("default"), noreturn)) void __cxa_throw(  // NOLINT: its name
    void* exception, std::type_info* type, void (*destroy)(void*)) {
  using workbench::preflight::kMaxFrames;
  using workbench::preflight::throw_frame_count;
  using workbench::preflight::throw_frames;
  using Throw = void (*)(void*, std::type_info*, void (*)(void*));
  throw_frame_count = backtrace(throw_frames, kMaxFrames);
  reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"))(exception, type, destroy);
  __builtin_unreachable();
}
