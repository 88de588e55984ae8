// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Typed elements of an input: InferTensorContents as the bytes of a tensor.
#include <cstring>

#include "endpoints/grpc/infer_message.h"
#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

// Where the elements of a type lie, and how: numbers on the wire, bytes in the tensor.
struct Place {
  uint32_t field;
  WireType wire;
  size_t byte_size;  // of an element; 0: of any length
};

constexpr Place kNowhere{0, WireType::kVarint, 0};

Place PlaceOf(TRITONSERVER_DataType type) {
  switch (type) {
    case TRITONSERVER_TYPE_BOOL:
      return {1, WireType::kVarint, 1};
    case TRITONSERVER_TYPE_INT8:
      return {2, WireType::kVarint, 1};
    case TRITONSERVER_TYPE_INT16:
      return {2, WireType::kVarint, 2};
    case TRITONSERVER_TYPE_INT32:
      return {2, WireType::kVarint, 4};
    case TRITONSERVER_TYPE_INT64:
      return {3, WireType::kVarint, 8};
    case TRITONSERVER_TYPE_UINT8:
      return {4, WireType::kVarint, 1};
    case TRITONSERVER_TYPE_UINT16:
      return {4, WireType::kVarint, 2};
    case TRITONSERVER_TYPE_UINT32:
      return {4, WireType::kVarint, 4};
    case TRITONSERVER_TYPE_UINT64:
      return {5, WireType::kVarint, 8};
    case TRITONSERVER_TYPE_FP32:
      return {6, WireType::kFixed32, 4};
    case TRITONSERVER_TYPE_FP64:
      return {7, WireType::kFixed64, 8};
    case TRITONSERVER_TYPE_BYTES:
      return {8, WireType::kBytes, 0};
    default:
      return kNowhere;
  }
}

// Little-endian: the low bytes of a number are the number, cut to its type as the original cuts it.
void AppendLow(uint64_t value, TRITONSERVER_DataType type, size_t byte_size, std::string* bytes) {
  if (type == TRITONSERVER_TYPE_BOOL) value = value != 0 ? 1 : 0;
  bytes->append(reinterpret_cast<const char*>(&value), byte_size);
}

bool AppendPacked(std::string_view packed, const Place& place, TRITONSERVER_DataType type,
                  std::string* bytes) {
  if (place.wire != WireType::kVarint) {
    bytes->append(packed);
    return packed.size() % place.byte_size == 0;
  }
  bytes->reserve(bytes->size() + packed.size() * place.byte_size);
  for (uint64_t value = 0; !packed.empty();) {
    if (!TakeVarint(&packed, &value)) return false;
    AppendLow(value, type, place.byte_size, bytes);
  }
  return true;
}

// A field of the elements' own: one element, or many that are packed.
bool AppendField(const WireReader& reader, const Place& place, TRITONSERVER_DataType type,
                 std::string* bytes) {
  if (place.wire == WireType::kBytes) {
    const auto length = static_cast<uint32_t>(reader.bytes().size());
    bytes->append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes->append(reader.bytes());
    return true;
  }
  if (reader.type() == WireType::kBytes) return AppendPacked(reader.bytes(), place, type, bytes);
  AppendLow(reader.value(), type, place.byte_size, bytes);
  return true;
}

std::string Named(const InputMessage& input) { return "input '" + std::string(input.name) + "'"; }

}  // namespace

Result<std::string> ElementsOf(const InputMessage& input, TRITONSERVER_DataType type) {
  const Place place = PlaceOf(type);
  if (place.field == 0) {
    return InvalidArgumentError(Named(input) + " is of type '" + std::string(input.type) +
                                "', which is sent in raw_input_contents alone");
  }
  std::string bytes;
  for (const std::string_view contents : input.contents) {
    WireReader reader(contents);
    while (reader.Next()) {
      const bool is_known = reader.field() <= 8;
      if (is_known && reader.field() != place.field) {
        return InvalidArgumentError(Named(input) + " is of type " + std::string(input.type) +
                                    ", but has contents of another type");
      }
      const bool is_element = reader.type() == place.wire || reader.type() == WireType::kBytes;
      if (is_known && is_element && !AppendField(reader, place, type, &bytes)) {
        return InternalError("the contents of " + Named(input) + " are cut short");
      }
    }
    if (!reader.ok()) return InternalError("the contents of " + Named(input) + " are no InferTensorContents");
  }
  return bytes;
}

}  // namespace workbench
