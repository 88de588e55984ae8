// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A library of one operator for ONNX Runtime, tests.Triple(FP32) -> FP32, without the library's headers: the
// functions used are known by their places in its table.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr uint32_t kVersion = 11;
constexpr int kFloat = 1;

struct Base {
  void* const* (*get_api)(uint32_t version);
};

using Table = void* const*;

template <typename... Arguments>
void* Call(Table table, size_t place, Arguments... arguments) {
  return reinterpret_cast<void* (*)(Arguments...)>(table[place])(arguments...);
}

// As the library reads it: a version, then functions in this order.
struct Operator {
  uint32_t version = kVersion;
  void* (*create)(const Operator*, Table table, const void*) = [](const Operator*, Table table, const void*) {
    return static_cast<void*>(new Table(table));
  };
  const char* (*name)(const Operator*) = [](const Operator*) { return "Triple"; };
  const char* (*provider)(const Operator*) = [](const Operator*) -> const char* { return nullptr; };
  int (*input_type)(const Operator*, size_t) = [](const Operator*, size_t) { return kFloat; };
  size_t (*input_count)(const Operator*) = [](const Operator*) { return size_t{1}; };
  int (*output_type)(const Operator*, size_t) = [](const Operator*, size_t) { return kFloat; };
  size_t (*output_count)(const Operator*) = [](const Operator*) { return size_t{1}; };
  void (*compute)(void* kernel, void* context) = &Operator::Compute;
  void (*destroy)(void*) = [](void* kernel) { delete static_cast<Table*>(kernel); };
  int (*input_kind)(const Operator*, size_t) = [](const Operator*, size_t) { return 0; };
  int (*output_kind)(const Operator*, size_t) = [](const Operator*, size_t) { return 0; };

  static void Compute(void* kernel, void* context) {
    constexpr size_t kInput = 90, kOutput = 91, kData = 51, kShape = 65, kRank = 61, kDims = 62, kCount = 64,
                     kFree = 99;
    const Table table = *static_cast<Table*>(kernel);
    void *input = nullptr, *shape = nullptr, *output = nullptr;
    float *in = nullptr, *out = nullptr;
    size_t rank = 0, count = 0;
    Call(table, kInput, context, size_t{0}, &input);
    Call(table, kShape, input, &shape);
    Call(table, kRank, shape, &rank);
    Call(table, kCount, shape, &count);
    std::vector<int64_t> dims(rank);
    Call(table, kDims, shape, dims.data(), rank);
    Call(table, kFree, shape);
    Call(table, kOutput, context, size_t{0}, dims.data(), rank, &output);
    Call(table, kData, input, &in);
    Call(table, kData, output, &out);
    for (size_t i = 0; i < count; ++i) out[i] = 3 * in[i];
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void* RegisterCustomOps(void* options, const Base* base) {
  constexpr size_t kNewDomain = 26, kAddOperator = 27, kAddDomain = 28;
  static const Operator triple;
  const Table table = base->get_api(kVersion);
  void* domain = nullptr;
  if (void* error = Call(table, kNewDomain, "tests", &domain)) return error;
  if (void* error = Call(table, kAddOperator, domain, &triple)) return error;
  return Call(table, kAddDomain, options, domain);
}
