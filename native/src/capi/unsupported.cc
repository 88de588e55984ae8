// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The functions of the C interface that are exported, so that every library which names them
// loads, and that answer UNSUPPORTED with their own name. To implement one, define it elsewhere
// and delete its line here: the linker refuses two definitions.
// The interface headers stay out: a definition without parameters would contradict them. In the
// C calling convention the callee may ignore what it is given.

namespace {
constexpr int kUnsupported = 5;  // TRITONSERVER_ERROR_UNSUPPORTED
}  // namespace

extern "C" void* TRITONSERVER_ErrorNew(int code, const char* message);

#define WB_EXPORTED extern "C" __attribute__((visibility("default")))

// Returns an error, as nearly all functions do.
#define WB_UNSUPPORTED(NAME)                                                              \
  WB_EXPORTED void* NAME() {                                                              \
    return TRITONSERVER_ErrorNew(kUnsupported, #NAME " is not supported by this server"); \
  }

// Returns a static string, which cannot be null: callers print it.
#define WB_UNSUPPORTED_TEXT(NAME) \
  WB_EXPORTED const char* NAME() { return "<unsupported>"; }

// Returns a null pointer, or the value that means "invalid".
#define WB_UNSUPPORTED_ZERO(NAME) \
  WB_EXPORTED void* NAME() { return nullptr; }
