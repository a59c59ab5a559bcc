// Do the microbenchmarks give a preset's own parameters back?  micro_check RUN_JSON FIGURES
// FIGURES holds what latency, memory and throughput printed; RUN_JSON the configuration that they ran on.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <toml++/toml.h>

namespace {

struct Check {
  toml::table gpu;
  std::map<std::string, double> figures;
  int wrong = 0;

  double parameter(const std::string& path, int index = -1) const {
    const auto node = index < 0 ? gpu.at_path(path) : gpu.at_path(path + "[" + std::to_string(index) + "]");
    if (const auto number = node.value<double>()) return *number;
    if (const auto truth = node.value<bool>()) return *truth;
    throw std::runtime_error("no parameter " + path);
  }
  double figure(const std::string& name) const {
    const auto found = figures.find(name);
    if (found == figures.end()) throw std::runtime_error("no figure " + name);
    return found->second;
  }
  void between(const std::string& what, double least, double value, double most) {
    if (value >= least && value <= most) return;
    ++wrong;
    std::cerr << what << " is " << value << ", expected " << least << " to " << most << "\n";
  }
};

// Beyond an instruction's own latency a dependent one waits for dispatch, operands and writeback: 5 or 6 cycles, the same for all.
void instructions(Check& c) {
  struct Class { const char* name; const char* key; int index; };
  const Class classes[] = {{"int.add", "sm.int_op", 0}, {"int.max", "sm.int_op", 1}, {"int.mul", "sm.int_op", 2},
                           {"int.mad", "sm.int_op", 3}, {"int.div", "sm.int_op", 4}, {"fp32.add", "sm.fp_op", 0},
                           {"fp32.max", "sm.fp_op", 1}, {"fp32.mul", "sm.fp_op", 2}, {"fp32.fma", "sm.fp_op", 3},
                           {"fp32.div", "sm.fp_op", 4}, {"fp64.add", "sm.dp_op", 0}, {"fp64.mul", "sm.dp_op", 2},
                           {"fp64.fma", "sm.dp_op", 3}};
  const double sfu = std::max(c.parameter("sm.sfu_latency"), c.parameter("sm.sfu_interval"));
  const double overhead = c.figure("sfu") - sfu;
  c.between("the pipeline's constant share", 5, overhead, 6);
  for (const Class& k : classes) {
    const std::string key = k.key;
    const double latency = std::max(c.parameter(key + ".latency", k.index), c.parameter(key + ".interval", k.index));
    c.between(std::string(k.name) + " without the constant share", latency, c.figure(k.name) - overhead, latency);
  }
}

// Core cycles that lanes at words l x stride keep the banks busy: all parts of a warp together take as long as one with all banks would.
double bank_cycles(const Check& c, int stride) {
  const double banks = c.parameter("sm.shared.banks"), parts = c.parameter("sm.shared.warp_parts"), lanes = 32 / parts;
  const double met = std::max(1.0, banks / stride);
  return std::max(1.0, lanes / met);
}

void shared_memory(Check& c) {
  const double once = c.figure("shared.stride_1");
  c.between("shared memory's latency without the pipeline's share", c.parameter("sm.shared.latency") + 4, once,
            c.parameter("sm.shared.latency") + 7);
  for (int stride = 2; stride <= 32; stride *= 2) {
    const double more = bank_cycles(c, stride) - bank_cycles(c, 1);
    c.between("conflicts of stride " + std::to_string(stride), more, c.figure("shared.stride_" + std::to_string(stride)) - once, more);
  }
}

// Every level costs what its own delays add up to, and more than the level before.
void memory(Check& c) {
  const double core = c.parameter("clocks.core"), l2 = core / c.parameter("clocks.l2"), dram = core / c.parameter("clocks.dram");
  if (!c.parameter("sm.global_loads_skip_l1d"))
    c.between("l1.hit", c.parameter("sm.l1d.hit_latency") + 3, c.figure("l1.hit"), c.parameter("sm.l1d.hit_latency") + 7);
  const double to_l2 = c.parameter("memory.rop_latency") * l2 + 2 * c.parameter("network.latency");
  c.between("l2.hit", to_l2, c.figure("l2.hit"), to_l2 + 30);
  const double closed_row = (c.parameter("memory.dram.rcd") + c.parameter("memory.dram.cl")) * dram;
  const double below = c.parameter("memory.dram_latency") * l2 + closed_row;
  c.between("dram beyond l2.hit", below * 0.9, c.figure("dram") - c.figure("l2.hit"), below * 1.25 + 40);
}

void bandwidth(Check& c, double least_share) {
  const double core = c.parameter("clocks.core");
  const double peak = c.parameter("memory.channels") * c.parameter("memory.dram.bus") * c.parameter("memory.dram.chips") *
                      c.parameter("memory.dram.ratio") * c.parameter("clocks.dram") / core;
  c.between("dram's share of its peak", least_share, c.figure("throughput.dram") / peak, 1);
  c.between("shared memory's bytes per cycle", 0.4 * 4 * c.parameter("sm.shared.banks"), c.figure("throughput.shared"),
            4 * c.parameter("sm.shared.banks"));
  // Every bank delivers what a fill brings, a sector or a line, per cycle.
  const bool sectors = c.gpu.at_path("sm.l1d.filling").value<std::string>() == "sectors";
  const double l1_peak = (sectors ? 32 : 128) * c.parameter("sm.l1d.banks");
  c.between("L1's bytes per cycle", 0.5 * l1_peak, c.figure("throughput.l1"), l1_peak);
  c.between("L2's bytes per cycle", c.figure("throughput.dram"), c.figure("throughput.l2"), 1e9);
  c.between("atomics on many words", c.figure("atomics.one_word"), c.figure("atomics.spread"), 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    std::ifstream run(argv[1]), figures(argv[2]);
    Check c;
    c.gpu = toml::parse(nlohmann::json::parse(run).at("configuration").at("toml").get<std::string>());
    std::string line, name;
    double value = 0;
    while (std::getline(figures, line))
      if (std::istringstream(line) >> name >> value) c.figures[name] = value;
    instructions(c);
    shared_memory(c);
    memory(c);
    if (c.figures.contains("throughput.dram")) bandwidth(c, 0.6);
    return c.wrong ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
