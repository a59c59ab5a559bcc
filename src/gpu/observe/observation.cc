#include "gpu/observe/observation.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/demangle.h"
#include "gpu/engine/engine.h"
#include "sched/limiters/load_profile.h"

namespace heddle::gpu {
namespace {

constexpr std::array<const char*, kWarpStates> kWarpStateNames{"absent",
                                                               "issue",
                                                               "ready, not chosen",
                                                               "ready, vetoed",
                                                               "ready, CTA paused",
                                                               "waits for a unit",
                                                               "waits for operands",
                                                               "waits for fetch",
                                                               "barrier",
                                                               "memory barrier or atomic",
                                                               "asynchronous copies",
                                                               "device runtime",
                                                               "ended, waits for its accesses"};
// In the order of sm::UnitClass.
constexpr std::array<const char*, sm::kUnitClasses> kUnitNames{
    "SP units", "DP units", "INT units", "SFUs", "load/store unit", "tensor cores"};
constexpr std::array<const char*, 4> kCommandNames{"activate", "precharge", "read", "write"};

const char* space_name(isa::Space s) {
  switch (s) {
    case isa::Space::global: return " global";
    case isa::Space::shared: return " shared";
    case isa::Space::local: return " local";
    case isa::Space::constant: return " constant";
    case isa::Space::texture: return " texture";
    case isa::Space::param:
    case isa::Space::frame: return " parameter";
    default: return "";
  }
}

std::string what_it_is(const isa::Instruction& i) {
  switch (i.op_class) {
    case isa::OpClass::load: return std::string("load") + space_name(i.space);
    case isa::OpClass::store: return std::string("store") + space_name(i.space);
    case isa::OpClass::atomic: return std::string("atomic") + space_name(i.space);
    case isa::OpClass::memory_barrier: return "memory barrier";
    case isa::OpClass::barrier: return "barrier";
    case isa::OpClass::branch: return "branch";
    case isa::OpClass::call:
    case isa::OpClass::return_: return "call";
    case isa::OpClass::exit_: return "exit";
    case isa::OpClass::sfu: return "special function";
    default: return "compute";
  }
}

std::string source_of(const isa::Kernel& kernel, const isa::Instruction& i) {
  if (i.source >= kernel.source_lines.size() || kernel.source_lines[i.source].line == 0) return {};
  return kernel.source_lines[i.source].file + ":" +
         std::to_string(kernel.source_lines[i.source].line);
}

}  // namespace

class Observation::SmObservation final : public sm::SmObserver {
 public:
  std::function<std::unique_ptr<SmDetails>()> make_details;  // empty: no details
  std::vector<std::unique_ptr<SmDetails>> details;           // by number of the kernel
  std::optional<SmTimeline> timeline;

  void begin_kernel(const isa::Kernel& kernel, int number, Cycle now) {
    if (!make_details) return;
    const auto i = static_cast<std::size_t>(number);
    if (details.size() <= i) details.resize(i + 1);
    if (!details[i]) details[i] = make_details();
    details[i]->begin_kernel(kernel, now);
  }
  void cta_started(Cycle, std::uint64_t cta, WarpMask warps, int kernel) override {
    warps.for_each([&](WarpSlot w) { kernel_of_[slot(w)] = static_cast<std::uint8_t>(kernel); });
    if (make_details) of(kernel).warps_started(warps);
    if (timeline) timeline->cta_started(cta, warps, kernel);
  }
  void cta_finished(Cycle started, Cycle now, std::uint64_t cta, int kernel) override {
    if (make_details) of(kernel).cta_finished(started, now, cta);
    if (timeline) timeline->cta_finished(started, now, cta, kernel);
  }
  void issued(const Issued& what) override {
    if (make_details) of(kernel_of_[slot(what.warp)]).issued(what);
    if (timeline) timeline->issued(what);
  }
  void slots_lost(const LostSlots& lost) override {
    if (make_details) of(lost.kernel).slots_lost(lost);
  }
  void l1d_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                    const mem::Access& access) override {
    if (make_details) of(kernel_of_[slot(warp)]).l1d_accessed(warp, pc, address, load, access);
  }
  void passed(const Passed& what) override {
    if (timeline) timeline->passed(what);
  }

