// What each policy costs the simulator: user time per warp instruction and per simulated core cycle, as ratios to gto's, workload by
// workload. A policy that makes the program take more cycles has more to simulate, so the lower of both ratios counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runs.h"
#include "sched/catalogue.h"

namespace heddle::bench {
namespace {

constexpr double kMostCost = 1.15;

struct Choice {
  std::string gpu = "gtx480", size = "small";
  int repeat = 3;
  std::vector<std::string> policies, workloads{"vecadd", "matmul", "spmv_scalar", "spmv_vector", "bfs", "kmeans", "streamcluster", "laplace3d", "reduction", "blackscholes"};
};

struct Cost { double per_instruction = 0, per_cycle = 0; };

// The best of several runs: whatever else the machine does only adds.
Cost measure(const Choice& choice, const std::string& policy, const std::string& workload) {
  Cost best{1e30, 1e30};
  for (int i = 0; i < choice.repeat; ++i) {
    const Run run = run_heddle({"--gpu", choice.gpu, "--scheduler", policy, built("workloads/" + workload), choice.size});
    best.per_instruction = std::min(best.per_instruction, run.user_s / static_cast<double>(run.total("warp_instructions")));
    best.per_cycle = std::min(best.per_cycle, run.user_s / static_cast<double>(run.total("sm.cycles")));
  }
  return best;
}

// User time of policy over user time of gto, runs of both taken in turn.
void report(const Choice& choice) {
  fmt::print("user time over gto's on {}, {} inputs, best of {}: per warp instruction, per SM cycle\n{:26}", choice.gpu, choice.size, choice.repeat, "");
  for (const std::string& workload : choice.workloads) fmt::print(" {:>13.13}", workload);
  fmt::print(" {:>8}\n", "mean");
  std::map<std::string, Cost> base;
  for (const std::string& workload : choice.workloads) base[workload] = measure(choice, "gto", workload);
  for (const std::string& policy : choice.policies) {
    fmt::print("{:26.26}", policy);
    double logarithms = 0;
    for (const std::string& workload : choice.workloads) {
      const Cost cost = measure(choice, policy, workload);
      const double instruction = cost.per_instruction / base[workload].per_instruction, cycle = cost.per_cycle / base[workload].per_cycle;
      logarithms += std::log(std::min(instruction, cycle));
      fmt::print(" {:>6.2f} {:>5.2f}{}", instruction, cycle, std::min(instruction, cycle) > kMostCost ? "!" : " ");
      std::fflush(stdout);
    }
    fmt::print(" {:>7.2f}\n", std::exp(logarithms / static_cast<double>(choice.workloads.size())));
  }
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ';') parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Choice choice;
  for (const auto& policy : heddle::sched::list_policies())
    if (heddle::sched::parse_policy(policy.name)->lacks().empty()) choice.policies.push_back(policy.name);
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (key == "--gpu" && !value.empty()) choice.gpu = value;
    else if (key == "--size" && !value.empty()) choice.size = value;
    else if (key == "--repeat" && std::atoi(value.c_str()) > 0) choice.repeat = std::atoi(value.c_str());
    else if (key == "--policies" && !value.empty()) choice.policies = heddle::bench::split(value);
    else if (key == "--workloads" && !value.empty()) choice.workloads = heddle::bench::split(value);
    else {
      fmt::print(stderr, "usage: policy_cost [--gpu NAME] [--size tiny|small] [--repeat N] [--policies 'A;B'] [--workloads 'A;B']\n");
      return 2;
    }
  }
  try {
    heddle::bench::report(choice);
  } catch (const std::exception& error) {
    fmt::print(stderr, "policy_cost: {}\n", error.what());
    return 1;
  }
}
