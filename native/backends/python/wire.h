// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How requests go to a child process, and how its answers come back; the other half is wire.py. Everything is
// little-endian and begins at a multiple of 8 bytes; a text is a 4-byte length and its bytes.
//
//   batch     u64 requests, then each: u64 handle, u64 byte size of the facts, u64 inputs, the facts, the
//   inputs facts     u64 flags, priority, timeout, correlation id; texts request id, correlation id; u64
//   outputs, texts;
//             u64 parameters, each: text name, u64 type, value (u64, or text)
//   tensor    u64 type, dimensions, byte size; the dimensions; text name; the bytes
//   answers   u64 kind for the batch: 0 answers follow, 1 an error (u64 code, text); u64 whether the inputs
//   are kept
//             then each: u64 kind: 0 outputs (u64 count, tensors, text of JSON parameters), 1 error (u64
//             code, text), 2 a response sender answers, 3 the request is executed again
#pragma once

#include <string>
#include <string_view>

#include "device_reader.h"
#include "outputs.h"
#include "shared_memory.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

// Writes a batch; returns its bytes. Throws an Error where an input cannot be read.
size_t WriteBatch(Batch& batch, SharedMemory* memory, DeviceReader* reader);
// Bytes of the inputs of a batch.
uint64_t InputByteSize(Batch& batch);

// Answers the batch; returns whether the child keeps inputs. Throws what fails the whole batch.
bool ReadAnswers(Batch& batch, std::string_view answers, const DeclaredOutputs& declared,
                 const std::string& stage);

}  // namespace workbench::python_backend
