// How fast Heddle simulates: millions of warp instructions per second of user time, per program, functional and timed, beside
// a bare interpretation loop measured in the same run.
//   bench_speed [--scheduler NAME] [--gpu NAME]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "bare_loop.h"
#include "runs.h"

namespace heddle::bench {
namespace {

struct Choice { std::string gpu = "gtx480", scheduler = "gto"; };

struct Speed { double functional = 0, timed = 0; };

double millions_per_second(const Run& run) {
  return static_cast<double>(run.total("warp_instructions")) * 1e-6 / (run.user_s > 0 ? run.user_s : 1e-3);
}

Speed measure(const std::string& title, const std::vector<std::string>& program, const Choice& choice, double bare) {
  std::vector<std::string> functional = {"--functional"}, timed = {"--gpu", choice.gpu, "--scheduler", choice.scheduler};
  functional.insert(functional.end(), program.begin(), program.end());
  timed.insert(timed.end(), program.begin(), program.end());
  const Run fast = run_heddle(functional), full = run_heddle(timed);
  const Speed speed{millions_per_second(fast), millions_per_second(full)};
  const double millions = static_cast<double>(full.total("warp_instructions")) * 1e-6;
  fmt::print("{:22} {:10.3f} {:12.2f} {:8.4f} {:12.3f} {:8.5f} {:10.0f}\n", title, millions, speed.functional,
             speed.functional / bare, speed.timed, speed.timed / bare, full.peak_mib);
  std::fflush(stdout);
  return speed;
}

void report(const Choice& choice) {
  const double bare = bare_loop_speed();
  fmt::print("bare interpretation loop: {:.1f} M warp instructions/s\n", bare);
  fmt::print("timed on {} under {}; M warp instructions per second of user time of the whole run; ratios to the bare loop\n\n",
             choice.gpu, choice.scheduler);
  fmt::print("{:22} {:>10} {:>12} {:>8} {:>12} {:>8} {:>10}\n", "program", "M instr.", "functional", "ratio", "timed", "ratio",
             "peak MiB");
  const auto reference = [&](const std::string& name, const std::string& size) {
    const std::string registers = name + "=" + std::to_string(reference_program(name).registers);
    measure("reference " + name + " " + size, {"--registers", registers, built("bench/" + name), size}, choice, bare);
  };
  reference("sgemm", "256");
  reference("spmv", "16384");
  Speed logarithms;
  int count = 0;
  for (const char* name : {"vecadd", "matmul", "spmv_scalar", "spmv_vector", "bfs", "kmeans", "streamcluster",
                           "laplace3d", "reduction", "blackscholes"}) {
    const Speed speed = measure(std::string(name) + " small", {built(std::string("workloads/") + name), "small"}, choice, bare);
    logarithms.functional += std::log(speed.functional);
    logarithms.timed += std::log(speed.timed);
    ++count;
  }
  const Speed mean{std::exp(logarithms.functional / count), std::exp(logarithms.timed / count)};
  fmt::print("{:22} {:10} {:12.2f} {:8.4f} {:12.3f} {:8.5f}\n", "geometric mean, small", "", mean.functional,
             mean.functional / bare, mean.timed, mean.timed / bare);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Choice choice;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (i + 1 == argc || (key != "--scheduler" && key != "--gpu")) {
      fmt::print(stderr, "usage: bench_speed [--scheduler NAME] [--gpu NAME]\n");
      return 2;
    }
    (key == "--gpu" ? choice.gpu : choice.scheduler) = argv[i + 1];
  }
  try {
    heddle::bench::report(choice);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_speed: {}\n", error.what());
    return 1;
  }
}