 private:
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  SmDetails& of(int kernel) { return *details[static_cast<std::size_t>(kernel)]; }
  std::array<std::uint8_t, kMaxWarpsPerSm> kernel_of_{};  // by warp slot
};

class Observation::MemoryObservation final : public mem::MemoryObserver {
 public:
  struct Slice {
    std::optional<LineHistory> history;  // with details
    std::optional<SliceTimeline> timeline;
    struct Kernel {
      CacheDetail detail;
      std::vector<KindCounts> instructions;  // by Pc
    };
    std::vector<Kernel> kernels{1};  // by number
  };
  std::vector<Slice> slices;

  void begin_kernel(const isa::Kernel& kernel, int number) {
    for (Slice& slice : slices) {
      const auto i = static_cast<std::size_t>(number);
      if (slice.kernels.size() <= i) slice.kernels.resize(i + 1);
      slice.kernels[i].detail = {};
      slice.kernels[i].instructions.assign(kernel.instructions.size(), {});
    }
  }
  std::vector<std::optional<ChannelTimeline>> channels;
  std::vector<NetworkTimeline> networks;  // with a timeline: by mem::NetworkWay

  void l2_accessed(std::uint32_t index, const mem::Request& request,
                   const mem::Access& access) override {
    Slice& slice = slices[index];
    if (!slice.history) return;
    const bool write = request.kind == mem::PacketKind::write;
    const auto kind = static_cast<std::size_t>(
        slice.history->classify(request.address, request.origin, write, access));
    Slice::Kernel& kernel = slice.kernels[request.origin.kernel];
    ++(write ? kernel.detail.writes : kernel.detail.reads)[kind];
    const bool of_data = request.client == mem::Client::l1d || request.client == mem::Client::local;
    if (of_data && request.origin.pc < kernel.instructions.size())
      ++kernel.instructions[request.origin.pc][kind];
  }
  void l2_queues(std::uint32_t slice, Cycle now, std::size_t waiting,
                 std::uint32_t mshrs) override {
    if (slices[slice].timeline) slices[slice].timeline->queues(now, waiting, mshrs);
  }
  void network_queue(mem::NetworkWay way, std::uint32_t input, Cycle now,
                     std::size_t packets) override {
    if (!networks.empty()) networks[static_cast<std::size_t>(way)].queue(input, now, packets);
  }
  void dram_command(std::uint32_t channel, std::uint32_t bank, mem::DramCommand command,
                    std::uint32_t row, std::uint64_t cycle, std::uint64_t ends) override {
    if (channels[channel]) channels[channel]->command(bank, command, row, cycle, ends);
  }
  void dram_queue(std::uint32_t channel, std::uint64_t cycle, std::uint32_t waiting) override {
    if (channels[channel]) channels[channel]->queue(cycle, waiting);
  }
};

