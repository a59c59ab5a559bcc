// Measures what each policy costs the simulator: the host's work per warp instruction and per
// simulated SM cycle, as ratios to gto, workload by workload. A policy that makes the program take
// more cycles has more to simulate, so the lower of both ratios counts. The work is counted in host
// instructions (exact), or measured as user time: the median ratio of runs that alternate with gto.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "runs.h"
#include "sched/catalogue.h"

namespace heddle::bench {
namespace {

constexpr double kMaxCost = 1.15;
constexpr double kMaxCostWithMechanism = 1.30;  // for cawa's cache part and mascar's queue
constexpr double kMinUserTime_s = 1;            // of one measurement

struct Input {
  std::string workload;
  std::vector<std::string> arguments;
};

// The ten workloads: large enough to fill the SMs of gtx480, short enough to be counted.
const std::vector<Input> kInputs = {{"vecadd", {"65536"}},
                                    {"matmul", {"96"}},
                                    {"spmv_scalar", {"23040", "2"}},
                                    {"spmv_vector", {"2880", "20"}},
                                    {"bfs", {"8192", "3"}},
                                    {"kmeans", {"4", "23040", "3", "1"}},
                                    {"streamcluster", {"8", "23040", "2", "1"}},
                                    {"laplace3d", {"128", "60", "4"}},
                                    {"reduction", {"131072"}},
                                    {"blackscholes", {"23040"}}};

struct Choice {
  std::string gpu = "gtx480";
  bool time = false;
  int repeat = 5;
  std::vector<std::string> policies;
  std::vector<Input> inputs = kInputs;
};

struct Cost {
  double per_instruction = 0, per_cycle = 0;
};

Cost measure(const Choice& choice, const std::string& policy, const Input& input) {
  std::vector<std::string> arguments{"--gpu", choice.gpu, "--scheduler", policy,
                                     built("workloads/" + input.workload)};
  arguments.insert(arguments.end(), input.arguments.begin(), input.arguments.end());
  double work = 0, instructions = 0, cycles = 0;
  do {
    const Run run = choice.time ? run_heddle(arguments) : count_instructions(arguments);
    work += choice.time ? run.user_s : static_cast<double>(run.host_instructions);
    instructions += static_cast<double>(run.total("warp_instructions"));
    cycles += static_cast<double>(run.total("sm.cycles"));
  } while (choice.time && work < kMinUserTime_s);
  return {work / instructions, work / cycles};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The policy's cost divided by gto's.
Cost compare(const Choice& choice, const std::string& policy, const Input& input,
             std::optional<Cost>& gto) {
  std::vector<double> instruction, cycle;
  for (int i = 0; i < (choice.time ? choice.repeat : 1); ++i) {
    if (choice.time || !gto) gto = measure(choice, "gto", input);
    const Cost cost = measure(choice, policy, input);
    instruction.push_back(cost.per_instruction / gto->per_instruction);
    cycle.push_back(cost.per_cycle / gto->per_cycle);
  }
  return {median(instruction), median(cycle)};
}

void report(const Choice& choice) {
  fmt::print(
      "{} as a ratio to gto on {}: per warp instruction, per SM cycle; !: the lower ratio exceeds "
      "the limit\n{:26}",
      choice.time ? fmt::format("user time (median of {})", choice.repeat) : "host instructions",
      choice.gpu, "");
  for (const Input& input : choice.inputs) fmt::print(" {:>13.13}", input.workload);
  fmt::print(" {:>8}\n", "mean");
  std::map<std::string, std::optional<Cost>> gto;
  for (const std::string& policy : choice.policies) {
    const double max = policy.starts_with("mascar") || policy.starts_with("cawa")
                           ? kMaxCostWithMechanism
                           : kMaxCost;
    fmt::print("{:26.26}", policy);
    double logarithms = 0;
    for (const Input& input : choice.inputs) {
      const Cost cost = compare(choice, policy, input, gto[input.workload]);
      const double lower = std::min(cost.per_instruction, cost.per_cycle);
      logarithms += std::log(lower);
      fmt::print(" {:>6.2f} {:>5.2f}{}", cost.per_instruction, cost.per_cycle,
                 lower > max ? "!" : " ");
      std::fflush(stdout);
    }
    fmt::print(" {:>7.2f}\n", std::exp(logarithms / static_cast<double>(choice.inputs.size())));
  }
}

// The named workloads of the ten, with `size` if it is given.
std::vector<Input> choose_inputs(const std::vector<std::string>& names, const std::string& size) {
  std::vector<Input> inputs;
  for (const Input& input : kInputs)
    if (names.empty() || std::find(names.begin(), names.end(), input.workload) != names.end())
      inputs.push_back(
          {input.workload, size.empty() ? input.arguments : std::vector<std::string>{size}});
  if (!names.empty() && inputs.size() != names.size())
    throw std::runtime_error("--workloads names a workload that is not one of the ten");
  return inputs;
}

int run(int argc, char** argv) {
  Choice choice;
  std::vector<std::string> workloads;
  std::string size, measured = "instructions";
  for (const auto& policy : sched::list_policies())
    if (sched::parse_policy(policy.name)->missing_input().empty() && policy.name != "gto")
      choice.policies.push_back(policy.name);
  CLI::App app{"Measures what each policy costs the simulator, compared with gto", "policy_cost"};
  app.add_option("--measure", measured, "host instructions, counted by valgrind, or user time")
      ->check(CLI::IsMember({"instructions", "time"}))
      ->capture_default_str();
  app.add_option("-g,--gpu", choice.gpu, "GPU")->capture_default_str();
  app.add_option("--size", size, "size of every workload; by default large enough to fill gtx480")
      ->check(CLI::IsMember({"tiny", "small", "full"}));
  app.add_option("--repeat", choice.repeat, "measurements of user time; the median counts")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--policies", choice.policies, "separated by ; (all by default)")->delimiter(';');
  app.add_option("--workloads", workloads, "separated by ; (all ten by default)")->delimiter(';');
  CLI11_PARSE(app, argc, argv);
  choice.time = measured == "time";
  choice.inputs = choose_inputs(workloads, size);
  report(choice);
  return 0;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "policy_cost: {}\n", error.what());
    return 1;
  }
}
