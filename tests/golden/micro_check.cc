// Do the microbenchmarks give a preset's own parameters back, and has the page these figures?
//   micro_check RUN_JSON FIGURES PRESET PAGE
// FIGURES holds what latency, memory, capacity and throughput printed; RUN_JSON the configuration
// that they ran on.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "bench/micro_page.h"

namespace {

using namespace heddle;

struct Check : bench::MicroFigures {
  int wrong = 0;

  void between(const std::string& what, double least, double value, double most) {
    if (value >= least && value <= most) return;
    ++wrong;
    std::cerr << what << " is " << value << ", expected " << least << " to " << most << "\n";
  }
};

bool is_guided(const Check& c) { return c.word("sm.core") == "compiler_guided"; }

// Beyond an instruction's own latency and the delay of its writeback, a dependent one waits for
// dispatch and operands: 3 or 4 cycles, the same for all. In a compiler-guided core, it waits three
// cycles, and for the unit from issue to issue.
void instructions(Check& c) {
  struct Class {
    const char* name;
    const char* key;
    int index;
  };
  const Class classes[] = {
      {"int.add", "sm.int_op", 0}, {"int.max", "sm.int_op", 1}, {"int.mul", "sm.int_op", 2},
      {"int.mad", "sm.int_op", 3}, {"int.div", "sm.int_op", 4}, {"fp32.add", "sm.fp_op", 0},
      {"fp32.max", "sm.fp_op", 1}, {"fp32.mul", "sm.fp_op", 2}, {"fp32.fma", "sm.fp_op", 5},
      {"fp32.div", "sm.fp_op", 4}, {"fp64.add", "sm.dp_op", 0}, {"fp64.mul", "sm.dp_op", 2},
      {"fp64.fma", "sm.dp_op", 5}};
  const double sfu = std::max(c.parameter("sm.sfu_latency"), c.parameter("sm.sfu_interval"));
  const double overhead = c.figure("sfu") - sfu;
  const bool guided = is_guided(c);
  const double writeback = guided ? 0 : c.parameter("sm.writeback_delay");
  c.between("the pipeline's constant share", writeback + 3, overhead, writeback + (guided ? 3 : 4));
  for (const Class& k : classes) {
    const std::string key = k.key;
    const bool as_mad = k.index == 5 && c.parameter(key + ".latency", 5) == 0;
    const int index = as_mad ? 3 : k.index;
    const double latency = c.parameter(key + ".latency", index),
                 interval = c.parameter(key + ".interval", index),
                 expected = guided ? std::max(latency + overhead, interval)
                                   : std::max(latency, interval) + overhead;
    c.between(k.name, expected, c.figure(k.name), expected);
  }
}

// Core cycles that lanes at words l x stride keep the banks busy: all parts of a warp together take
// as long as one with all banks would.
double bank_cycles(const Check& c, int stride) {
  const double banks = c.parameter("sm.shared.banks"), parts = c.parameter("sm.shared.warp_parts"),
               lanes = 32 / parts;
  const double met = std::max(1.0, banks / stride);
  return std::max(1.0, lanes / met);
}

void shared_memory(Check& c) {
  const double once = c.figure("shared.stride_1");
  const double least =
      c.parameter("sm.shared.latency") + (c.parameter("sm.collectors_step_in_lsu") ? 3 : 4);
  c.between("shared memory's latency without the pipeline's share", least, once,
            c.parameter("sm.shared.latency") + 7);
  for (int stride = 2; stride <= 32; stride *= 2) {
    const double more = (bank_cycles(c, stride) - bank_cycles(c, 1)) *
                        (is_guided(c) ? c.parameter("sm.guided.conflict_cycles") : 1);
    c.between("conflicts of stride " + std::to_string(stride), more,
              c.figure("shared.stride_" + std::to_string(stride)) - once, more);
  }
}

// Every level costs what its own delays add up to, and more than the level before.
void memory(Check& c) {
  const double core = c.parameter("clocks.core"), dram = core / c.parameter("clocks.dram");
  // Behind the tags, the latency counts cycles of the load/store unit.
  const bool direct = c.word("sm.l1d_access") == "direct";
  const double hit =
      c.parameter("sm.l1d.hit_latency") / (direct ? c.parameter("sm.shared.warp_parts") : 1);
  if (!c.parameter("sm.global_loads_skip_l1d"))
    c.between("l1.hit", hit + 3, c.figure("l1.hit"), hit + (direct ? 8 : 7));
  const double to_l2 = c.parameter("memory.rop_latency") + c.parameter("network.request_latency") +
                       c.parameter("network.reply_latency");
  // The other half of the L2 takes longer; rings of a few blocks may be in either. h200_guided has
  // halves, and data that the host copied in its L2.
  const double far = c.parameter("memory.far_latency");
  c.between("l2.hit", to_l2, c.figure("l2.hit"), to_l2 + far + 30);
  if (far > 0) {
    c.between("l2.nearest", to_l2, c.figure("l2.nearest"), to_l2 + 30);
    c.between("l2.farthest beyond l2.nearest", far - 1,
              c.figure("l2.farthest") - c.figure("l2.nearest"), far + 3);
  }
  const auto of_stride = [](const char* level, int stride) {
    return std::string(level) + ".stride_" + std::to_string(stride);
  };
  for (int stride = 32; stride <= 1024; stride *= 2)
    c.between(of_stride("l2", stride), to_l2, c.figure(of_stride("l2", stride)), to_l2 + far + 30);
  const double closed_row = (c.parameter("memory.dram.rcd") + c.parameter("memory.dram.cl")) * dram;
  const double below = c.parameter("memory.dram_latency") + closed_row;
  // Short strides find rows open, long ones other rows; 8 cycles are for edges of clocks, 8 more
  // for a line's second burst and for tRAS.
  const double open_row = below - c.parameter("memory.dram.rcd") * dram,
               other_row = below + c.parameter("memory.dram.rp") * dram + 8;
  for (int stride = 256; stride <= 16384; stride *= 4)
    c.between(of_stride("dram", stride) + " beyond l2.hit", open_row * 0.99 - far,
              c.figure(of_stride("dram", stride)) - c.figure("l2.hit"), other_row + far + 8);
  c.between("dram beyond l2.hit", below * 0.99 - far, c.figure("dram") - c.figure("l2.hit"),
            other_row + far);
}

// A local variable is an L1 hit and the arithmetic of its address, three instructions at least.
// Where hits are short, the loop's counter and branches take longer, since a warp issues in order.
void local_memory(Check& c) {
  constexpr double kLoop = 52;
  const double hit = c.figure("l1.hit"),
               address = 6 + (is_guided(c) ? 0 : 3 * c.parameter("sm.writeback_delay"));
  c.between("l1.local", hit + address, c.figure("l1.local"), std::max(hit + 24, kLoop));
}

// A line that nobody has read costs a DRAM access behind the L1's own delay; the line's other words
// then hit in L1 where lines are filled whole.
void cold(Check& c) {
  const bool direct = c.word("sm.l1d_access") == "direct";
  const double l1 = direct ? 0 : c.parameter("sm.l1d.hit_latency"),
               whole = c.figure("cold.stride_128"), far = c.parameter("memory.far_latency");
  for (int stride = 128; stride <= 512; stride *= 2)
    c.between("cold.stride_" + std::to_string(stride), c.figure("dram") + l1 - 30 - far,
              c.figure("cold.stride_" + std::to_string(stride)), c.figure("dram") + l1 + 15 + far);
  const bool lines = c.word("sm.l1d.filling") == "lines";
  const double fetched = 32 * c.parameter("memory.l2.fetch_sectors");
  for (int stride = 32; stride <= 64; stride *= 2) {
    // The other words of what the L1 fills hit in the L1, those of what the L2 fetches in the L2.
    const double misses = lines ? stride / 128.0 : std::min(1.0, stride / fetched),
                 other = lines ? c.figure("l1.hit") : c.figure("l2.hit") + l1,
                 expected = misses * whole + (1 - misses) * other;
    c.between("cold.stride_" + std::to_string(stride), expected * 0.95 - far,
              c.figure("cold.stride_" + std::to_string(stride)), expected * 1.05 + far);
  }
}

// 16 MiB is the largest footprint that is tried.
void capacities(Check& c) {
  const double l1 = c.l1_kib(), l2 = c.l2_kib();
  c.between("l1.capacity", l1 * 0.99, c.figure("l1.capacity"), l1 * 1.01);
  // An L2 that is emptied between kernels holds nothing for the next one.
  if (l2 <= 8 * 1024 && !c.parameter("memory.flush_l2_at_kernel_end"))
    c.between("l2.capacity", l2 * 0.9, c.figure("l2.capacity"), l2 * 1.1);
}

void bandwidth(Check& c) {
  const bench::Ceilings ceilings(c);
  std::cerr << "ceilings: dram " << ceilings.dram << ", network " << ceilings.network
            << ", with queues " << ceilings.queueing << ", misses " << ceilings.misses << "\n";
  c.between("dram's bytes per cycle", 0.6 * ceilings.lowest(), c.figure("throughput.dram"),
            std::min(ceilings.dram, ceilings.network));
  c.between("L2's bytes per cycle", 0.5 * ceilings.queueing, c.figure("throughput.l2"),
            ceilings.network);
  // The banks serve all portions of a warp in one core cycle.
  const double shared_peak =
      4 * c.parameter("sm.shared.banks") * c.parameter("sm.shared.warp_parts");
  c.between("shared memory's bytes per cycle", 0.4 * shared_peak, c.figure("throughput.shared"),
            shared_peak);
  // Every bank delivers what a fill brings, a sector or a line, per cycle; with one scheduler,
  // issue takes longer than that.
  const double l1_peak =
      (c.word("sm.l1d.filling") == "sectors" ? 32 : 128) * c.parameter("sm.l1d.banks");
  c.between("L1's bytes per cycle", 0.3 * l1_peak, c.figure("throughput.l1"), l1_peak);
  // A slice performs one atomic access per L2 cycle, with up to eight words of a sector; where
  // atomics are combined, with all lanes of a warp.
  const double accesses = c.parameter("clocks.l2") / c.parameter("clocks.core");
  const bool combined = c.parameter("sm.combined_atomics");
  c.between("atomics on one word per cycle", 0.28 * accesses, c.figure("atomics.one_word"),
            combined ? 32 * accesses : accesses);
  c.between("atomics on many words per cycle",
            (combined ? 0.5 : 1.5) * c.figure("atomics.one_word"), c.figure("atomics.spread"),
            8 * accesses * c.slices());
}

void rows_of_page(Check& c, const std::string& preset, const std::string& path) {
  std::ifstream page(path);
  std::stringstream shown;
  shown << page.rdbuf();
  std::istringstream now(
      bench::filled(shown, [&](const std::string& name) { return name == preset ? &c : nullptr; }));
  std::istringstream before(shown.str());
  for (std::string line, old; std::getline(now, line) && std::getline(before, old);) {
    if (line == old) continue;
    ++c.wrong;
    std::cerr << path << " has " << old << "\nit is " << line
              << "\nbuild/bin/micro_tables corrects the page\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    std::ifstream run(argv[1]), figures(argv[2]);
    Check c;
    c.gpu =
        toml::parse(nlohmann::json::parse(run).at("configuration").at("toml").get<std::string>());
    c.read(figures);
    instructions(c);
    shared_memory(c);
    memory(c);
    local_memory(c);
    cold(c);
    capacities(c);
    bandwidth(c);
    rows_of_page(c, argv[3], argv[4]);
    return c.wrong ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
