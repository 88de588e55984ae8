// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory runs out at every point of a model's life, one point after the other: nothing crashes, hangs or
// stays held, each request is answered once, and what comes afterwards is served.
#include <array>
#include <string>
#include <vector>

#include "capi/core_fixture.h"
#include "testing/failing_new.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

constexpr uint32_t kStart = TRITONSERVER_REQUEST_FLAG_SEQUENCE_START;
constexpr uint32_t kEnd = TRITONSERVER_REQUEST_FLAG_SEQUENCE_END;
constexpr int64_t kNoFailure = 1 << 30;
constexpr int kSent = 3;

// A request through the C interface, and what became of it.
struct Sent {
  std::atomic<int> finals{0}, releases{0};
  bool is_taken = false;
  TRITONSERVER_InferenceRequest* request = nullptr;
};

void Forget(TRITONSERVER_Error* error) { TRITONSERVER_ErrorDelete(error); }

bool Ok(TRITONSERVER_Error* error) {
  if (error == nullptr) return true;
  Forget(error);
  return false;
}

TRITONSERVER_Error* Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t byte_size,
                             TRITONSERVER_MemoryType, int64_t, void*, void** buffer, void** buffer_userp,
                             TRITONSERVER_MemoryType* type, int64_t* id) {
  // Fails as the rest of the process does.
  *buffer = new (std::nothrow) char[byte_size + 1];
  *buffer_userp = nullptr;
  *type = TRITONSERVER_MEMORY_CPU;
  *id = 0;
  const Exempt exempt;
  return *buffer != nullptr ? nullptr : TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "no buffer");
}

TRITONSERVER_Error* Release(TRITONSERVER_ResponseAllocator*, void* buffer, void*, size_t,
                            TRITONSERVER_MemoryType, int64_t) {
  delete[] static_cast<char*>(buffer);
  return nullptr;
}

void OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* userp) {
  if (response != nullptr) Forget(TRITONSERVER_InferenceResponseDelete(response));
  if ((flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) != 0) ++static_cast<Sent*>(userp)->finals;
}

void OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t flags, void* userp) {
  Forget(TRITONSERVER_InferenceRequestDelete(request));
  if ((flags & TRITONSERVER_REQUEST_RELEASE_ALL) != 0) ++static_cast<Sent*>(userp)->releases;
}

class AllocationTest : public CoreTest {
 protected:
  AllocationTest() {
    EXPECT_TRUE(Ok(TRITONSERVER_ResponseAllocatorNew(&allocator_, &Allocate, &workbench::Release, nullptr)));
    EngineOptions options;
    options.cache_byte_size = 1 << 20;
    options.rate_limits.emplace();
    engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  }
  ~AllocationTest() override { EXPECT_TRUE(Ok(TRITONSERVER_ResponseAllocatorDelete(allocator_))); }

  struct Served {
    std::string backend;  // empty: an ensemble
    ModelSpec spec;
  };

  // Loads those models, the last of which is served; none where that fails.
  std::vector<std::unique_ptr<ModelBridge>> LoadAll(const std::vector<Served>& served) {
    std::vector<std::unique_ptr<ModelBridge>> models;
    models.reserve(served.size());
    for (const Served& each : served) {
      std::shared_ptr<BackendBridge> backend;
      if (!each.backend.empty()) {
        auto opened = engine_->OpenBackend(each.backend, Path(each.backend), "{}");
        if (!opened.ok()) return models;
        backend = *opened;
      }
      auto model = engine_->CreateModel(each.spec, backend.get());
      if (!model.ok()) return models;
      if (!(*model)->Initialize().ok() || !(*model)->Start(each.spec).ok()) return models;
      engine_->Publish(**model);
      models.push_back(std::move(*model));
    }
    return models;
  }

  static std::string Path(const std::string& backend) {
    return std::string(WB_TEST_BACKENDS) + "/libtriton_" + backend + ".so";
  }

  void Send(Sent* sent, uint64_t sequence, uint32_t flags) {
    auto* const server = reinterpret_cast<TRITONSERVER_Server*>(engine_.get());
    TRITONSERVER_InferenceRequest* request = nullptr;
    if (!Ok(TRITONSERVER_InferenceRequestNew(&request, server, "m", -1))) return;
    const int64_t shape[] = {1, 4};
    sent->is_taken =
        Ok(TRITONSERVER_InferenceRequestSetId(request, "a request with a name that is long")) &&
        Ok(TRITONSERVER_InferenceRequestSetFlags(request, flags)) &&
        Ok(TRITONSERVER_InferenceRequestSetCorrelationId(request, sequence)) &&
        Ok(TRITONSERVER_InferenceRequestAddInput(request, "IN", TRITONSERVER_TYPE_FP32, shape, 2)) &&
        Ok(TRITONSERVER_InferenceRequestAppendInputData(request, "IN", values_, sizeof values_,
                                                        TRITONSERVER_MEMORY_CPU, 0)) &&
        Ok(TRITONSERVER_InferenceRequestSetReleaseCallback(request, &OnRelease, sent)) &&
        Ok(TRITONSERVER_InferenceRequestSetResponseCallback(request, allocator_, nullptr, &OnResponse,
                                                            sent)) &&
        Ok(TRITONSERVER_ServerInferAsync(server, request, nullptr));
    if (!sent->is_taken) Forget(TRITONSERVER_InferenceRequestDelete(request));
  }

