// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors in JSON: arrays of numbers, truth values or texts, flat or nested as their shape.
// After the KServe v2 protocol
// (https://kserve.github.io/website/docs/concepts/architecture/data-plane/v2-protocol).
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "triton/core/tritonserver.h"

namespace workbench {

using JsonBuffer = rapidjson::StringBuffer;
// NaN and infinities are written bare, as they are read.
using JsonWriter = rapidjson::Writer<JsonBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
                                     rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>;

// How many elements; INVALID_ARGUMENT for a negative dimension, or more than can be counted.
Result<size_t> ElementCountOf(const std::vector<int64_t>& shape, const std::string& tensor);

// The elements as a backend reads them. `tensor` is its name, for messages.
Result<std::string> ReadTensor(const rapidjson::Value& data, TRITONSERVER_DataType type, size_t element_count,
                               const std::string& tensor);

// Writes a flat array. INVALID_ARGUMENT where the type has no form in JSON.
Status WriteTensor(const void* base, size_t byte_size, TRITONSERVER_DataType type, const std::string& tensor,
                   JsonWriter* writer);

}  // namespace workbench
