// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What an event costs the thread that it happens on, and what following the log costs a reader.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/clock.h"
#include "events/event_log.h"

namespace workbench {
namespace {

EventLog& SharedLog() {
  static EventLog log{{}};
  return log;
}

void BM_Append(benchmark::State& state) {
  EventLog& log = SharedLog();
  Event event;
  for (auto _ : state) {
    ++event.id;
    log.Append(event);
  }
}
// As fast as the thread can is far more than a server does; in steps it is what a busy one does.
BENCHMARK(BM_Append)->Threads(1)->Threads(2)->UseRealTime();

// A million events a second on one thread; the time between is not counted.
void BM_AppendPaced(benchmark::State& state) {
  constexpr int kBurst = 64;
  EventLog& log = SharedLog();
  Event event;
  for (auto _ : state) {
    const uint64_t start_ns = SteadyClock::Read();
    for (int i = 0; i < kBurst; ++i) log.Append(event);
    const uint64_t end_ns = SteadyClock::Read();
    state.SetIterationTime((end_ns - start_ns) * 1e-9);
    while (SteadyClock::Read() < start_ns + kBurst * 1000) {
    }
  }
  state.counters["per_event"] = benchmark::Counter(state.iterations() * kBurst,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_AppendPaced)->UseManualTime()->Iterations(20'000);

// A reader that asks for all that is new, with a fixed number of new events each time.
void BM_Read(benchmark::State& state) {
  EventLog log{{}};
  std::vector<Event> events;
  EventLog::ReadResult at;
  for (auto _ : state) {
    state.PauseTiming();
    for (int i = 0; i < state.range(0); ++i) log.Append(Event());
    events.clear();
    state.ResumeTiming();
    at = log.Read(at.next_since, SIZE_MAX, &events);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Read)->Arg(0)->Arg(500)->Arg(10'000);

}  // namespace
}  // namespace workbench
