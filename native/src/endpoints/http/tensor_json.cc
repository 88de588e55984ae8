// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/tensor_json.h"

#include <cstring>
#include <limits>
#include <type_traits>

namespace workbench {
namespace {

constexpr int kMaxDepth = 100;

Status HasNoJson(TRITONSERVER_DataType type, const std::string& tensor) {
  return InvalidArgumentError("tensor '" + tensor + "' is of type " + TRITONSERVER_DataTypeString(type) +
                              ", which has no form in JSON; send and ask for it as binary data");
}

Status Misfit(const rapidjson::Value& value, TRITONSERVER_DataType type, const std::string& tensor) {
  static constexpr const char* kKinds[] = {"null",     "false",  "true",    "an object",
                                           "an array", "a text", "a number"};
  return InternalError("'data' of tensor '" + tensor + "' has " + kKinds[value.GetType()] +
                       " that is no value of type " + TRITONSERVER_DataTypeString(type));
}

template <typename T>
void Append(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
bool ReadInteger(const rapidjson::Value& value, std::string* bytes) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_unsigned_v<T>) {
    if (!value.IsUint64() || value.GetUint64() > Limits::max()) return false;
    Append(static_cast<T>(value.GetUint64()), bytes);
  } else {
    if (!value.IsInt64() || value.GetInt64() > Limits::max() || value.GetInt64() < Limits::min())
      return false;
    Append(static_cast<T>(value.GetInt64()), bytes);
  }
  return true;
}

bool ReadTruth(const rapidjson::Value& value, std::string* bytes) {
  if (!value.IsBool()) return false;
  Append(static_cast<uint8_t>(value.GetBool() ? 1 : 0), bytes);
  return true;
}

template <typename T>
bool ReadFloat(const rapidjson::Value& value, std::string* bytes) {
  if (!value.IsNumber()) return false;
  Append(static_cast<T>(value.GetDouble()), bytes);
  return true;
}

bool ReadText(const rapidjson::Value& value, std::string* bytes) {
  if (!value.IsString()) return false;
  Append(static_cast<uint32_t>(value.GetStringLength()), bytes);
  bytes->append(value.GetString(), value.GetStringLength());
  return true;
}

using ReadElement = bool (*)(const rapidjson::Value&, std::string*);

ReadElement ReaderOf(TRITONSERVER_DataType type) {
  switch (type) {
    case TRITONSERVER_TYPE_BOOL:
      return &ReadTruth;
    case TRITONSERVER_TYPE_UINT8:
      return &ReadInteger<uint8_t>;
    case TRITONSERVER_TYPE_UINT16:
      return &ReadInteger<uint16_t>;
    case TRITONSERVER_TYPE_UINT32:
      return &ReadInteger<uint32_t>;
    case TRITONSERVER_TYPE_UINT64:
      return &ReadInteger<uint64_t>;
    case TRITONSERVER_TYPE_INT8:
      return &ReadInteger<int8_t>;
    case TRITONSERVER_TYPE_INT16:
      return &ReadInteger<int16_t>;
    case TRITONSERVER_TYPE_INT32:
      return &ReadInteger<int32_t>;
    case TRITONSERVER_TYPE_INT64:
      return &ReadInteger<int64_t>;
    case TRITONSERVER_TYPE_FP32:
      return &ReadFloat<float>;
    case TRITONSERVER_TYPE_FP64:
      return &ReadFloat<double>;
    case TRITONSERVER_TYPE_BYTES:
      return &ReadText;
    default:
      return nullptr;
  }
}

struct Reading {
  ReadElement read;
  TRITONSERVER_DataType type;
  const std::string& tensor;
  std::string bytes;
  size_t count = 0;
};

Status Read(const rapidjson::Value& value, int depth, Reading* reading) {
  if (value.IsArray()) {
    if (depth == kMaxDepth) {
      return InvalidArgumentError("'data' of tensor '" + reading->tensor + "' is nested deeper than " +
                                  std::to_string(kMaxDepth) + " arrays");
    }
    for (const rapidjson::Value& element : value.GetArray())
      RETURN_IF_ERROR(Read(element, depth + 1, reading));
    return OkStatus();
  }
  if (!reading->read(value, &reading->bytes)) return Misfit(value, reading->type, reading->tensor);
  ++reading->count;
  return OkStatus();
}

template <typename T>
void WriteNumbers(const void* base, size_t byte_size, JsonWriter* writer) {
  for (size_t i = 0; i < byte_size / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, static_cast<const char*>(base) + i * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      writer->Double(value);
    } else if constexpr (std::is_unsigned_v<T>) {
      writer->Uint64(value);
    } else {
      writer->Int64(value);
    }
  }
}

