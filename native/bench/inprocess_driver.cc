// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Loads a server in process through its C interface, checks every output, and prints one line of
// JSON. Built as a shared object, so that a Python process may call DriverMain, or as a program:
//   --library FILE --backends DIR --repository DIR --model NAME
//   --mode callback|async|sync|open --in-flight N [--rate R] [--spin-us N] [--gap-us N]
//   [--seconds S] [--warmup-s S] [--rows N] [--reuse 0|1]
// The model echoes INPUT0 to OUTPUT0, FP32[16], with a batch dimension.

#include "inprocess_driver.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <thread>

#include "load_mode.h"

namespace workbench::bench {

namespace {

struct DriverOptions {
  std::string library;
  std::string backends;
  std::string repository;
  Session::Options session;
  LoadMode::Options load;
  double seconds = 3;
  double warmup_s = 0.7;
};

DriverOptions ParseOptions(int argc, char** argv) {
  std::map<std::string, std::string> given = {
      {"--mode", "callback"}, {"--in-flight", "1"}, {"--rate", "1000"},
      {"--spin-us", "0"},     {"--gap-us", "0"},    {"--seconds", "3"},
      {"--warmup-s", "0.7"},  {"--rows", "1"},      {"--reuse", "0"}};
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  DriverOptions options;
  options.library = given["--library"];
  options.backends = given["--backends"];
  options.repository = given["--repository"];
  options.session = {given["--model"], std::stoi(given["--in-flight"]), std::stoi(given["--rows"]),
                     given["--reuse"] == "1"};
  options.load = {given["--mode"], std::stod(given["--rate"]), std::stoi(given["--spin-us"]),
                  std::stoi(given["--gap-us"])};
  options.seconds = std::stod(given["--seconds"]);
  options.warmup_s = std::stod(given["--warmup-s"]);
  return options;
}

TRITONSERVER_Server* StartServer(const ServerLibrary& library, const DriverOptions& options) {
  TRITONSERVER_ServerOptions* wanted = nullptr;
  library.Check(library.ServerOptionsNew(&wanted));
  library.Check(library.ServerOptionsSetModelRepositoryPath(wanted, options.repository.c_str()));
  library.Check(library.ServerOptionsSetBackendDirectory(wanted, options.backends.c_str()));
  library.Check(library.ServerOptionsSetLogInfo(wanted, false));
  library.Check(library.ServerOptionsSetGpuMetrics(wanted, false));
  library.Check(library.ServerOptionsSetCpuMetrics(wanted, false));
  library.Check(library.ServerOptionsSetModelControlMode(wanted, TRITONSERVER_MODEL_CONTROL_EXPLICIT));
  library.Check(library.ServerOptionsSetStartupModel(wanted, options.session.model.c_str()));
  TRITONSERVER_Server* server = nullptr;
  library.Check(library.ServerNew(&server, wanted));
  library.Check(library.ServerOptionsDelete(wanted));
  bool is_ready = false;
  library.Check(library.ServerModelIsReady(server, options.session.model.c_str(), 1, &is_ready));
  if (!is_ready) ServerLibrary::Fail("the model is not ready after the start of the server");
  return server;
}

// What the process and the machine have spent so far.
struct Usage {
  uint64_t now_ns = 0;
  double process_cpu_s = 0;
  double machine_cpu_s = 0;
  long context_switches = 0;

  static Usage Read() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    Usage usage;
    usage.now_ns = NowNs();
    usage.process_cpu_s =
        used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    usage.machine_cpu_s = MachineCpu();
    usage.context_switches = used.ru_nvcsw + used.ru_nivcsw;
    return usage;
  }

