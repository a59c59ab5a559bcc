// A DRAM channel under random traffic, compared with a reference model that searches the whole
// command history for every timing rule, and checked by an observer that tests each command against
// all earlier ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "mem/dram_channel.h"

namespace heddle::mem {
namespace {

struct Command {
  DramCommand kind;
  std::uint32_t bank, row;
  std::uint64_t cycle;
};

bool is_column(DramCommand kind) { return kind == DramCommand::read || kind == DramCommand::write; }

// The minimum distance in cycles of a command from an earlier one; 0 when no rule applies.
std::uint64_t distance(const config::DramSpec& s, const Command& first, const Command& then) {
  const std::uint64_t burst = std::max(1u, s.burst / s.ratio);
  const bool bank = first.bank == then.bank,
             group = first.bank % s.bank_groups == then.bank % s.bank_groups;
  std::uint64_t apart = 0;
  const auto need = [&](bool applies, std::uint64_t cycles) {
    if (applies) apart = std::max(apart, cycles);
  };
  using enum DramCommand;
  const auto are = [&](DramCommand a, DramCommand b) { return first.kind == a && then.kind == b; };
  need(are(activate, activate), s.rrd);
  need(are(activate, activate) && bank, s.rc);
  need(are(activate, read) && bank, s.rcd);
  need(are(activate, write) && bank, s.rcd > s.wl + 1 ? s.rcd - s.wl - 1 : 0);
  need(are(activate, precharge) && bank, s.ras);
  need(are(precharge, activate) && bank, s.rp);
  need(is_column(first.kind) && is_column(then.kind), s.ccd);
  need(is_column(first.kind) && is_column(then.kind) && group, s.ccdl);
  need(are(read, write), s.cl + burst + 2 - std::min<std::uint64_t>(s.wl, s.cl + burst + 2));
  need(are(write, read), s.wl + burst + s.cdlr);
  need(are(read, precharge) && bank, burst);
  need(are(read, precharge) && group, s.rtpl);
  need(are(write, precharge) && bank, s.wl + burst + s.wr);
  return apart;
}

// Whether four earlier activates are all younger than tFAW.
bool breaks_faw(const config::DramSpec& s, const std::vector<Command>& history,
                const Command& then) {
  return then.kind == DramCommand::activate &&
         std::count_if(history.begin(), history.end(), [&](const Command& c) {
           return c.kind == DramCommand::activate && c.cycle + s.faw > then.cycle;
         }) >= 4;
}

struct Traffic {
  std::uint64_t at;
  DramRequest request;
};

struct Served {
  std::uint64_t cycle;
  std::uint32_t tag;
  friend bool operator==(const Served&, const Served&) = default;
};

// The reference model: one slice, no delay before the queue. Per cycle one request moves from the
// queue to a free bank, and one command is issued.
class ReferenceDram {
 public:
  explicit ReferenceDram(const config::DramSpec& spec)
      : s_(spec), at_bank_(spec.banks), open_(spec.banks), passes_(spec.banks) {}

  std::vector<Served> run(std::deque<Traffic> traffic) {
    const std::size_t requests = traffic.size();
    std::vector<Served> served;
    std::deque<DramRequest> slice;
    for (std::uint64_t now = 1; served.size() < requests; ++now) {
      while (!traffic.empty() && traffic.front().at <= now)
        slice.push_back(traffic.front().request), traffic.pop_front();
      if (!returning_.empty()) served.push_back({now, returning_.front()}), returning_.pop_front();
      finish(now);
      schedule();
      command(now);
      if (slice.empty() || queue_.size() >= s_.frfcfs_queue) continue;
      queue_.push_back(slice.front());
      slice.pop_front();
    }
    return served;
  }

 private:
  struct Data {
    std::uint64_t done;
    std::optional<std::uint32_t> last_of;
  };

  void finish(std::uint64_t now) {
    if (data_.empty() || data_.front().done > now) return;
    if (data_.front().last_of) returning_.push_back(*data_.front().last_of);
    data_.pop_front();
  }

  // The first free bank with requests, from the rotating start on; its first request to the open
  // row, or else its first request.
  void schedule() {
    for (std::uint32_t i = 0; i < s_.banks; ++i) {
      const std::uint32_t bank = (turn_ + i) % s_.banks;
      if (at_bank_[bank]) continue;
      auto chosen = queue_.end();
      for (auto r = queue_.begin(); r != queue_.end(); ++r) {
        if (r->bank != bank) continue;
        if (chosen == queue_.end()) chosen = r;
        if (s_.frfcfs_passes && passes_[bank] >= s_.frfcfs_passes) break;
        if (r->row == open_[bank].value_or(last_row(bank))) {
          chosen = r;
          break;
        }
      }
      if (chosen == queue_.end()) continue;
      const bool oldest = std::none_of(queue_.begin(), chosen,
                                       [&](const DramRequest& r) { return r.bank == bank; });
      passes_[bank] = oldest ? 0 : passes_[bank] + 1;
      at_bank_[bank] = *chosen;
      queue_.erase(chosen);
      turn_ = (turn_ + 1) % s_.banks;
      return;
    }
  }
  // A closed bank still prefers requests to its last row.
  std::uint32_t last_row(std::uint32_t bank) const {
    for (auto c = history_.rbegin(); c != history_.rend(); ++c)
      if (c->bank == bank && c->kind == DramCommand::activate) return c->row;
    return 0;
  }

