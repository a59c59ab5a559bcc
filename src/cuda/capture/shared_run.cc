#include "cuda/capture/shared_run.h"

#include <algorithm>
#include <iterator>

#include "base/diagnostics.h"
#include "gpu/result_sum.h"

namespace heddle::cuda {
namespace {

// A program on the device, over its repetitions.
struct Seat {
  std::unique_ptr<ProgramPlayer> player;   // null: it has ended and does not begin anew
  std::vector<gpu::KernelResult> current;  // launches of the repetition that runs
  gpu::ResultSum sum;                      // of complete repetitions
};

class TogetherRun {
 public:
  TogetherRun(const config::RunSpec& spec, const std::vector<SharedProgram>& programs,
              Repeat repeat, const exec::StopRequest* stop)
      : programs_(programs),
        repeat_(repeat),
        keeps_all_(spec.timed.samples_waves),
        device_(spec, places_of(programs)) {
    device_.set_stop(stop);
    seats_.resize(programs.size());
    run_.programs.resize(programs.size());
    for (std::uint32_t i = 0; i < seats_.size(); ++i) begin(i);
  }

  SharedRun finish() {
    for (;;) {
      for (std::uint32_t i = 0; i < seats_.size(); ++i) proceed(i);
      if (all_ended()) break;
      if (!device_.busy())
        throw UserError("program " + waiting_name() + " waits for work that does not run");
      take_finished(device_.advance());
    }
    run_.cycles = device_.now().value;
    run_.host_seconds = device_.host_seconds().launches;
    return std::move(run_);
  }

 private:
  // One program needs no name in diagnostics.
  static std::vector<gpu::DeviceProgram> places_of(const std::vector<SharedProgram>& programs) {
    std::vector<gpu::DeviceProgram> places;
    for (const SharedProgram& p : programs)
      places.push_back({programs.size() > 1 ? p.name : "", p.memory_bytes});
    return places;
  }

  void begin(std::uint32_t i) { seats_[i].player = programs_[i].begin(device_, i); }

  void proceed(std::uint32_t i) {
    Seat& seat = seats_[i];
    while (seat.player && !seat.player->proceed()) end_repetition(i);
  }

  // A program that launches nothing does not begin anew: it would never end.
  void end_repetition(std::uint32_t i) {
    Seat& seat = seats_[i];
    const bool launched = !seat.current.empty();
    record(run_.programs[i], seat);
    seat.player = nullptr;
    if (repeat_ == Repeat::until_all_ended && launched && !all_ended()) {
      device_.restart_program(i);
      begin(i);
    } else if (!all_ended()) {
      device_.end_program(i);
    }
  }

  void record(ProgramRuns& runs, Seat& seat) const {
    ++runs.repetitions;
    std::vector<gpu::KernelResult> kernels = std::exchange(seat.current, {});
    if (kernels.empty()) return;
    Cycle first = Cycle::never(), last{};
    for (const gpu::KernelResult& k : kernels) {
      first = std::min(first, k.start);
      last = std::max(last, k.start + k.cycles);
      seat.sum.add(k);
    }
    runs.cycles += last - first;
    runs.total = seat.sum.total();
    if (runs.kernels.empty())
      runs.kernels = std::move(kernels);
    else if (keeps_all_)
      std::move(kernels.begin(), kernels.end(), std::back_inserter(runs.repeated));
  }

  void take_finished(const gpu::Device::Finished& finished) {
    for (gpu::KernelResult& result : device_.take_results())
      seats_[result.program].current.push_back(std::move(result));
    for (const std::uint64_t copy : finished.copies)
      for (Seat& seat : seats_)
        if (seat.player && seat.player->copy_finished(copy)) break;
    for (const std::uint64_t launch : finished.launches)
      for (Seat& seat : seats_)
        if (seat.player && seat.player->launch_finished(launch)) break;
  }

  bool all_ended() const {
    return std::all_of(run_.programs.begin(), run_.programs.end(),
                       [](const ProgramRuns& p) { return p.repetitions > 0; });
  }
  std::string waiting_name() const {
    for (std::size_t i = 0; i < seats_.size(); ++i)
      if (seats_[i].player) return programs_[i].name;
    return {};
  }

  const std::vector<SharedProgram>& programs_;
  Repeat repeat_;
  bool keeps_all_;
  gpu::Device device_;
  std::vector<Seat> seats_;  // after the device: players refer to it
  SharedRun run_;
};

}  // namespace

SharedRun run_together(const config::RunSpec& spec, const std::vector<SharedProgram>& programs,
                       Repeat repeat, const exec::StopRequest* stop) {
  return TogetherRun(spec, programs, repeat, stop).finish();
}

}  // namespace heddle::cuda
