// A preset's parameters, what the microbenchmarks of workloads/micro measured on it, and the bounds
// of its streams.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include <toml++/toml.h>

namespace heddle::bench {

struct MicroFigures {
  toml::table gpu;                        // the effective configuration
  std::map<std::string, double> figures;  // "l2.hit" -> 145

  // Reads the lines "name value unit" that a microbenchmark prints.
  void read(std::istream& lines) {
    std::string line, name;
    double value = 0;
    while (std::getline(lines, line))
      if (std::istringstream(line) >> name >> value) figures[name] = value;
  }
  double parameter(const std::string& path, int index = -1) const {
    const auto node =
        index < 0 ? gpu.at_path(path) : gpu.at_path(path + "[" + std::to_string(index) + "]");
    if (const auto number = node.value<double>()) return *number;
    if (const auto truth = node.value<bool>()) return *truth;
    throw std::runtime_error("no parameter " + path);
  }
  // A number, or one with a unit such as "32KiB".
  double bytes(const std::string& path) const {
    const auto node = gpu.at_path(path);
    if (const auto number = node.value<double>()) return *number;
    std::string unit;
    double number = 0;
    if (!(std::istringstream(node.value_or<std::string>("")) >> number >> unit))
      throw std::runtime_error("no size " + path);
    return number * (unit == "KiB" ? 1 << 10 : unit == "MiB" ? 1 << 20 : 1);
  }
  std::string word(const std::string& path) const {
    return gpu.at_path(path).value_or<std::string>("");
  }
  double figure(const std::string& name) const {
    const auto found = figures.find(name);
    if (found == figures.end()) throw std::runtime_error("no figure " + name);
    return found->second;
  }
  double slices() const {
    return parameter("memory.channels") * parameter("memory.slices_per_channel");
  }
  // The L1 of a kernel without shared memory, and all L2 slices.
  double l1_kib() const {
    const double unified = bytes("sm.unified_size");
    return (unified ? unified - bytes("sm.shared_sizes[0]") : bytes("sm.l1d.size")) / 1024;
  }
  double l2_kib() const { return slices() * bytes("memory.l2.size") / 1024; }
};

// The bounds of streaming reads, in bytes per core cycle.
struct Ceilings {
  double peak, dram, network, queueing, misses;  // peak: the bus alone
  explicit Ceilings(const MicroFigures& c) {
    const double core = c.parameter("clocks.core"), slices = c.slices();
    const double atom = c.parameter("memory.dram.bus") * c.parameter("memory.dram.chips") *
                        c.parameter("memory.dram.burst");
    const double fetch =
        c.word("memory.l2.filling") == "lines" ? c.parameter("memory.l2.line") : 32;
    // A fetch smaller than an atom takes a whole burst.
    peak = c.parameter("memory.channels") * atom * c.parameter("memory.dram.ratio") /
           c.parameter("memory.dram.burst") * c.parameter("clocks.dram") / core;
    dram = peak * std::min(1.0, fetch / atom);
    // Each slice sends, and each cluster receives, one flit per cycle and speedup. A reply is a
    // sector or a line, and 8 bytes of header.
    const bool whole_packets = c.word("network.topology") == "local_crossbar";
    const double flits = whole_packets ? 1 : std::ceil((fetch + 8) / c.parameter("network.flit"));
    const double steps = c.parameter("network.internal_speedup"),
                 speedup = std::min(steps, c.parameter("network.output_speedup"));
    network = std::min(slices, c.parameter("clusters")) * fetch / flits * speedup *
              c.parameter("clocks.icnt") / core;
    // Inputs with one queue pass 2 - sqrt(2) of that with uniform destinations: the first packet
    // blocks those behind it (Karol, Hluchyj and Morgan, IEEE Trans. Communications 35(12), 1987).
    // A packet of one flit takes a step and the gap, which is left out for longer ones.
    const double passed = flits > 1 ? steps : steps / (1 + c.parameter("network.packet_gap"));
    queueing = network * std::min(1.0, (2 - std::sqrt(2.0)) * passed / speedup);
    // Pending lines over the unloaded latency of each.
    const double l1_fetch = c.word("sm.l1d.filling") == "lines" ? 128 : 32;
    const double of_l1 = c.parameter("clusters") * c.parameter("sms_per_cluster") *
                         c.parameter("sm.l1d.mshr_entries") * l1_fetch / c.figure("dram");
    const double of_l2 = slices * c.parameter("memory.l2.mshr_entries") * fetch *
                         c.parameter("memory.l2.fetch_sectors") /
                         (c.figure("dram") - c.figure("l2.hit"));
    misses = std::min(of_l1, of_l2);
  }
  double lowest() const { return std::min({dram, queueing, misses}); }
};

}  // namespace heddle::bench
