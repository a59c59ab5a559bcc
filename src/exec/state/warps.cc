#include "exec/state/warps.h"

#include <cstring>

#include "exec/state/constant_bank.h"
#include "exec/state/frames.h"

namespace heddle::exec {
namespace {

std::uint32_t declared_shared(const Launch& launch) {
  const std::uint32_t fixed = launch.kernel->shared_bytes;
  return launch.dynamic_shared_bytes ? (fixed + 15) / 16 * 16 + launch.dynamic_shared_bytes : fixed;
}

}  // namespace

Warps::Warps(const Launch& launch, GlobalMemory& memory, const MachineView& view, int cta_slots,
             int warp_slots, bool direct, std::shared_ptr<const DecodedKernel> decoded)
    : machine_(launch, memory, view),
      warp_slots_(static_cast<std::size_t>(warp_slots)),
      ctas_(static_cast<std::size_t>(cta_slots)) {
  machine_.decoded = std::move(decoded);
  const isa::Kernel& kernel = machine_.kernel();
  check_invariant(launch.parameters.size() >= kernel.parameter_bytes,
                  "a launch lacks parameters of its kernel");
  machine_.code = machine_.decoded->code;
  machine_.ranges = {machine_.code.size(), memory.generation()};
  machine_.declared_shared_bytes = declared_shared(launch);
  machine_.shared_bytes = align_up(machine_.declared_shared_bytes, launch.shared_unit_bytes);
  machine_.plain_shared_bytes =
      machine_.decoded->machine_code && launch.clusters ? 0 : machine_.shared_bytes;
  machine_.direct = direct;
  machine_.local_bytes = kernel.local_bytes;
  if (machine_.decoded->machine_code)
    machine_.map.shared_window = kMachineCodeSharedWindow,
    machine_.map.local_window = kMachineCodeLocalWindow, machine_.map.cluster_base = 0;
  if (kernel.uses_stack)
    machine_.local_bytes =
        align_up(kernel.local_bytes, kStackAlign) + align_up(launch.stack_bytes, kStackAlign);
}

// Most of the memory, when the first CTA starts: a kernel has a source on every SM, and CTAs on
// few.
void Warps::allocate() {
  const std::vector<std::uint32_t>& constants = machine_.decoded->constants;
  warps_ = std::vector<Warp, ReusedMemory<Warp>>(warp_slots_);
  storage_ = std::vector<Storage>(warp_slots_);
  constants_.resize(constants.size() / 32 + 1);
  if (!constants.empty()) std::memcpy(constants_.data(), constants.data(), constants.size() * 4);
  if (!machine_.decoded->machine_code) return;
  machine_.map.constant_bank = machine_.decoded->constant_bank(machine_);
  for (const DecodedKernel::LaunchWord& word : machine_.decoded->launch_words) {
    std::uint32_t value = 0;
    read_constant(machine_, word.bank, word.offset, &value, sizeof value);
    std::uint8_t* const to = constants_[word.row].bytes.data();
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) std::memcpy(to + lane * 4, &value, 4);
  }
}

void Warps::start(int cta_slot, std::uint64_t cta_linear, std::span<const int> warp_slots) {
  if (warps_.empty()) allocate();
  Cta& cta = ctas_[static_cast<std::size_t>(cta_slot)];
  const Dim3& grid = machine_.launch.grid;
  cta.linear = cta_linear;
  cta.x = static_cast<std::uint32_t>(cta_linear % grid.x);
  cta.y = static_cast<std::uint32_t>(cta_linear / grid.x % grid.y);
  cta.z = static_cast<std::uint32_t>(cta_linear / grid.x / grid.y);
  cta.running = true;
  cta.shared.assign(machine_.shared_bytes, 0);
  cta.barriers.fill({});
  cta.cluster_time = 0;
  cta.cluster_opens = false;
  ClusterCtas* const clusters = machine_.launch.clusters.get();
  cta.rank = clusters ? clusters->shape.place_of(cta_linear).rank : 0;
  cta.warps.clear();
  for (std::uint32_t i = 0; i < warp_slots.size(); ++i) {
    start_warp(warp_slots[i], cta, i);
    cta.warps.push_back(&warp(warp_slots[i]));
  }
  if (clusters) clusters->entries[cta_linear] = {&cta, false};
}