  void command(std::uint64_t now) {
    const std::uint32_t first = turn_;
    for (std::uint32_t i = 0; i < s_.banks; ++i) {
      const std::uint32_t bank = (first + i) % s_.banks;
      auto& request = at_bank_[bank];
      if (!request) continue;
      const bool hit = open_[bank] == request->row;
      const Command next{hit            ? request->write ? DramCommand::write : DramCommand::read
                         : !open_[bank] ? DramCommand::activate
                                        : DramCommand::precharge,
                         bank, request->row, now};
      if (!allowed(next)) continue;
      history_.push_back(next);
      if (hit) {
        std::uint64_t done = now + (request->write ? s_.wl : s_.cl);
        if (!data_.empty()) done = std::max(done, data_.back().done + 1);
        request->bytes -= std::min(request->bytes, static_cast<std::uint16_t>(s_.atom_bytes()));
        data_.push_back({done, request->bytes ? std::nullopt : std::optional(request->tag)});
        if (!request->bytes) request.reset();
      } else {
        open_[bank] = open_[bank] ? std::nullopt : std::optional(request->row);
        turn_ = (bank + 1) % s_.banks;
      }
      return;
    }
  }
  bool allowed(const Command& next) const {
    if (is_column(next.kind) && data_.size() > s_.cl) return false;
    if (breaks_faw(s_, history_, next)) return false;
    return std::all_of(history_.begin(), history_.end(), [&](const Command& c) {
      return next.cycle >= c.cycle + distance(s_, c, next);
    });
  }

  config::DramSpec s_;
  std::deque<DramRequest> queue_;
  std::vector<std::optional<DramRequest>> at_bank_;
  std::vector<std::optional<std::uint32_t>> open_;
  std::vector<std::uint32_t> passes_;  // of the oldest request of each bank
  std::deque<Data> data_;
  std::deque<std::uint32_t> returning_;
  std::vector<Command> history_;
  std::uint32_t turn_ = 0;
};

class TimingChecker final : public MemoryObserver {
 public:
  explicit TimingChecker(const config::DramSpec& spec) : spec_(spec), open_(spec.banks) {}
  void l2_accessed(std::uint32_t, const Request&, const Access&) override {}
  void l2_queues(std::uint32_t, Cycle, std::size_t, std::uint32_t) override {}
  void network_queue(NetworkWay, std::uint32_t, Cycle, std::size_t) override {}
  void dram_queue(std::uint32_t, std::uint64_t, std::uint32_t waiting) override {
    EXPECT_LE(waiting, spec_.frfcfs_queue + spec_.write_queue);
  }
  void dram_command(std::uint32_t, std::uint32_t bank, DramCommand kind, std::uint32_t row,
                    std::uint64_t cycle, std::uint64_t) override {
    const Command next{kind, bank, row, cycle};
    for (const Command& c : history) {
      EXPECT_GE(cycle, c.cycle + distance(spec_, c, next))
          << "bank " << bank << " after bank " << c.bank;
      const bool own_bus = spec_.dual_command_bus && is_column(c.kind) != is_column(kind);
      EXPECT_TRUE(c.cycle < cycle || own_bus) << "two commands on one bus";
    }
    EXPECT_FALSE(breaks_faw(spec_, history, next)) << "five activates within tFAW";
    EXPECT_TRUE(!is_column(kind) || open_[bank] == row) << "no such row is open";
    EXPECT_EQ(open_[bank].has_value(), kind != DramCommand::activate);
    if (!is_column(kind))
      open_[bank] = kind == DramCommand::activate ? std::optional(row) : std::nullopt;
    history.push_back(next);
  }
  std::vector<Command> history;

