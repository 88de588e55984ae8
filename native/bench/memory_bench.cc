// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What an allocation and its deallocation cost, policy by policy, beside the C library's own.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "events/event_log.h"
#include "memory/limiting_resource.h"
#include "memory/memory_owner.h"
#include "memory/pool_resource.h"
#include "memory/system_resource.h"
#include "memory/tracking_resource.h"

namespace workbench {
namespace {

// The stack that an engine builds.
struct Stack {
  SteadyClock clock;
  EventLog log{{}};
  MemoryEvents events{0, log, clock};
  std::unique_ptr<SystemResource> system = SystemResource::Create();
  std::unique_ptr<LimitingResource> limit = LimitingResource::Create({size_t{256} << 20}, *system);
  std::unique_ptr<PoolResource> pool = PoolResource::Create({}, *limit, events);
  std::unique_ptr<TrackingResource> tracking = TrackingResource::Create(*pool, events);
};

Stack& SharedStack() {
  static Stack stack;
  return stack;
}

void AllocateAndFree(benchmark::State& state, MemoryResource& resource) {
  const size_t byte_size = state.range(0);
  for (auto _ : state) {
    Result<void*> bytes = resource.Allocate(byte_size);
    benchmark::DoNotOptimize(bytes);
    resource.Deallocate(*bytes, byte_size);
  }
}

void BM_Malloc(benchmark::State& state) {
  for (auto _ : state) {
    void* bytes = std::malloc(state.range(0));
    benchmark::DoNotOptimize(bytes);
    std::free(bytes);
  }
}
void BM_System(benchmark::State& state) { AllocateAndFree(state, *SharedStack().system); }
void BM_Pool(benchmark::State& state) { AllocateAndFree(state, *SharedStack().pool); }
void BM_TrackedPool(benchmark::State& state) { AllocateAndFree(state, *SharedStack().tracking); }

BENCHMARK(BM_Malloc)->Arg(1000)->Arg(600'000)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(BM_System)->Arg(1000)->Arg(600'000)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(BM_Pool)->Arg(1000)->Arg(600'000)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(BM_TrackedPool)->Arg(1000)->Arg(600'000)->ThreadRange(1, 2)->UseRealTime();

// 256 live blocks of mixed sizes, replaced at random.
void BM_PoolMixed(benchmark::State& state) {
  PoolResource& pool = *SharedStack().pool;
  std::mt19937 random(1);
  std::vector<std::pair<void*, size_t>> live(256, {nullptr, 0});
  for (auto _ : state) {
    auto& [bytes, byte_size] = live[random() % live.size()];
    if (bytes != nullptr) pool.Deallocate(bytes, byte_size);
    byte_size = size_t{1} << (6 + random() % 14);
    bytes = pool.Allocate(byte_size).value();
  }
  for (auto& [bytes, byte_size] : live) {
    if (bytes != nullptr) pool.Deallocate(bytes, byte_size);
  }
}
BENCHMARK(BM_PoolMixed);

}  // namespace
}  // namespace workbench