Observation::Observation(const config::WatchSpec& watch, const config::GpuSpec& spec,
                         Engine& engine)
    : watch_(watch), line_bytes_(std::max(1u, spec.sm.l1d.line_bytes)), engine_(engine) {
  const bool timeline = !watch.timeline_path.empty();
  if (!watch.details && !timeline) return;
  const TimeWindow window{Cycle{watch.timeline_from}, Cycle{watch.timeline_to}};
  const auto add_names = [&](const auto& names) {
    const auto first = static_cast<std::uint32_t>(timeline_.names.size());
    for (const char* name : names) timeline_.add_name(name);
    return first;
  };
  const std::uint32_t states = add_names(kWarpStateNames), commands = add_names(kCommandNames),
                      units = add_names(kUnitNames), cta = timeline_.add_name("CTA");
  memory_ = std::make_unique<MemoryObservation>();
  memory_->slices.resize(spec.memory.slices());
  memory_->channels.resize(spec.memory.channels);
  for (std::uint32_t i = 0; i < spec.sms(); ++i) {
    auto& sm = *sms_.emplace_back(std::make_unique<SmObservation>());
    if (watch.details)
      sm.make_details = [&spec, i, pattern = i == watch.pattern_sm] {
        return std::make_unique<SmDetails>(static_cast<int>(i), spec, pattern);
      };
    if (timeline)
      sm.timeline.emplace(static_cast<int>(i), spec, window, timeline_, states, units, cta);
  }
  if (watch.details)
    for (auto& slice : memory_->slices) slice.history.emplace(spec.memory.l2);
  if (timeline) {
    const std::uint32_t network = timeline_.add_track("network");
    memory_->networks.emplace_back("requests", "cluster", spec.clusters, window, timeline_,
                                   network);
    memory_->networks.emplace_back("replies", "slice", spec.memory.slices(), window, timeline_,
                                   network);
    const std::uint32_t l2 = timeline_.add_track("L2"), dram = timeline_.add_track("DRAM");
    for (std::uint32_t s = 0; s < memory_->slices.size(); ++s)
      memory_->slices[s].timeline.emplace(s, window, timeline_, l2);
    for (std::uint32_t c = 0; c < memory_->channels.size(); ++c)
      memory_->channels[c].emplace(c, spec, window, timeline_, dram, commands);
  }
  std::vector<sm::SmObserver*> observers;
  for (auto& sm : sms_) observers.push_back(sm.get());
  engine.observe(observers, memory_.get());
}

Observation::~Observation() = default;

// Rows are of the whole GPU. One ends where a kernel starts while others run.
void Observation::kernel_started(const RunningKernel& k) {
  const isa::Kernel& kernel = *k.launch.kernel;
  if (kernels_++ == 0)
    series_.clear();
  else if (watch_.interval && row_start_ < engine_.now())
    append_row();
  name_places(kernel, k.number);
  for (auto& sm : sms_) sm->begin_kernel(kernel, k.number, engine_.now());
  if (memory_) memory_->begin_kernel(kernel, k.number);
  if (watch_.interval) start_row();
}

void Observation::start_row() {
  row_start_ = engine_.now();
  row_end_ = row_start_ + watch_.interval;
  watched_before_ = watched();
  sm_before_ = engine_.hardware().stats();
  memory_before_ = engine_.memory_system().stats();
  policy_before_ = engine_.policy_report(sm::PolicyReport::Contents::counters);
}

// Names the kernel's instructions by their source places; slices refer to these names.
void Observation::name_places(const isa::Kernel& kernel, int number) {
  if (watch_.timeline_path.empty() || engine_.now() >= Cycle{watch_.timeline_to}) return;
  timeline_.add_name(readable_name(kernel.name));
  const auto first = static_cast<std::uint32_t>(timeline_.names.size());
  for (const isa::Instruction& i : kernel.instructions) {
    const std::string source = source_of(kernel, i);
    timeline_.add_name(what_it_is(i) + ", PTX line " + std::to_string(i.ptx_line) +
                       (source.empty() ? "" : ", " + source));
  }
  for (auto& sm : sms_) sm->timeline->begin_kernel(first, number);
}

void Observation::after_window() {
  if (watch_.interval && engine_.now() >= row_end_) append_row();
}

// Since the start of the kernel.
WatchedStats Observation::watched() const {
  WatchedStats sum;
  if (!watch_.details) return sum;
  for (const auto& sm : sms_) {
    for (const auto& kernel : sm->details) {
      if (!kernel) continue;
      stats::add(sum.l1d, kernel->l1d());
      for (const LoopDetail& loop : kernel->loops()) stats::add(sum.loops, loop);
    }
  }
  for (const auto& slice : memory_->slices)
    for (const auto& kernel : slice.kernels) stats::add(sum.l2, kernel.detail);
  return sum;
}

void Observation::append_row() {
  SeriesRow row{row_start_,
                engine_.now(),
                engine_.hardware().stats(),
                engine_.memory_system().stats(),
                watched(),
                engine_.policy_report(sm::PolicyReport::Contents::counters_and_levels)};
  const sm::PolicyReport policy = row.policy;
  const WatchedStats seen = row.watched;
  const sm::SmStats sm = row.sm;
  const mem::MemoryStats memory = row.memory;
  stats::subtract(row.sm, sm_before_);
  stats::subtract(row.memory, memory_before_);
  stats::subtract(row.watched, watched_before_);
  row.policy.subtract(policy_before_);
  series_.push_back(row);
  sm_before_ = sm;
  memory_before_ = memory;
  watched_before_ = seen;
  policy_before_ = policy;
  row_start_ = engine_.now();
  while (row_end_ <= row_start_) row_end_ += watch_.interval;
}

