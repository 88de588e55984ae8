// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/output.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "endpoints/error.h"

namespace workbench {
namespace {

template <typename T>
std::vector<double> ValuesOf(const Output& output) {
  std::vector<T> values(output.byte_size / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), output.base, values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

Result<std::vector<double>> NumbersOf(const Output& output) {
  switch (output.type) {
    case TRITONSERVER_TYPE_UINT8: return ValuesOf<uint8_t>(output);
    case TRITONSERVER_TYPE_UINT16: return ValuesOf<uint16_t>(output);
    case TRITONSERVER_TYPE_UINT32: return ValuesOf<uint32_t>(output);
    case TRITONSERVER_TYPE_UINT64: return ValuesOf<uint64_t>(output);
    case TRITONSERVER_TYPE_INT8: return ValuesOf<int8_t>(output);
    case TRITONSERVER_TYPE_INT16: return ValuesOf<int16_t>(output);
    case TRITONSERVER_TYPE_INT32: return ValuesOf<int32_t>(output);
    case TRITONSERVER_TYPE_INT64: return ValuesOf<int64_t>(output);
    case TRITONSERVER_TYPE_FP32: return ValuesOf<float>(output);
    case TRITONSERVER_TYPE_FP64: return ValuesOf<double>(output);
    default:
      return InvalidArgumentError("output '" + output.name + "' is of type " +
                                  TRITONSERVER_DataTypeString(output.type) + ", which can not be classified");
  }
}

bool IsWhole(TRITONSERVER_DataType type) {
  return type != TRITONSERVER_TYPE_FP32 && type != TRITONSERVER_TYPE_FP64;
}

std::string TextOf(double value, TRITONSERVER_DataType type) {
  return IsWhole(type) ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

void AppendText(const std::string& text, std::string* bytes) {
  const auto length = static_cast<uint32_t>(text.size());
  bytes->append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes->append(text);
}

std::string LabelOf(TRITONSERVER_InferenceResponse* response, uint32_t output, size_t index) {
  const char* label = nullptr;
  const Status status =
      TakeStatus(TRITONSERVER_InferenceResponseOutputClassificationLabel(response, output, index, &label));
  return status.ok() && label != nullptr ? std::string(":") + label : std::string();
}

std::vector<size_t> GreatestOf(const double* values, size_t count, size_t wanted) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto is_before = [values](size_t a, size_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(wanted), order.end(), is_before);
  order.resize(wanted);
  return order;
}

}  // namespace

Result<Output> OutputOf(TRITONSERVER_InferenceResponse* response, uint32_t index) {
  Output output;
  const char* name = nullptr;
  const int64_t* shape = nullptr;
  uint64_t dim_count = 0;
  TRITONSERVER_MemoryType memory_type;
  int64_t memory_type_id = 0;
  void* userp = nullptr;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutput(response, index, &name, &output.type, &shape,
                                                                  &dim_count, &output.base, &output.byte_size,
                                                                  &memory_type, &memory_type_id, &userp)));
  output.name = name;
  output.shape.assign(shape, shape + dim_count);
  return output;
}

Result<std::string> Classify(TRITONSERVER_InferenceResponse* response, uint32_t index, const Output& output,
                             uint32_t class_count, bool is_batched, std::vector<int64_t>* shape) {
  ASSIGN_OR_RETURN(const std::vector<double> values, NumbersOf(output));
  const bool has_rows = is_batched && !output.shape.empty() && output.shape[0] > 0;
  const size_t row_count = has_rows ? static_cast<size_t>(output.shape[0]) : 1;
  const size_t row_length = values.size() / row_count;
  const size_t wanted = std::min<size_t>(class_count, row_length);
  std::string bytes;
  for (size_t row = 0; row < row_count; ++row) {
    const double* const row_values = values.data() + row * row_length;
    for (const size_t place : GreatestOf(row_values, row_length, wanted)) {
      const std::string text = TextOf(row_values[place], output.type) + ":" + std::to_string(place);
      AppendText(text + LabelOf(response, index, place), &bytes);
    }
  }
  shape->clear();
  if (is_batched) shape->push_back(static_cast<int64_t>(row_count));
  shape->push_back(static_cast<int64_t>(wanted));
  return bytes;
}

}  // namespace workbench
