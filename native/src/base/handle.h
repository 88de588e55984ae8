// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The only casts between the core's objects and the C interface's opaque handles.
#pragma once

namespace workbench {

// Specialised beside each wrapped class: HandleOf<InferenceRequest>::Type and so on are not needed, since a
// handle is the object's own address; the pair is named where the cast is made.
template <typename Object, typename Handle>
Object* FromHandle(Handle* handle) {
  return reinterpret_cast<Object*>(handle);
}

template <typename Handle, typename Object>
Handle* ToHandle(Object* object) {
  return reinterpret_cast<Handle*>(object);
}

template <typename Function>
Function* FunctionAt(void* address) {
  return reinterpret_cast<Function*>(address);
}

}  // namespace workbench
