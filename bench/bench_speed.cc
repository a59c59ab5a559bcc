// How fast Heddle simulates: millions of warp instructions per second of user time, per program,
// functional and timed, beside a bare interpretation loop measured in the same run.
//   bench_speed --help
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "bare_loop.h"
#include "reference_figures.h"
#include "runs.h"

namespace heddle::bench {
namespace {

struct Choice {
  std::string gpu = "gtx480", scheduler = "gto";
};

struct Speed {
  double functional = 0, timed = 0;
};

double millions_per_second(const Run& run) {
  return static_cast<double>(run.total("warp_instructions")) * 1e-6 /
         (run.user_s > 0 ? run.user_s : 1e-3);
}

Speed measure(const std::string& title, const std::vector<std::string>& program,
              const Choice& choice, double bare) {
  std::vector<std::string> functional = {"--functional"},
                           timed = {"--gpu", choice.gpu, "--scheduler", choice.scheduler};
  functional.insert(functional.end(), program.begin(), program.end());
  timed.insert(timed.end(), program.begin(), program.end());
  const Run fast = run_heddle(functional), full = run_heddle(timed);
  const Speed speed{millions_per_second(fast), millions_per_second(full)};
  const double millions = static_cast<double>(full.total("warp_instructions")) * 1e-6;
  fmt::print("{:22} {:10.3f} {:12.2f} {:8.4f} {:12.3f} {:8.5f} {:10.0f}\n", title, millions,
             speed.functional, speed.functional / bare, speed.timed, speed.timed / bare,
             full.peak_mib);
  std::fflush(stdout);
  return speed;
}

void report(const Choice& choice) {
  const double bare = bare_loop_speed();
  fmt::print("bare interpretation loop: {:.1f} M warp instructions/s\n", bare);
  fmt::print(
      "timed on {} under {}; M warp instructions per second of user time of the whole run; ratios "
      "to the bare loop\n\n",
      choice.gpu, choice.scheduler);
  fmt::print("{:22} {:>10} {:>12} {:>8} {:>12} {:>8} {:>10}\n", "program", "M instr.", "functional",
             "ratio", "timed", "ratio", "peak MiB");
  const auto reference = [&](const std::string& name, const std::string& size) {
    const std::string registers = name + "=" + std::to_string(reference_program(name).registers);
    measure("reference " + name + " " + size,
            {"--registers", registers, built("bench/" + name), size}, choice, bare);
  };
  reference("sgemm", "256");
  reference("spmv", "16384");
  Speed logarithms;
  int count = 0;
  for (const char* name : {"vecadd", "matmul", "spmv_scalar", "spmv_vector", "bfs", "kmeans",
                           "streamcluster", "laplace3d", "reduction", "blackscholes"}) {
    const Speed speed = measure(std::string(name) + " small",
                                {built(std::string("workloads/") + name), "small"}, choice, bare);
    logarithms.functional += std::log(speed.functional);
    logarithms.timed += std::log(speed.timed);
    ++count;
  }
  const Speed mean{std::exp(logarithms.functional / count), std::exp(logarithms.timed / count)};
  fmt::print("{:22} {:10} {:12.2f} {:8.4f} {:12.3f} {:8.5f}\n", "geometric mean, small", "",
             mean.functional, mean.functional / bare, mean.timed, mean.timed / bare);
}

// The user time of a run is the smallest of several, for other work on the machine only ever adds
// to it.
double least_user_seconds(const std::vector<std::string>& arguments, int repeats,
                          std::uint64_t& instructions) {
  double least = 0;
  for (int i = 0; i < repeats; ++i) {
    const Run run = run_heddle(arguments);
    instructions = run.total("warp_instructions");
    if (i == 0 || run.user_s < least) least = run.user_s;
  }
  return std::max(least, 1e-3);
}

// Beside the established simulator: its larger runs, those with the L2 filled by the copy, where
// its time was measured.
void report_reference(int repeats) {
  const double bare = bare_loop_speed();
  fmt::print(
      "bare interpretation loop: {:.1f} M warp instructions/s; user time, least of {} runs\n", bare,
      repeats);
  fmt::print("{:10} {:8} {:8} {:6} {:>10} {:>9} {:>12} {:>14} {:>8}\n", "program", "size", "GPU",
             "policy", "M instr.", "user s", "M instr./s", "reference", "times");
  double logarithms = 0, lowest = 0;
  int count = 0;
  for (const Row& row : reference_figures()) {
    const auto measured = row.find("kilo_warp_instructions_per_s");
    if (measured == row.end() || measured->second.empty() || row.at("l2_filled_by_memcpy") != "yes")
      continue;
    const double there = std::stod(measured->second);
    const std::string name = row.at("program"),
                      registers = name + "=" + std::to_string(reference_program(name).registers);
    std::uint64_t instructions = 0;
    const double seconds = least_user_seconds(
        {"--gpu", row.at("gpu"), "--scheduler", row.at("scheduler"), "--registers", registers,
         "--set", "memory.memcpy_fills_l2=true", built("bench/" + name), row.at("size")},
        repeats, instructions);
    const double here = static_cast<double>(instructions) * 1e-6 / seconds,
                 times = here * 1e3 / there;
    fmt::print("{:10} {:8} {:8} {:6} {:10.3f} {:9.3f} {:12.3f} {:14.5f} {:8.1f}\n", name,
               row.at("size"), row.at("gpu"), row.at("scheduler"),
               static_cast<double>(instructions) * 1e-6, seconds, here, there * 1e-3, times);
    std::fflush(stdout);
    logarithms += std::log(times);
    lowest = count++ ? std::min(lowest, times) : times;
  }
  fmt::print("geometric mean of {}: {:.1f} times the reference; the lowest {:.1f}\n", count,
             std::exp(logarithms / count), lowest);
}

// By the clock, the least of several runs: for other work on the machine only ever adds to it.
struct ClockTimes {
  double kernels = 1e9, process = 1e9;
};

ClockTimes lesser(const ClockTimes& a, const Run& run) {
  const auto& host = run.results.at("host");
  return {std::min(a.kernels, std::max(1e-6, host.at("kernel_seconds").get<double>())),
          std::min(a.process, run.wall_s)};
}

struct Machine {
  const char* gpu;
  std::uint32_t threads;
};  // that all its SMs hold
constexpr Machine kMachines[] = {
    {"gtx480", 15 * 1536}, {"titanx", 28 * 2048}, {"qv100", 80 * 2048}};

// Programs with a thread, or a few elements, for each of at least so many threads: they fill a
// machine that holds them.
std::vector<std::vector<std::string>> programs_of(std::uint32_t threads) {
  const auto up = [](std::uint32_t n, std::uint32_t step) { return (n + step - 1) / step * step; };
  const auto text = [](std::uint32_t n) { return std::to_string(n); };
  const std::uint32_t edge = up(static_cast<std::uint32_t>(std::ceil(std::sqrt(threads))), 16);
  return {{built("bench/sgemm"), text(std::max(256u, edge))},
          {built("bench/vecadd"), "1048576"},
          {built("bench/spmv"), text(up(threads, 128))},
          {built("bench/reduce"), "1048576"},
          {built("workloads/kmeans"), threads < 100'000 ? "34" : "16", text(up(threads, 256)), "5",
           "1"},
          {built("workloads/laplace3d"), "256", text(up(threads / 256, 4)), "16"}};
}

void report_threads(int threads, int repeats, const std::string& scheduler) {
  fmt::print(
      "1 and {} threads under {}, least of {} runs in turn; seconds of the launches, times faster; "
      "of the whole process, times faster\n",
      threads, scheduler, repeats);
  double logarithms = 0, lowest = 1e9;
  int count = 0;
  for (const Machine& machine : kMachines)
    for (const auto& program : programs_of(machine.threads)) {
      ClockTimes alone, shared;
      for (int i = 0; i < repeats; ++i)
        for (const int n : {1, threads}) {
          std::vector<std::string> arguments = {"--gpu",   machine.gpu, "--scheduler",
                                                scheduler, "--threads", std::to_string(n)};
          arguments.insert(arguments.end(), program.begin(), program.end());
          ClockTimes& times = n == 1 ? alone : shared;
          times = lesser(times, run_heddle(arguments));
        }
      const double times = alone.kernels / shared.kernels;
      std::string title = program[0].substr(program[0].rfind('/') + 1);
      for (std::size_t i = 1; i < program.size(); ++i) title += " " + program[i];
      fmt::print("{:7} {:24} {:7.3f} {:7.3f} {:6.2f} {:9.3f} {:7.3f} {:6.2f}\n", machine.gpu, title,
                 alone.kernels, shared.kernels, times, alone.process, shared.process,
                 alone.process / shared.process);
      std::fflush(stdout);
      logarithms += std::log(times);
      lowest = std::min(lowest, times);
      ++count;
    }
  fmt::print("launches: {:.2f} in the geometric mean of {}, {:.2f} the lowest\n",
             std::exp(logarithms / count), count, lowest);
}

int run(int argc, char** argv) {
  Choice choice;
  int reference = 0, threads = 0, repeats = 5;  // 0: not that table
  CLI::App app{"How fast Heddle simulates, beside a bare loop; or one of two other tables",
               "bench_speed"};
  app.add_option("-s,--scheduler", choice.scheduler, "warp scheduler")->capture_default_str();
  auto* const gpu = app.add_option("-g,--gpu", choice.gpu, "GPU")->capture_default_str();
  auto* const beside = app.add_option("--reference", reference,
                                      "the reference programs beside the established simulator, on "
                                      "all its GPUs; least of so many runs");
  auto* const shared = app.add_option(
      "--threads", threads,
      "one thread and so many in turn, by the clock: the launches alone, and the whole process");
  app.add_option("--repeats", repeats, "runs per case of --threads, of which the least counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000))
      ->needs(shared);
  beside->check(CLI::Range(1, 1000000))->excludes(gpu);
  shared->check(CLI::Range(1, 1000000))->excludes(gpu)->excludes(beside);
  CLI11_PARSE(app, argc, argv);
  if (reference)
    report_reference(reference);
  else if (threads)
    report_threads(threads, repeats, choice.scheduler);
  else
    report(choice);
  return 0;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_speed: {}\n", error.what());
    return 1;
  }
}