void WriteTruths(const void* base, size_t byte_size, JsonWriter* writer) {
  const auto* const bytes = static_cast<const uint8_t*>(base);
  for (size_t i = 0; i < byte_size; ++i) writer->Bool(bytes[i] != 0);
}

Status WriteTexts(const void* base, size_t byte_size, const std::string& tensor, JsonWriter* writer) {
  const auto* next = static_cast<const char*>(base);
  const char* const end = next + byte_size;
  while (next != end) {
    uint32_t length = 0;
    if (end - next >= static_cast<ptrdiff_t>(sizeof length)) std::memcpy(&length, next, sizeof length);
    if (static_cast<size_t>(end - next) < sizeof length + length) {
      return InternalError("the backend's bytes for output '" + tensor + "' end within a text");
    }
    writer->String(next + sizeof length, length);
    next += sizeof length + length;
  }
  return OkStatus();
}

}  // namespace

Result<size_t> ElementCountOf(const std::vector<int64_t>& shape, const std::string& tensor) {
  size_t count = 1;
  for (const int64_t dim : shape) {
    if (dim < 0) {
      return InternalError("'shape' of tensor '" + tensor + "' has the dimension " + std::to_string(dim) +
                           "; none may be negative");
    }
    if (__builtin_mul_overflow(count, static_cast<size_t>(dim), &count) || count > SIZE_MAX / 8) {
      return InvalidArgumentError("'shape' of tensor '" + tensor + "' has more elements than can be counted");
    }
  }
  return count;
}

Result<std::string> ReadTensor(const rapidjson::Value& data, TRITONSERVER_DataType type, size_t element_count,
                               const std::string& tensor) {
  const ReadElement read = ReaderOf(type);
  if (read == nullptr) return HasNoJson(type, tensor);
  if (!data.IsArray()) return InternalError("'data' of tensor '" + tensor + "' must be an array");
  Reading reading{read, type, tensor, {}};
  RETURN_IF_ERROR(Read(data, 0, &reading));
  if (reading.count != element_count) {
    // The original finds those only when it looks at the model.
    const bool is_late = element_count == 0;
    return Status(is_late ? StatusCode::kInvalidArgument : StatusCode::kInternal,
                  "'data' of tensor '" + tensor + "' has " + std::to_string(reading.count) +
                      " elements, its shape " + std::to_string(element_count));
  }
  return std::move(reading.bytes);
}

Status WriteTensor(const void* base, size_t byte_size, TRITONSERVER_DataType type, const std::string& tensor,
                   JsonWriter* writer) {
  if (ReaderOf(type) == nullptr) return HasNoJson(type, tensor);
  Status status;
  writer->StartArray();
  switch (type) {
    case TRITONSERVER_TYPE_BOOL:
      WriteTruths(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_UINT8:
      WriteNumbers<uint8_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_UINT16:
      WriteNumbers<uint16_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_UINT32:
      WriteNumbers<uint32_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_UINT64:
      WriteNumbers<uint64_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_INT8:
      WriteNumbers<int8_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_INT16:
      WriteNumbers<int16_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_INT32:
      WriteNumbers<int32_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_INT64:
      WriteNumbers<int64_t>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_FP32:
      WriteNumbers<float>(base, byte_size, writer);
      break;
    case TRITONSERVER_TYPE_FP64:
      WriteNumbers<double>(base, byte_size, writer);
      break;
    default:
      status = WriteTexts(base, byte_size, tensor, writer);
  }
  writer->EndArray();
  return status;
}

}  // namespace workbench
