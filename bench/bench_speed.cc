// Measures the speed of Heddle: millions of warp instructions per second of user time, per program,
// functional and timed, and the ratio to a bare interpretation loop measured in the same run.
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
    std::vector<std::string> command = register_options("sm75", name);
    command.insert(command.end(), {built("bench/" + name), size});
    measure("reference " + name + " " + size, command, choice, bare);
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

// The smallest user time of several runs: other work on the machine only adds to it.
double min_user_seconds(const std::vector<std::string>& arguments, int repeats,
                        std::uint64_t& instructions) {
  double min = 0;
  for (int i = 0; i < repeats; ++i) {
    const Run run = run_heddle(arguments);
    instructions = run.total("warp_instructions");
    if (i == 0 || run.user_s < min) min = run.user_s;
  }
  return std::max(min, 1e-3);
}

// Compares with GPGPU-Sim on its larger runs, those with an L2 that the copy filled, whose time was
// measured.
void report_reference(int repeats) {
  const double bare = bare_loop_speed();
  fmt::print(
      "bare interpretation loop: {:.1f} M warp instructions/s; user time, minimum of {} runs\n",
      bare, repeats);
  fmt::print("{:10} {:8} {:8} {:6} {:>10} {:>9} {:>12} {:>14} {:>8}\n", "program", "size", "GPU",
             "policy", "M instr.", "user s", "M instr./s", "reference", "speed-up");
  double logarithms = 0, lowest = 0;
  int count = 0;
  for (const Row& row : reference_figures()) {
    const auto measured = row.find("kilo_warp_instructions_per_s");
    if (measured == row.end() || measured->second.empty() || row.at("l2_filled_by_memcpy") != "yes")
      continue;
    const double reference = std::stod(measured->second);
    const std::string name = row.at("program");
    std::vector<std::string> command = register_options("sm75", name);
    command.insert(command.end(),
                   {"--gpu", row.at("gpu"), "--scheduler", row.at("scheduler"), "--set",
                    "memory.memcpy_fills_l2=true", built("bench/" + name), row.at("size")});
    std::uint64_t instructions = 0;
    const double seconds = min_user_seconds(command, repeats, instructions);
    const double speed = static_cast<double>(instructions) * 1e-6 / seconds,
                 speed_up = speed * 1e3 / reference;
    fmt::print("{:10} {:8} {:8} {:6} {:10.3f} {:9.3f} {:12.3f} {:14.5f} {:8.1f}\n", name,
               row.at("size"), row.at("gpu"), row.at("scheduler"),
               static_cast<double>(instructions) * 1e-6, seconds, speed, reference * 1e-3,
               speed_up);
    std::fflush(stdout);
    logarithms += std::log(speed_up);
    lowest = count++ ? std::min(lowest, speed_up) : speed_up;
  }
  fmt::print("geometric mean of {}: {:.1f} times as fast as the reference; minimum {:.1f}\n", count,
             std::exp(logarithms / count), lowest);
}

// Wall-clock seconds, the minimum of several runs: other work on the machine only adds to them.
struct ClockTimes {
  double kernels = 1e9, process = 1e9;
};

ClockTimes minimum(const ClockTimes& a, const Run& run) {
  const auto& host = run.results.at("host");
  return {std::min(a.kernels, std::max(1e-6, host.at("kernel_seconds").get<double>())),
          std::min(a.process, run.wall_s)};
}

struct Machine {
  const char* gpu;
  std::uint32_t threads;  // resident on all SMs together
};
constexpr Machine kMachines[] = {
    {"gtx480", 15 * 1536}, {"titanx", 28 * 2048}, {"qv100", 80 * 2048}};

// Programs with at least `threads` threads, or a few elements per thread: they fill a machine with
// that many resident threads.
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
      "1 and {} threads under {}, minimum of {} alternating runs; seconds of the launches and "
      "speed-up; seconds of the whole process and speed-up\n",
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
          times = minimum(times, run_heddle(arguments));
        }
      const double speed_up = alone.kernels / shared.kernels;
      std::string title = program[0].substr(program[0].rfind('/') + 1);
      for (std::size_t i = 1; i < program.size(); ++i) title += " " + program[i];
      fmt::print("{:7} {:24} {:7.3f} {:7.3f} {:6.2f} {:9.3f} {:7.3f} {:6.2f}\n", machine.gpu, title,
                 alone.kernels, shared.kernels, speed_up, alone.process, shared.process,
                 alone.process / shared.process);
      std::fflush(stdout);
      logarithms += std::log(speed_up);
      lowest = std::min(lowest, speed_up);
      ++count;
    }
  fmt::print("launches: geometric mean of {1} {0:.2f}, minimum {2:.2f}\n",
             std::exp(logarithms / count), count, lowest);
}

int run(int argc, char** argv) {
  Choice choice;
  int reference = 0, threads = 0, repeats = 5;  // 0: the table is not printed
  CLI::App app{"Measures the speed of Heddle against a bare loop, or prints another table",
               "bench_speed"};
  app.add_option("-s,--scheduler", choice.scheduler, "warp scheduler")->capture_default_str();
  auto* const gpu = app.add_option("-g,--gpu", choice.gpu, "GPU")->capture_default_str();
  auto* const compared = app.add_option("--reference", reference,
                                        "compare with GPGPU-Sim: the reference programs on all its "
                                        "GPUs; minimum of this many runs");
  auto* const shared = app.add_option(
      "--threads", threads,
      "compare one thread with this many, in wall-clock time: launches and whole process");
  app.add_option("--repeats", repeats, "runs per case of --threads; the minimum counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000))
      ->needs(shared);
  compared->check(CLI::Range(1, 1000000))->excludes(gpu);
  shared->check(CLI::Range(1, 1000000))->excludes(gpu)->excludes(compared);
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