  void Infer(std::array<Sent, kSent>* all, bool is_sequence) {
    for (size_t i = 0; i < all->size(); ++i) {
      Sent* const sent = &(*all)[i];
      Send(sent, is_sequence ? 7 : 0, !is_sequence ? 0 : i == 0 ? kStart : i + 1 == all->size() ? kEnd : 0);
      if (sent->is_taken) AwaitExempt([&] { return sent->finals > 0 && sent->releases > 0; });
    }
  }

  template <typename Condition>
  static void AwaitExempt(Condition condition) {
    const Exempt exempt;
    Await(condition);
  }

  void UnloadAll(std::vector<std::unique_ptr<ModelBridge>>* models) {
    for (auto model = models->rbegin(); model != models->rend(); ++model) {
      if (*model == nullptr) continue;
      try {
        engine_->Retire(**model);
        (void)(*model)->Drain(10 * kSecond);
        (void)(*model)->Close();
      } catch (const std::bad_alloc&) {  // what the bridge throws, Python raises
      }
    }
    models->clear();
  }

  // A whole life, in which the allocations from that one on fail; false: it has fewer.
  bool Live(const std::vector<Served>& served, bool is_sequence, int64_t first, int64_t width) {
    std::array<Sent, kSent> sent;
    std::vector<std::unique_ptr<ModelBridge>> models;
    new_failures.Arm(first, width);
    try {
      models = LoadAll(served);
      if (models.size() == served.size()) Infer(&sent, is_sequence);
    } catch (const std::bad_alloc&) {
    }
    UnloadAll(&models);
    const bool has_failed = new_failures.Disarm();
    for (const Sent& each : sent) {
      EXPECT_EQ(each.finals, each.is_taken ? 1 : 0) << "allocation " << first;
      EXPECT_EQ(each.releases, each.is_taken ? 1 : 0) << "allocation " << first;
      if (first == kNoFailure) {
        EXPECT_TRUE(each.is_taken);
      }
    }
    EXPECT_EQ(engine_->in_flight(), 0u);
    EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u) << "allocation " << first;
    return has_failed;
  }

  // Fails each allocation alone, then with the three after it.
  void FailEverywhere(const std::vector<Served>& served, bool is_sequence = false) {
    FailEach(served, is_sequence, 1);
    ASSERT_FALSE(HasFailure());
    // Free lists grow at first, and how much depends on the threads; what is lost at each point
    // shows in every round.
    int64_t growth = 0;
    int64_t points = 0;
    for (int round = 0; round < 4 && (round == 0 || growth >= points * 2 / 3); ++round) {
      const int64_t before = testing_new::live;
      points = FailEach(served, is_sequence, 4);
      growth = testing_new::live - before;
    }
    EXPECT_LT(growth, points * 2 / 3);
  }

  // At how many points something failed.
  int64_t FailEach(const std::vector<Served>& served, bool is_sequence, int64_t width) {
    int64_t first = 0;
    while (Live(served, is_sequence, first, width) && !HasFailure()) {
      Live(served, is_sequence, kNoFailure, 1);
      ++first;
    }
    std::printf("%lld points, %lld in a row\n", static_cast<long long>(first), static_cast<long long>(width));
    return first;
  }

  static Served Echo(bool is_dynamic) { return {"echo", Spec(is_dynamic, is_dynamic ? 1000 : 0, 2)}; }

  TRITONSERVER_ResponseAllocator* allocator_ = nullptr;
};

TEST_F(AllocationTest, OfAModelWithoutBatching) { FailEverywhere({Echo(false)}); }

TEST_F(AllocationTest, OfAModelThatBatches) { FailEverywhere({Echo(true)}); }

TEST_F(AllocationTest, OfACachedModel) {
  Served cached = Echo(true);
  cached.spec.is_cached = true;
  FailEverywhere({cached});
}

TEST_F(AllocationTest, OfAModelWhoseRateIsLimited) {
  Served limited = Echo(true);
  for (InstanceSpec& instance : limited.spec.instances) {
    instance.limit.priority = 2;
    instance.limit.resources = {{"R", false, 1}};
  }
  FailEverywhere({limited});
}

TEST_F(AllocationTest, OfAnEnsemble) {
  Served step = Echo(false);
  step.spec.signature.name = "step";
  Served ensemble{"", Spec(false, 0, 0)};
  ensemble.spec.ensemble = EnsembleOptions{{{"step", -1, {{"IN", "IN"}}, {{"OUT", "t"}}, false},
                                            {"step", -1, {{"IN", "t"}}, {{"OUT", "OUT"}}, false}},
                                           0};
  FailEverywhere({step, ensemble});
}

TEST_F(AllocationTest, OfAModelOfSequences) {
  for (const auto strategy : {SequenceOptions::Strategy::kDirect, SequenceOptions::Strategy::kOldest}) {
    Served sequences = Echo(false);
    sequences.spec.scheduling.sequence.strategy = strategy;
    FailEverywhere({sequences}, true);
  }
}

}  // namespace
}  // namespace workbench
