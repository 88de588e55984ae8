// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>

namespace workbench::preflight {
namespace {

constexpr int kMaxFrames = 64;
constexpr int kFailed = 70;  // the process's status; the report says the rest
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, SIGALRM};

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

void ReportFrames(std::uintptr_t faulting) {
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  for (int i = 0; i < count; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(frames[i]);
    Dl_info where;
    if (dladdr(frames[i], &where) == 0 || where.dli_fname == nullptr) continue;
    // A return address points behind its call, perhaps into the next line; a faulting one is exact.
    const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(where.dli_fbase);
    the_report->Frame(address == faulting ? offset : offset - 1, where.dli_fname);
  }
}

void OnSignal(int number, siginfo_t*, void* context) {
  if (number == SIGALRM) {
    the_report->Timeout();
  } else {
    the_report->Signal(number);
  }
  ReportFrames(FaultingAddress(context));
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
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (int number : kSignals) sigaction(number, &action, nullptr);
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

void StopReporting() {
  alarm(0);
  the_report = nullptr;
}

}  // namespace workbench::preflight