void Warps::end(int cta_slot) {
  Cta& cta = ctas_[static_cast<std::size_t>(cta_slot)];
  if (ClusterCtas* const clusters = machine_.launch.clusters.get())
    clusters->entries[cta.linear] = {nullptr, true};
  cta.running = false;
  cta.warps.clear();
}

void Warps::start_warp(int slot, Cta& cta, std::uint32_t index) {
  const DecodedKernel& decoded = *machine_.decoded;
  const isa::Kernel& kernel = *decoded.kernel;
  Warp& w = warps_[static_cast<std::size_t>(slot)];
  Storage& s = storage_[static_cast<std::size_t>(slot)];
  s.registers.resize(decoded.register_rows + decoded.scratch_rows);
  std::memset(s.registers.data(), 0, s.registers.size() * sizeof(RegisterRow));
  s.predicates.assign(decoded.predicate_rows + 2, 0);
  s.predicates[decoded.predicate_rows] = ~std::uint32_t{0};
  const std::size_t local_bytes = std::size_t{machine_.local_bytes} * kWarpSize;
  if (!kernel.uses_stack)
    s.local.resize(local_bytes);
  else if (!s.stacks.data())
    s.stacks.reserve(local_bytes);
  s.frame.resize(std::size_t{decoded.frame_bytes} * kWarpSize);
  w.bases = {s.registers.data()->bytes.data(), constants_.data()->bytes.data()};
  w.predicates = s.predicates.data();
  w.carry = 0;
  w.warp_in_cta = index;
  w.pc = 0;
  w.machine = &machine_;
  w.cta = &cta;
  w.local = kernel.uses_stack ? s.stacks.data() : s.local.data();
  w.frame = s.frame.data();
  w.step = nullptr;
  w.barrier_results.clear();
  w.activations.clear();
  w.saved.clear();
  w.stack_top.fill(align_up(kernel.local_bytes, kStackAlign));
  w.pending_atomics = 0;
  w.cluster_arrived = 0;
  w.host_request.decoded = nullptr;
  w.fragments.clear();
  w.spin_iterations = 0;
  w.unchanging_pc = kNoPc;
  w.enclosing.fill({});
  w.spins = false;
  const std::uint64_t threads = machine_.launch.block.count(),
                      first = std::uint64_t{index} * kWarpSize;
  w.live = LaneMask::first(
               static_cast<int>(
                   threads > first ? std::min<std::uint64_t>(threads - first, kWarpSize) : 0))
               .bits;
  w.stack.start(w.live);
  for (const ptx::PresetRegister& p : decoded.preset_registers) preset(w, p);
}

void Warps::preset(Warp& w, const ptx::PresetRegister& p) {
  using R = ptx::SpecialRegister;
  std::uint8_t* to = w.bases[0] + std::size_t{p.row} * 128;
  if (p.special <= R::tid_z)
    return preset_thread_number(w, static_cast<std::size_t>(p.special), to);
  const bool per_lane =
      p.special == R::laneid || (p.special >= R::lanemask_eq && p.special <= R::lanemask_ge);
  const std::uint64_t value = p.special == R::gridid          ? machine_.launch.grid_id
                              : p.special == R::current_graph ? machine_.launch.graph
                                                              : special_value(w, p, 0);
  if (p.bytes == 8) {
    std::array<std::uint64_t, kWarpSize> values;
    values.fill(value);
    std::memcpy(to, values.data(), sizeof values);
    return;
  }
  std::array<std::uint32_t, kWarpSize> values;
  values.fill(static_cast<std::uint32_t>(value));
  for (std::uint32_t lane = 0; lane < kWarpSize && per_lane; ++lane)
    values[lane] = special_value(w, p, lane);
  std::memcpy(to, values.data(), sizeof values);
}

