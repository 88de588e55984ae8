// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Clients of both doors at once, well-behaved, impatient and broken, while tracing goes on and off and
// regions of shared memory come and go: every request that a client waits for is answered, and the doors
// close. Meant for the sanitizers; WB_STRESS_SECONDS says how long.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "capi/core_fixture.h"
#include "endpoints/client/grpc_target.h"
#include "endpoints/client/http_target.h"
#include "endpoints/grpc/server.h"
#include "endpoints/grpc/wire.h"
#include "endpoints/http/server.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

constexpr char kHttpHead[] = "POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\n";
constexpr char kJson[] = R"({"inputs":[{"name":"IN","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]})";
constexpr char kInShared[] =
    R"({"inputs":[{"name":"IN","shape":[1,4],"datatype":"FP32","parameters":{"shared_memory_region":"r",)"
    R"("shared_memory_byte_size":16}}],"outputs":[{"name":"OUT","parameters":{"shared_memory_region":"r",)"
    R"("shared_memory_byte_size":16,"shared_memory_offset":32}}]})";

std::chrono::seconds StressTime() {
  const char* const text = std::getenv("WB_STRESS_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::atoi(text) : 2);
}

// One ModelInferRequest for the model "m".
std::string GrpcMessage() {
  const float values[4] = {1, 2, 3, 4};
  std::string input, message;
  AppendBytes(1, "IN", &input);
  AppendBytes(2, "FP32", &input);
  AppendBytes(3, std::string("\x01\x04", 2), &input);
  AppendBytes(1, "m", &message);
  AppendBytes(5, input, &message);
  AppendBytes(7, {reinterpret_cast<const char*>(values), sizeof values}, &message);
  return message;
}

std::string HttpRequest(const std::string& head, const std::string& body) {
  return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// An object of POSIX shared memory with room for two tensors.
class SharedObject {
 public:
  SharedObject() : key_("/wb_doors_stress_" + std::to_string(getpid())) {
    const int fd = shm_open(key_.c_str(), O_CREAT | O_RDWR, 0600);
    EXPECT_GE(fd, 0);
    EXPECT_EQ(ftruncate(fd, 64), 0);
    close(fd);
  }
  ~SharedObject() { shm_unlink(key_.c_str()); }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  const std::string& key() const { return key_; }

 private:
  const std::string key_;
};

class DoorsStressTest : public CoreTest {
 protected:
  void SetUp() override {
    model_ = Load("echo", Spec(/*is_dynamic=*/true, /*delay_ns=*/200'000, /*instances=*/2));
    auto* const server = static_cast<TRITONSERVER_Server*>(engine_->server_handle());
    HttpOptions http;
    http.loop_count = 2;
    GrpcOptions grpc;
    grpc.loop_count = 2;
    const auto settings = [](const std::string&, const std::string&, const std::optional<std::string>&) {
      return JsonReply("{}");
    };
    const auto manage = [](const std::string&, std::string_view) { return GrpcAnswer{}; };
    http_ = HttpServer::Listen({server, &memory_, settings}, http).value();
    grpc_ = GrpcServer::Listen({server, &memory_, manage}, grpc).value();
  }
  void TearDown() override { Unload(std::move(model_)); }

  // Until the time is up, on a thread of its own.
  void Repeat(const std::function<void(std::mt19937*)>& act) {
    const auto seed = static_cast<uint32_t>(threads_.size() + 1);
    threads_.emplace_back([act, seed, until = until_] {
      std::mt19937 random(seed);
      while (std::chrono::steady_clock::now() < until) act(&random);
    });
  }
  void Join() {
    for (std::thread& thread : threads_) thread.join();
  }

  Tcp::socket Connect(uint16_t port) {
    Tcp::socket socket(context_);
    socket.connect({asio::ip::address_v4::loopback(), port});
    return socket;
  }
  // Sends, and reads until the door closes the connection; or goes away at once.
  void Exchange(uint16_t port, const std::string& sent, bool is_patient, std::string* got = nullptr) {
    boost::system::error_code error;
    Tcp::socket socket = Connect(port);
    asio::write(socket, asio::buffer(sent), error);
    std::string ignored;
    if (is_patient) asio::read(socket, asio::dynamic_buffer(got != nullptr ? *got : ignored), error);
  }
  std::unique_ptr<LoadRun> Drive(std::unique_ptr<Target> target) {
    LoadOptions options;
    options.concurrency = 16;
    options.duration_ns = static_cast<uint64_t>(StressTime().count()) * kSecond;
    return TRITONWORKBENCH_Bridge(kBridgeVersion)->start_load(options, std::move(target)).value();
  }
  static void ExpectAllAnswered(LoadRun* run) {
    EXPECT_TRUE(run->Wait(60 * kSecond));
    EXPECT_EQ(run->progress().answered, run->progress().sent);
    EXPECT_EQ(run->progress().failed, 0u);
    EXPECT_GT(run->progress().sent, 0u);
  }

  asio::io_context context_;
  SharedMemory memory_;
  const SharedObject object_;
  const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + StressTime();
  std::unique_ptr<ModelBridge> model_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<GrpcServer> grpc_;
  std::vector<std::thread> threads_;
};

TEST_F(DoorsStressTest, WhoeverWaitsIsAnsweredAndTheDoorsClose) {
  const std::string http_port = std::to_string(http_->port()), grpc_port = std::to_string(grpc_->port());
  const float values[4] = {1, 2, 3, 4};
  const HttpSample sample{
      kHttpHead,
      R"({"inputs":[{"name":"IN","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}])",
      "",
      {reinterpret_cast<const char*>(values), sizeof values}};
  const auto over_http = Drive(HttpTarget::Create({"127.0.0.1", http_port}, {sample}, {}).value());
  GrpcTargetOptions grpc_options;
  grpc_options.host = "127.0.0.1";
  grpc_options.port = grpc_port;
  grpc_options.head.authority = "x";
  const auto over_grpc = Drive(GrpcTarget::Create(grpc_options, {GrpcMessage()}, {}).value());

  std::atomic<uint64_t> timed{0}, shared{0};
  Repeat([&](std::mt19937* random) {  // asks for its timing, or goes away
    const std::string head =
        std::string(kHttpHead) +
        "Connection: close\r\nWant-Server-Timing: 1\r\nendpoint-load-metrics-format: json\r\n";
    std::string got;
    Exchange(http_->port(), HttpRequest(head, kJson), (*random)() % 4 != 0, &got);
    if (got.find("server-timing: queue;dur=") != std::string::npos) ++timed;
  });
  Repeat([&](std::mt19937*) {  // regions come, are used, and go
    (void)memory_.Register("r", object_.key(), 0, 64);
    std::string got;
    Exchange(http_->port(), HttpRequest(std::string(kHttpHead) + "Connection: close\r\n", kInShared), true,
             &got);
    if (got.find("200 OK") != std::string::npos) ++shared;
    (void)memory_.Unregister("r", SharedMemoryKind::kSystem);
  });
  Repeat([&](std::mt19937* random) {  // a request with one byte of its wrong
    std::string sent = HttpRequest(std::string(kHttpHead) + "Connection: close\r\n", kJson);
    sent[(*random)() % sent.size()] = static_cast<char>((*random)());
    Exchange(http_->port(), sent, /*is_patient=*/false);
  });
  Repeat([&](std::mt19937* random) {  // what is HTTP/2 up to some byte
    std::string sent = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    sent.append("\0\0\0\4\0\0\0\0\0", 9);
    for (int i = 0; i < 64; ++i) sent.push_back(static_cast<char>((*random)() % ((*random)() % 255 + 1)));
    Exchange(grpc_->port(), sent, /*is_patient=*/false);
  });
  Repeat([&](std::mt19937* random) {  // tracing goes on and off
    TraceSettings settings;
    settings.level = static_cast<uint32_t>(4 * ((*random)() % 4));
    settings.rate = 1 + (*random)() % 10;
    engine_->SetTrace("", settings);
    engine_->WaitForTraces(1'000'000);
    (void)engine_->TakeTraces();
  });
  Join();
  ExpectAllAnswered(over_http.get());
  ExpectAllAnswered(over_grpc.get());
  EXPECT_GT(timed, 0u);
  EXPECT_GT(shared, 0u);
  std::printf("over HTTP %llu, over gRPC %llu, timed %llu, in shared memory %llu\n",
              static_cast<unsigned long long>(over_http->progress().sent),
              static_cast<unsigned long long>(over_grpc->progress().sent),
              static_cast<unsigned long long>(timed), static_cast<unsigned long long>(shared));
  http_->Close(10);
  grpc_->Close(10);
}

TEST_F(DoorsStressTest, DoorsThatCloseUnderLoadAnswerWhatTheyTook) {
  GrpcTargetOptions grpc_options;
  grpc_options.host = "127.0.0.1";
  grpc_options.port = std::to_string(grpc_->port());
  grpc_options.head.authority = "x";
  const auto over_grpc = Drive(GrpcTarget::Create(grpc_options, {GrpcMessage()}, {}).value());
  const HttpSample sample{std::string(kHttpHead), std::string(kJson, sizeof kJson - 2), "", ""};
  const auto over_http =
      Drive(HttpTarget::Create({"127.0.0.1", std::to_string(http_->port())}, {sample}, {}).value());
  Await([&] { return over_http->progress().answered > 20 && over_grpc->progress().answered > 20; });
  std::thread closing([&] { grpc_->Close(10); });
  http_->Close(10);
  closing.join();
  for (LoadRun* const run : {over_http.get(), over_grpc.get()}) {
    run->Stop();
    Await([&] { return run->progress().answered == run->progress().sent; });
  }
}

}  // namespace
}  // namespace workbench
