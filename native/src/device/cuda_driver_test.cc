// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_driver.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "device/cuda_stream.h"
#include "testing/cuda_stand_in.h"

namespace workbench {
namespace {

using testing::Each;
using testing::HasSubstr;

class CudaDriverTest : public testing::Test {
 protected:
  CudaDriverTest() : driver_(CudaDriver::Open(CudaStandIn::path()).value()) {}
  CudaDevice& device(int ordinal = 0) { return *driver_->Device(ordinal).value(); }
  std::unique_ptr<CudaStream> NewStream() { return CudaStream::Create(device()).value(); }

  CudaStandIn stand_in_{{2, size_t{1} << 20, size_t{64} << 10, 500, ""}};
  const std::shared_ptr<CudaDriver> driver_;
};

TEST(CudaDriverOpenTest, WithoutADriverSaysSo) {
  const auto driver = CudaDriver::Open("libwb_there_is_no_such_driver.so");
  EXPECT_EQ(driver.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(driver.status().message(), HasSubstr("no CUDA driver"));
}

TEST(CudaDriverOpenTest, WithoutAGpuSaysSo) {
  const CudaStandIn none({0, 0, 0, 0, ""});
  const auto driver = CudaDriver::Open(CudaStandIn::path());
  EXPECT_EQ(driver.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(driver.status().message(), HasSubstr("cuInit failed with CUDA error 100"));
}

TEST_F(CudaDriverTest, NothingIsAskedOfADeviceBeforeSomebodyWantsIt) {
  EXPECT_EQ(driver_->device_count(), 2);
  EXPECT_EQ(stand_in_.calls("cuDevicePrimaryCtxRetain"), 0);
  EXPECT_FALSE(driver_->is_open(1));
  EXPECT_TRUE(driver_->Device(1).ok());
  EXPECT_TRUE(driver_->Device(1).ok());
  EXPECT_EQ(stand_in_.calls("cuDevicePrimaryCtxRetain"), 1);
  EXPECT_TRUE(driver_->is_open(1));
  EXPECT_FALSE(driver_->is_open(0));
  EXPECT_EQ(device(1).compute_capability(), 80);
}

TEST_F(CudaDriverTest, ADeviceThatIsNotThereIsNamedWithThoseThatAre) {
  const Status status = driver_->Device(2).status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("no GPU 2: this machine has 2"));
}

TEST_F(CudaDriverTest, MemoryThatDoesNotFitIsRefusedWithTheFigures) {
  void* const half = device().Allocate(600'000).value();
  const Status status = device().Allocate(600'000).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("GPU 0 cannot give 600000 bytes: 448576 of 1048576 are free"));
  EXPECT_TRUE(device().Free(half).ok());
  EXPECT_EQ(stand_in_.live_byte_size(0), 0u);
}

TEST_F(CudaDriverTest, BytesGoToADeviceAndBack) {
  std::vector<char> sent(1000, 'x');
  std::vector<char> received(1000);
  void* const bytes = device().Allocate(sent.size()).value();
  EXPECT_TRUE(device().Copy(bytes, sent.data(), sent.size()).ok());
  EXPECT_TRUE(device().Copy(received.data(), bytes, sent.size()).ok());
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(device().Free(bytes).ok());
}

TEST_F(CudaDriverTest, AStreamRunsInOrderAndLater) {
  const auto stream = NewStream();
  void* const bytes = device().Allocate(64).value();
  EXPECT_TRUE(stream->Fill(bytes, 1, 64).ok());
  EXPECT_TRUE(stream->Fill(bytes, 2, 32).ok());
  std::atomic<int> seen{0};
  EXPECT_TRUE(stream->Then([](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &seen).ok());
  EXPECT_TRUE(stream->Synchronize().ok());
  EXPECT_TRUE(stream->is_idle().value());
  EXPECT_EQ(seen, 1);
  EXPECT_THAT(stand_in_.Read(bytes, 32), Each(2));
  EXPECT_THAT(stand_in_.Read(static_cast<char*>(bytes) + 32, 32), Each(1));
  EXPECT_TRUE(device().Free(bytes).ok());
}

TEST_F(CudaDriverTest, AStreamWaitsForAnEventOfAnother) {
  const auto first = NewStream();
  const auto second = NewStream();
  const auto event = CudaEvent::Create(device(), true).value();
  void* const bytes = device().Allocate(64).value();
  for (int round = 1; round < 20; ++round) {
    const auto value = static_cast<unsigned char>(round);
    EXPECT_TRUE(first->Fill(bytes, 0, 64).ok());
    EXPECT_TRUE(first->Fill(bytes, value, 32).ok());
    EXPECT_TRUE(event->Record(*first).ok());
    EXPECT_TRUE(second->WaitFor(*event).ok());
    EXPECT_TRUE(second->Copy(static_cast<char*>(bytes) + 32, bytes, 32).ok());
    EXPECT_TRUE(second->Synchronize().ok());
    EXPECT_TRUE(event->is_reached().value());
    EXPECT_THAT(stand_in_.Read(bytes, 64), Each(static_cast<char>(round)));
  }
  EXPECT_TRUE(device().Free(bytes).ok());
}

TEST_F(CudaDriverTest, TimeBetweenEventsIsTold) {
  const auto stream = NewStream();
  const auto start = CudaEvent::Create(device(), true).value();
  const auto end = CudaEvent::Create(device(), true).value();
  EXPECT_TRUE(start->Record(*stream).ok());
  EXPECT_TRUE(end->Record(*stream).ok());
  EXPECT_TRUE(end->Synchronize().ok());
  EXPECT_GE(end->ElapsedMs(*start).value(), 0);
}

TEST_F(CudaDriverTest, WhatAStreamHadToDoIsDoneWhenItGoes) {
  std::atomic<int> seen{0};
  for (int i = 0; i < 5; ++i) {
    const auto stream = NewStream();
    EXPECT_TRUE(stream->Then([](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &seen).ok());
  }
  EXPECT_EQ(seen, 5);
}

TEST_F(CudaDriverTest, PageLockedMemoryHasItsOwnLimit) {
  void* const bytes = device().AllocatePinned(60'000).value();
  EXPECT_EQ(stand_in_.live_byte_size(-1), 60'000u);
  EXPECT_EQ(device().AllocatePinned(60'000).status().code(), StatusCode::kUnavailable);
  EXPECT_TRUE(device().FreePinned(bytes).ok());
  EXPECT_EQ(stand_in_.live_byte_size(-1), 0u);
}

TEST_F(CudaDriverTest, PeersReachEachOthersMemory) {
  EXPECT_TRUE(device(0).CanAccess(device(1)).value());
  EXPECT_FALSE(device(0).CanAccess(device(0)).value());
  EXPECT_TRUE(device(0).EnableAccess(device(1)).ok());
  EXPECT_TRUE(device(0).EnableAccess(device(1)).ok());
}

TEST_F(CudaDriverTest, AnotherProcessOpensMemoryByItsHandle) {
  void* const bytes = device().Allocate(64).value();
  EXPECT_TRUE(device().Copy(bytes, "shared", 7).ok());
  const cuda::IpcHandle handle = device().Share(bytes).value();
  EXPECT_FALSE(device().OpenShared(handle).ok());  // it is this process's own
  const pid_t child = fork();
  if (child == 0) {
    char seen[7] = "";
    const Result<void*> opened = device().OpenShared(handle);
    const bool is_right = opened.ok() && device().Copy(seen, opened.value(), 7).ok() &&
                          std::string(seen) == "shared" && device().SizeFrom(opened.value()).value() == 64 &&
                          device().CloseShared(opened.value()).ok();
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(device().Free(bytes).ok());
}

TEST_F(CudaDriverTest, EveryFailureNamesTheFunctionAndTheError) {
  for (const char* function : {"cuStreamCreate", "cuMemAlloc_v2", "cuMemHostAlloc", "cuCtxPushCurrent_v2"}) {
    stand_in_.Fail(std::string(function) + ":1:719");
    const Status status = [&] {
      if (std::string(function) == "cuStreamCreate") return CudaStream::Create(device()).status();
      if (std::string(function) == "cuMemHostAlloc") return device().AllocatePinned(1).status();
      return device().Allocate(1).status();
    }();
    EXPECT_EQ(status.code(), StatusCode::kInternal) << function;
    EXPECT_THAT(status.message(), HasSubstr("failed with CUDA error 719 (")) << function;
  }
  stand_in_.Fail("");
}

TEST_F(CudaDriverTest, TheStandInSeesWhatIsDoneWrong) {
  void* const bytes = device().Allocate(64).value();
  EXPECT_TRUE(device().Free(bytes).ok());
  EXPECT_FALSE(device().Free(bytes).ok());
  EXPECT_EQ(stand_in_.violations(), 1);
  const auto stream = NewStream();
  EXPECT_TRUE(stream->Fill(bytes, 1, 64).ok());  // freed
  EXPECT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(stand_in_.violations(), 2);
  EXPECT_TRUE(
      stream->Then([](void* other) { (void)static_cast<CudaDevice*>(other)->memory(); }, &device()).ok());
  EXPECT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(stand_in_.violations(), 3);
}

}  // namespace
}  // namespace workbench