void Observation::kernel_ended(RunningKernel& k) {
  --kernels_;
  if (watch_.interval && row_start_ < engine_.now()) append_row();
  for (const SeriesRow& row : series_)
    if (row.from >= k.launch_cycle) k.result.series.push_back(row);
  if (watch_.details) k.result.details = details_of(*k.launch.kernel, k.number);
}

std::shared_ptr<const KernelDetails> Observation::details_of(const isa::Kernel& kernel,
                                                             int number) const {
  const auto n = static_cast<std::size_t>(number);
  auto all = std::make_shared<KernelDetails>();
  all->instructions.assign(kernel.instructions.size(), {});
  all->loops.assign(kernel.loops.size(), {});
  for (const auto& sm : sms_) sm->details[n]->add_to(*all);
  for (const auto& slice : memory_->slices) {
    const auto& of_kernel = slice.kernels[n];
    stats::add(all->l2, of_kernel.detail);
    for (std::size_t pc = 0; pc < of_kernel.instructions.size(); ++pc)
      for (std::size_t k = 0; k < kAccessKinds; ++k)
        all->instructions[pc].l2[k] += of_kernel.instructions[pc][k];
  }
  std::sort(all->ctas.begin(), all->ctas.end(),
            [](const CtaDetail& a, const CtaDetail& b) { return a.cta < b.cta; });
  const std::vector<Pc> repeats = sched::repeated_loads(kernel, line_bytes_);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const isa::Instruction& i = kernel.instructions[pc];
    all->places.push_back({i.ptx_line, source_of(kernel, i), what_it_is(i),
                           i.loop == isa::Loop::kNone ? kNoPc : kernel.loops[i.loop].header,
                           repeats[pc]});
  }
  for (const isa::Loop& loop : kernel.loops) all->loop_headers.push_back(loop.header);
  return all;
}

stats::Timeline Observation::timeline() const {
  stats::Timeline whole = timeline_;
  std::map<std::uint32_t, std::uint32_t> cta_names, row_names;
  const auto name_of = [&](std::map<std::uint32_t, std::uint32_t>& known, std::uint32_t number,
                           const char* word) {
    const auto found = known.find(number);
    return found != known.end() ? found->second
                                : known[number] = whole.add_name(word + std::to_string(number));
  };
  const auto add = [&](const Record& record) {
    whole.slices.insert(whole.slices.end(), record.slices.begin(), record.slices.end());
    whole.samples.insert(whole.samples.end(), record.samples.begin(), record.samples.end());
    whole.ctas.insert(whole.ctas.end(), record.ctas.begin(), record.ctas.end());
    whole.truncated = whole.truncated || record.truncated;
  };
  for (const auto& sm : sms_) {
    if (!sm->timeline) continue;
    sm->timeline->finish(engine_.now());
    add(sm->timeline->record());
  }
  for (stats::Timeline::Slice& s : whole.slices) {
    if (s.detail == stats::Timeline::kNone || !(s.detail & SmTimeline::kCtaBit)) continue;
    s.name = name_of(cta_names, s.detail & ~SmTimeline::kCtaBit, "CTA ");
    s.detail = stats::Timeline::kNone;
  }
  if (!memory_) return whole;
  for (const NetworkTimeline& network : memory_->networks) add(network.record());
  for (const auto& slice : memory_->slices)
    if (slice.timeline) add(slice.timeline->record());
  for (const auto& channel : memory_->channels) {
    if (!channel) continue;
    const std::size_t first = whole.slices.size();
    add(channel->record());
    for (std::size_t i = first; i < whole.slices.size(); ++i)
      whole.slices[i].detail = name_of(row_names, whole.slices[i].detail, "row ");
  }
  return whole;
}

}  // namespace heddle::gpu
