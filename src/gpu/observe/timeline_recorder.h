// Records the activity of SMs, L2 slices and DRAM banks in a range of cycles. Every part has its
// own lists.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/gpu_spec.h"
#include "gpu/observe/register_writers.h"
#include "mem/observer.h"
#include "sm/issue/observer.h"
#include "stats/timeline.h"

namespace heddle::gpu {

struct TimeWindow {
  Cycle from, to;
  bool holds(Cycle c) const { return c >= from && c < to; }
};

// The activity of a warp in a cycle, named after the slot uses.
enum class WarpState : std::uint8_t {
  absent,
  issue,
  not_chosen,  // issuable; its scheduler picked another warp
  vetoed,      // issuable; its scheduler picked none
  cta_paused,  // issuable, but for the pause of its CTA
  pipeline,
  scoreboard,
  instruction_buffer_empty,
  barrier,
  memory_barrier,  // or an atomic
  copies,
  device_call,
  finishing
};
inline constexpr std::size_t kWarpStates = 13;

// Slices and samples of one part, ordered by time.
struct Record {
  static constexpr std::size_t kMost = std::size_t{1} << 21;
  std::vector<stats::Timeline::Slice> slices;
  std::vector<stats::Timeline::Sample> samples;
  std::vector<stats::Timeline::Cta> ctas;
  bool truncated = false;

  void slice(const stats::Timeline::Slice& s) {
    room(slices.size()) ? slices.push_back(s) : void();
  }
  void sample(const stats::Timeline::Sample& s) {
    room(samples.size()) ? samples.push_back(s) : void();
  }
  void cta(stats::Timeline::Cta c) { room(ctas.size()) ? ctas.push_back(std::move(c)) : void(); }

 private:
  bool room(std::size_t size) { return size < kMost || !(truncated = true); }
};

// A track whose value is recorded when it changes.
struct Gauge {
  std::uint32_t track = 0;
  std::uint64_t last = ~std::uint64_t{0};
  void note(Record& record, std::uint64_t at, std::uint64_t value) {
    if (value == last) return;
    last = value;
    record.sample({track, at, value});
  }
};

class SmTimeline {
 public:
  SmTimeline(int sm, const config::GpuSpec& spec, TimeWindow window, stats::Timeline& timeline,
             std::uint32_t first_state_name, std::uint32_t first_unit_name, std::uint32_t cta_name);

  // The name before that of the first place is the kernel's.
  void begin_kernel(std::uint32_t first_place_name, int kernel = 0) {
    if (places_.size() <= static_cast<std::size_t>(kernel))
      places_.resize(static_cast<std::size_t>(kernel) + 1);
    places_[static_cast<std::size_t>(kernel)] = first_place_name;
  }
  void cta_started(std::uint64_t cta, WarpMask warps, int kernel = 0);
  void cta_finished(Cycle started, Cycle now, std::uint64_t cta, int kernel = 0);
  void issued(const sm::SmObserver::Issued& issued);
  void passed(const sm::SmObserver::Passed& passed);
  // Ends all open slices.
  void finish(Cycle now);
  const Record& record() const { return record_; }
  // A CTA slice holds the CTA's number here until the names are made.
  static constexpr std::uint32_t kCtaBit = 1u << 31;

 private:
  struct Activity {
    WarpState state = WarpState::absent;
    // Names of the instruction and of what it waits for.
    std::uint32_t detail = stats::Timeline::kNone, cause = stats::Timeline::kNone;
    friend bool operator==(const Activity&, const Activity&) = default;
  };
  struct Open {
    Activity what;
    Cycle since;
  };
  WarpState state_of(WarpSlot w, const sm::SmObserver::Passed& p) const;
  // The name of what the warp waits for: a unit, or the instruction that writes the operand.
  std::uint32_t cause_of(WarpSlot w, WarpState state, const sm::WarpTable& warps,
                         std::uint32_t places) const;
  void enter(WarpSlot w, Cycle now, const Activity& entered);
  std::uint64_t clipped(Cycle c) const;

  std::uint32_t sm_;
  TimeWindow window_;
  std::uint32_t states_, units_, cta_name_;
  std::vector<std::uint32_t> places_{1};  // by number of the kernel
  std::array<std::uint32_t, kMaxWarpsPerSm> warp_tracks_{}, cta_tracks_{};
  std::array<Open, kMaxWarpsPerSm> open_{};
  struct Cta {
    std::uint64_t number;
    WarpMask warps;
    int kernel;
  };
  std::vector<Cta> ctas_;
  WarpMask issued_now_;
  std::array<Pc, kMaxWarpsPerSm> issued_pc_{};
  RegisterWriters writers_;
  Cycle issued_at_;
  Gauge mshrs_, miss_queue_, resident_;
  Record record_;
};

class SliceTimeline {
 public:
  SliceTimeline(std::uint32_t slice, TimeWindow window, stats::Timeline& timeline,
                std::uint32_t parent);
  void queues(Cycle now, std::size_t waiting, std::uint32_t mshrs);
  const Record& record() const { return record_; }

 private:
  TimeWindow window_;
  Gauge waiting_, mshrs_;
  Record record_;
};

class NetworkTimeline {
 public:
  // One counter per input, named `input` and its number.
  NetworkTimeline(const std::string& name, const std::string& input, std::uint32_t inputs,
                  TimeWindow window, stats::Timeline& timeline, std::uint32_t parent);
  void queue(std::uint32_t input, Cycle now, std::size_t packets);
  const Record& record() const { return record_; }

 private:
  TimeWindow window_;
  std::vector<Gauge> waiting_;
  Record record_;
};

class ChannelTimeline {
 public:
  ChannelTimeline(std::uint32_t channel, const config::GpuSpec& spec, TimeWindow window,
                  stats::Timeline& timeline, std::uint32_t parent,
                  std::uint32_t first_command_name);
  void command(std::uint32_t bank, mem::DramCommand command, std::uint32_t row, std::uint64_t cycle,
               std::uint64_t ends);
  void queue(std::uint64_t cycle, std::uint32_t waiting);
  const Record& record() const { return record_; }

 private:
  std::uint64_t units(std::uint64_t dram_cycle) const;

  TimeWindow window_;
  double core_per_dram_;
  std::uint32_t commands_;
  std::vector<std::uint32_t> bank_tracks_;
  std::vector<std::size_t> last_;  // by bank: its last slice, which ends when the next one begins
  Gauge waiting_;
  Record record_;
};

}  // namespace heddle::gpu