 private:
  // All busy columns of /proc/stat: user nice system (idle iowait) irq softirq steal.
  static double MachineCpu() {
    unsigned long long v[8] = {};
    std::FILE* file = std::fopen("/proc/stat", "r");
    if (file == nullptr) return 0;
    const int read = std::fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", v, v + 1, v + 2, v + 3,
                                 v + 4, v + 5, v + 6, v + 7);
    std::fclose(file);
    if (read != 8) return 0;
    return static_cast<double>(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / sysconf(_SC_CLK_TCK);
  }
};

struct Measurement {
  Usage before;
  Usage after;
  LatencyHistogram latencies;
  uint64_t mismatches = 0;
  uint64_t dropped = 0;
};

Measurement Measure(Session& session, LoadMode& load, const DriverOptions& options) {
  Measurement measurement;
  session.SetListener(&load);
  load.Start();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.warmup_s));
  session.SetRecording(true);
  measurement.before = Usage::Read();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  session.SetRecording(false);
  measurement.after = Usage::Read();
  load.Stop();
  measurement.latencies = session.Latencies();
  measurement.mismatches = session.Mismatches();
  measurement.dropped = load.Dropped();
  return measurement;
}

void PrintStatistics(const ServerLibrary& library, TRITONSERVER_Server* server, const std::string& model) {
  TRITONSERVER_Message* message = nullptr;
  library.Check(library.ServerModelStatistics(server, model.c_str(), 1, &message));
  const char* base = nullptr;
  size_t byte_size = 0;
  library.Check(library.MessageSerializeToJson(message, &base, &byte_size));
  std::printf("\"statistics\": %.*s}\n", static_cast<int>(byte_size), base);
  library.Check(library.MessageDelete(message));
}

void PrintMeasurement(const Measurement& measured) {
  const LatencyHistogram& latencies = measured.latencies;
  const double count = std::max<double>(1, latencies.Count());
  const double wall_s = (measured.after.now_ns - measured.before.now_ns) / 1e9;
  const double cpu_s = measured.after.process_cpu_s - measured.before.process_cpu_s;
  const double machine_cpu_s = measured.after.machine_cpu_s - measured.before.machine_cpu_s;
  std::printf("\"requests\": %.0f, \"requests_per_s\": %.1f, ", static_cast<double>(latencies.Count()),
              latencies.Count() / wall_s);
  std::printf("\"mean_us\": %.3f, \"p50_us\": %.3f, \"p90_us\": %.3f, \"p99_us\": %.3f, \"max_us\": %.3f, ",
              latencies.MeanUs(), latencies.QuantileUs(0.5), latencies.QuantileUs(0.9),
              latencies.QuantileUs(0.99), latencies.MaxUs());
  std::printf("\"cpu_us_per_request\": %.3f, ", cpu_s * 1e6 / count);
  std::printf("\"context_switches_per_request\": %.4f, ",
              (measured.after.context_switches - measured.before.context_switches) / count);
  std::printf("\"cpus_used\": %.2f, \"cpus_used_by_others\": %.2f, ", cpu_s / wall_s,
              std::max(0.0, machine_cpu_s - cpu_s) / wall_s);
  std::printf("\"mismatches\": %llu, \"dropped\": %llu, ",
              static_cast<unsigned long long>(measured.mismatches),
              static_cast<unsigned long long>(measured.dropped));
}

int Drive(const DriverOptions& options) {
  const ServerLibrary library = OpenServerLibrary(options.library.c_str());
  uint32_t major = 0;
  uint32_t minor = 0;
  library.Check(library.ApiVersion(&major, &minor));
  TRITONSERVER_Server* server = StartServer(library, options);
  Measurement measurement;
  {
    Session session(library, server, options.session);
    const auto load = LoadMode::Create(session, options.load);
    if (load == nullptr) ServerLibrary::Fail("--mode is none of callback, async, sync, open");
    measurement = Measure(session, *load, options);
  }
  std::printf("{\"api\": \"%u.%u\", \"model\": \"%s\", \"mode\": \"%s\", \"in_flight\": %d, ", major, minor,
              options.session.model.c_str(), options.load.name.c_str(), options.session.slot_count);
  PrintMeasurement(measurement);
  PrintStatistics(library, server, options.session.model);
  std::fflush(stdout);
  library.Check(library.ServerDelete(server));
  return measurement.mismatches == 0 ? 0 : 1;
}

}  // namespace
}  // namespace workbench::bench

int DriverMain(int argc, char** argv) {
  return workbench::bench::Drive(workbench::bench::ParseOptions(argc, argv));
}