 private:
  config::DramSpec spec_;
  std::vector<std::optional<std::uint32_t>> open_;
};

std::deque<Traffic> traffic_of(std::mt19937& draw, const config::DramSpec& spec, int count) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  const std::uint32_t banks = 1 + below(spec.banks), rows = 1 + below(4), writes = below(4),
                      pause = below(3) * 10;
  std::deque<Traffic> all;
  std::uint64_t at = 1;
  for (int i = 0; i < count; ++i) {
    DramRequest r;
    r.bank = static_cast<std::uint16_t>(below(banks));
    r.row = 1 + below(rows);
    r.tag = static_cast<std::uint32_t>(i);
    r.bytes = 32u << below(3);
    r.write = below(10) < writes;
    all.push_back({at, r});
    at += below(pause + 1);
  }
  return all;
}

config::DramSpec timing_of(std::mt19937& draw) {
  const auto from_to = [&](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(draw() % (high - low + 1));
  };
  config::DramSpec s;
  s.banks = 4u << from_to(0, 2);
  s.bank_groups = 1u << from_to(0, 2);
  s.ccd = from_to(1, 3), s.ccdl = s.ccd + from_to(0, 2), s.rrd = from_to(1, 8),
  s.rcd = from_to(2, 14), s.rp = from_to(2, 14);
  s.ras = s.rcd + from_to(1, 16), s.rc = s.ras + s.rp, s.cl = from_to(4, 14), s.wl = from_to(1, 6),
  s.cdlr = from_to(1, 6);
  s.wr = from_to(1, 12), s.rtpl = from_to(1, 4), s.frfcfs_queue = 1u << from_to(0, 5);
  if (draw() % 2) s.faw = 4 * s.rrd + from_to(0, 20);
  if (draw() % 2) s.frfcfs_passes = from_to(1, 4);
  return s;
}

// skips: cycles before quiet_until() are skipped.
std::vector<Served> serve(const config::DramSpec& spec, std::deque<Traffic> traffic, bool skips,
                          MemoryObserver* observer, DramStats* stats = nullptr) {
  SliceToDram slice(traffic.size() + 1, traffic.size() + 1);
  const DramEdges edges(Clocks({}), {});
  DramChannel channel(spec, {&slice}, edges, 0, false);
  channel.observe(observer, 0);
  std::vector<Served> served;
  const std::size_t requests = traffic.size();
  for (std::uint64_t now = 1; served.size() < requests && now < 1'000'000; ++now) {
    const bool comes = !traffic.empty() && traffic.front().at <= now;
    while (!traffic.empty() && traffic.front().at <= now)
      slice.requests.push(traffic.front().request), traffic.pop_front();
    if (skips && !comes &&
        now < std::min<std::uint64_t>(channel.quiet_until(), channel.first_delayed()))
      continue;
    channel.cycle(now, now);
    while (!slice.returns.empty()) served.push_back({now, slice.returns.pop().tag});
  }
  EXPECT_TRUE(channel.idle());
  if (stats) *stats = channel.stats();
  return served;
}

TEST(RandomDram, ServesInTheCyclesOfTheReferenceModel) {
  std::mt19937 draw(1);
  for (int round = 0; round < 40; ++round) {
    const config::DramSpec spec = timing_of(draw);
    const std::deque<Traffic> traffic = traffic_of(draw, spec, 120);
    EXPECT_EQ(serve(spec, traffic, false, nullptr), ReferenceDram(spec).run(traffic))
        << "round " << round;
  }
}

TEST(RandomDram, KeepsAllCommandTimingsAndLosesNoRequest) {
  std::mt19937 draw(2);
  for (int round = 0; round < 40; ++round) {
    config::DramSpec spec = timing_of(draw);
    spec.dual_command_bus = round % 2;
    spec.separate_writes = round % 4 > 1;
    const std::deque<Traffic> traffic = traffic_of(draw, spec, 120);
    TimingChecker checker(spec);
    DramStats stats;
    const std::vector<Served> served = serve(spec, traffic, true, &checker, &stats);
    std::set<std::uint32_t> tags;
    for (const Served& one : served) tags.insert(one.tag);
    EXPECT_EQ(tags.size(), traffic.size());
    std::uint64_t bursts = 0;
    for (const Traffic& one : traffic)
      bursts += (one.request.bytes + spec.atom_bytes() - 1) / spec.atom_bytes();
    EXPECT_EQ(stats.reads + stats.writes, bursts);
    EXPECT_EQ(stats.row_hits + stats.row_misses, traffic.size());
    EXPECT_LE(stats.precharges, stats.activates);
    EXPECT_EQ(stats.reads + stats.writes + stats.activates + stats.precharges,
              checker.history.size());
  }
}

TEST(RandomDram, SkippingQuietCyclesChangesNothing) {
  std::mt19937 draw(3);
  for (int round = 0; round < 40; ++round) {
    const config::DramSpec spec = timing_of(draw);
    const std::deque<Traffic> traffic = traffic_of(draw, spec, 120);
    DramStats all, few;
    EXPECT_EQ(serve(spec, traffic, true, nullptr, &few), serve(spec, traffic, false, nullptr, &all))
        << "round " << round;
    EXPECT_EQ(few.active_cycles, all.active_cycles);
    EXPECT_EQ(few.busy_bank_cycles, all.busy_bank_cycles);
  }
}

}  // namespace
}  // namespace heddle::mem
