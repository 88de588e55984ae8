// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/output.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "endpoints/error.h"

namespace workbench {
namespace {

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

template <typename T>
std::vector<size_t> GreatestOf(const T* values, size_t count, size_t wanted) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto is_before = [values](size_t a, size_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(wanted), order.end(), is_before);
  order.resize(wanted);
  return order;
}

// Where an output's rows are, and how many classes of each are told.
struct Rows {
  size_t count, length, wanted;
};

template <typename T>
std::string ClassesOf(TRITONSERVER_InferenceResponse* response, uint32_t index, const Output& output,
                      const Rows& rows) {
  std::vector<T> values(rows.count * rows.length);
  if (!values.empty()) std::memcpy(values.data(), output.base, values.size() * sizeof(T));
  std::string bytes;
  for (size_t row = 0; row < rows.count; ++row) {
    const T* const row_values = values.data() + row * rows.length;
    for (const size_t place : GreatestOf(row_values, rows.length, rows.wanted)) {
      const std::string text = std::to_string(row_values[place]) + ":" + std::to_string(place);
      AppendText(text + LabelOf(response, index, place), &bytes);
    }
  }
  return bytes;
}

using ClassesOfType = std::string (*)(TRITONSERVER_InferenceResponse*, uint32_t, const Output&, const Rows&);

ClassesOfType ClassifierOf(TRITONSERVER_DataType type) {
  switch (type) {
    case TRITONSERVER_TYPE_UINT8:
      return &ClassesOf<uint8_t>;
    case TRITONSERVER_TYPE_UINT16:
      return &ClassesOf<uint16_t>;
    case TRITONSERVER_TYPE_UINT32:
      return &ClassesOf<uint32_t>;
    case TRITONSERVER_TYPE_UINT64:
      return &ClassesOf<uint64_t>;
    case TRITONSERVER_TYPE_INT8:
      return &ClassesOf<int8_t>;
    case TRITONSERVER_TYPE_INT16:
      return &ClassesOf<int16_t>;
    case TRITONSERVER_TYPE_INT32:
      return &ClassesOf<int32_t>;
    case TRITONSERVER_TYPE_INT64:
      return &ClassesOf<int64_t>;
    case TRITONSERVER_TYPE_FP32:
      return &ClassesOf<float>;
    case TRITONSERVER_TYPE_FP64:
      return &ClassesOf<double>;
    default:
      return nullptr;
  }
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
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutput(
      response, index, &name, &output.type, &shape, &dim_count, &output.base, &output.byte_size, &memory_type,
      &memory_type_id, &userp)));
  output.name = name;
  output.shape.assign(shape, shape + dim_count);
  return output;
}

Result<std::string> Classify(TRITONSERVER_InferenceResponse* response, uint32_t index, const Output& output,
                             uint32_t class_count, bool is_batched, std::vector<int64_t>* shape) {
  const ClassesOfType classes = ClassifierOf(output.type);
  if (classes == nullptr) {
    return InvalidArgumentError("output '" + output.name + "' is of type " +
                                TRITONSERVER_DataTypeString(output.type) + ", which can not be classified");
  }
  const bool has_rows = is_batched && !output.shape.empty() && output.shape[0] > 0;
  const size_t row_count = has_rows ? static_cast<size_t>(output.shape[0]) : 1;
  const size_t row_length = output.byte_size / TRITONSERVER_DataTypeByteSize(output.type) / row_count;
  const Rows rows{row_count, row_length, std::min<size_t>(class_count, row_length)};
  shape->clear();
  if (is_batched) shape->push_back(static_cast<int64_t>(row_count));
  shape->push_back(static_cast<int64_t>(rows.wanted));
  return classes(response, index, output, rows);
}

Result<Output> OutputAsWished(TRITONSERVER_InferenceResponse* response, uint32_t index, const InferPlan& plan,
                              bool is_batched, std::deque<std::string>* converted) {
  ASSIGN_OR_RETURN(Output output, OutputOf(response, index));
  const OutputWish* const wish = plan.Find(output.name);
  if (wish == nullptr || wish->class_count == 0) return output;
  std::vector<int64_t> shape;
  ASSIGN_OR_RETURN(std::string classes,
                   Classify(response, index, output, wish->class_count, is_batched, &shape));
  converted->push_back(std::move(classes));
  const std::string& bytes = converted->back();
  return Output{output.name, TRITONSERVER_TYPE_BYTES, shape, bytes.data(), bytes.size()};
}

}  // namespace workbench