// The thread's number along the axis, lane by lane without divisions.
void Warps::preset_thread_number(const Warp& w, std::size_t axis, std::uint8_t* to) const {
  const Dim3& block = machine_.launch.block;
  const std::uint32_t first = w.warp_in_cta * kWarpSize;
  std::array<std::uint32_t, 3> number{first % block.x, first / block.x % block.y,
                                      first / block.x / block.y};
  std::array<std::uint32_t, kWarpSize> values;
  if (number[0] + kWarpSize <= block.x) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      values[lane] = number[axis] + (axis == 0 ? lane : 0);
  } else {
    for (std::uint32_t& value : values) {
      value = number[axis];
      if (++number[0] < block.x) continue;
      number[0] = 0;
      if (++number[1] == block.y) number[1] = 0, ++number[2];
    }
  }
  std::memcpy(to, values.data(), sizeof values);
}

std::uint32_t Warps::special_value(const Warp& w, const ptx::PresetRegister& p,
                                   std::uint32_t lane) const {
  using R = ptx::SpecialRegister;
  const Dim3 &block = machine_.launch.block, &grid = machine_.launch.grid,
             &cluster = machine_.launch.cluster;
  const std::uint32_t bit = std::uint32_t{1} << lane;
  switch (p.special) {
    case R::ntid_x: return block.x;
    case R::ntid_y: return block.y;
    case R::ntid_z: return block.z;
    case R::ctaid_x: return w.cta->x;
    case R::ctaid_y: return w.cta->y;
    case R::ctaid_z: return w.cta->z;
    case R::nctaid_x: return grid.x;
    case R::nctaid_y: return grid.y;
    case R::nctaid_z: return grid.z;
    case R::laneid: return lane;
    case R::warpid: return w.warp_in_cta;
    case R::nwarpid: return machine_.view.warp_slots;
    case R::smid: return machine_.view.sm;
    case R::nsmid: return machine_.view.sms;
    case R::lanemask_eq: return bit;
    case R::lanemask_lt: return bit - 1;
    case R::lanemask_le: return bit | (bit - 1);
    case R::lanemask_gt: return ~(bit | (bit - 1));
    case R::lanemask_ge: return ~(bit - 1);
    case R::dynamic_smem_size: return machine_.launch.dynamic_shared_bytes;
    case R::total_smem_size: return machine_.shared_bytes;
    case R::clusterid_x: return w.cta->x / cluster.x;
    case R::clusterid_y: return w.cta->y / cluster.y;
    case R::clusterid_z: return w.cta->z / cluster.z;
    case R::nclusterid_x: return grid.x / cluster.x;
    case R::nclusterid_y: return grid.y / cluster.y;
    case R::nclusterid_z: return grid.z / cluster.z;
    case R::cluster_ctaid_x: return w.cta->x % cluster.x;
    case R::cluster_ctaid_y: return w.cta->y % cluster.y;
    case R::cluster_ctaid_z: return w.cta->z % cluster.z;
    case R::cluster_nctaid_x: return cluster.x;
    case R::cluster_nctaid_y: return cluster.y;
    case R::cluster_nctaid_z: return cluster.z;
    case R::cluster_ctarank: return w.cta->rank;
    case R::cluster_nctarank: return static_cast<std::uint32_t>(cluster.count());
    case R::is_explicit_cluster: return machine_.launch.explicit_cluster;
    case R::local_frame: return align_up(machine_.launch.kernel->local_bytes, kStackAlign);
    case R::envreg:  // 1 and 2: the workspace of a cooperative grid; drivers set no other
      if (p.index == 1) return static_cast<std::uint32_t>(machine_.launch.grid_workspace >> 32);
      return p.index == 2 ? static_cast<std::uint32_t>(machine_.launch.grid_workspace) : 0;
    default: return 0;
  }
}

}  // namespace heddle::exec
