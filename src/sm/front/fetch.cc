#include "sm/front/fetch.h"

#include <algorithm>

#include "base/address_layout.h"
#include "mem/warming.h"
#include "sm/warp/address_space.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kFetchBytes = 16;
constexpr std::uint64_t kCodeAlign = 256;
constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

}  // namespace

FrontEnd::FrontEnd(int sm, const config::SmSpec& spec, mem::SmPort& port, WarpTable& warps,
                   KernelContext& kernel)
    : sm_(sm),
      port_(port),
      warps_(warps),
      acting_(warps, kernel),
      cache_(spec.l1i),
      perfect_(spec.perfect_instruction_cache),
      fetch_again_(spec.fetch_again_after_miss),
      crosses_kernels_(spec.flow.fetch_crosses_kernels),
      packed_(spec.code_placement == config::CodePlacement::packed),
      line_bytes_(std::max(16u, spec.l1i.line_bytes)),
      last_(static_cast<int>(spec.flow.first_fetch_slot) - 1),
      l0_(warps.guided ? spec.schedulers : 0, L0Cache(spec.guided)) {
  requested_line_.fill(kNoLine);
}

std::uint64_t FrontEnd::place_code(const isa::Kernel& kernel, AddressSpace space) {
  if (space.number >= programs_.size()) programs_.resize(space.number + 1);
  ProgramCode& code = programs_[space.number];
  const auto known = std::find_if(code.kernels.begin(), code.kernels.end(),
                                  [&](const CodePlace& p) { return p.kernel == &kernel; });
  if (known != code.kernels.end()) return known->base;
  const std::uint64_t bytes = kernel.instructions.size() * kInstructionBytes;
  const std::uint64_t first = space.offset() + kCodeBase;
  if (code.end == 0) code.end = first;
  std::uint64_t base = first + std::uint64_t{kernel.instructions_before} * kInstructionBytes;
  if (!packed_ || !code.is_free(base, bytes)) base = code.end;
  const std::uint64_t end = base + bytes;
  code.end = std::max(code.end, (end + kCodeAlign - 1) / kCodeAlign * kCodeAlign);
  code.kernels.push_back({&kernel, base, end});
  return base;
}

std::uint64_t FrontEnd::warm_code(const isa::Kernel& kernel, AddressSpace space) {
  const std::uint64_t base = place_code(kernel, space);
  if (perfect_) return base;
  mem::DramBursts uncounted;
  for (const mem::Request& line :
       mem::line_reads(Address{base}, kernel.instructions.size() * kInstructionBytes, line_bytes_))
    mem::warm(cache_, line, line_bytes_, uncounted);
  return base;
}

// Kernels of several PTX texts may claim the same addresses.
bool FrontEnd::ProgramCode::is_free(std::uint64_t begin, std::uint64_t bytes) const {
  return std::none_of(kernels.begin(), kernels.end(),
                      [&](const CodePlace& p) { return begin < p.end && p.base < begin + bytes; });
}

WarpSlot FrontEnd::decode() {
  if (!fetched_) return WarpSlot::none;
  const WarpSlot w = fetched_;
  fetched_ = WarpSlot::none;
  if (warps_.guided) return append(w);
  Warp& warp = warps_[w];
  warp.head = 0;
  warp.buffer = {fetched_pc_, fetched_pc_ + 1};
  warp.buffered = crosses_kernels_ || fetched_pc_ + 1 < warp.kernel->code_size ? 2 : 1;
  warps_.refresh(w);
  return w;
}

// Of a compiler-guided core. What was fetched is dropped when the warp has branched elsewhere.
WarpSlot FrontEnd::append(WarpSlot w) {
  Warp& warp = warps_[w];
  warp.fetching = false;
  if (!warps_.live.test(w)) return WarpSlot::none;
  const bool fits = fetched_pc_ == warp.fetch_pc && warp.buffered <= Warp::kRefillAt;
  const bool has_head = warp.buffered > 0;
  if (fits) {
    warp.append(warp.fetch_pc++);
    if (warp.fetch_pc < warp.kernel->code_size) warp.append(warp.fetch_pc++);
  }
  if (warp.wants_fetch()) warps_.fetchable.set(w);
  if (!fits) return WarpSlot::none;
  if (!has_head) warps_.refresh(w);
  return w;
}

void FrontEnd::complete_fetch(WarpSlot w) {
  fetched_ = w;
  fetched_pc_ = warps_[w].fetch_pc;
}

void FrontEnd::wait_for_l0(WarpSlot w, std::uint64_t line, Cycle arrival) {
  warps_.fetchable.reset(w);
  waits_for_l0_.set(w);
  requested_line_[static_cast<std::size_t>(w.index)] = line;
  arrival_[static_cast<std::size_t>(w.index)] = arrival;
  next_arrival_ = std::min(next_arrival_, arrival);
}

// Warps whose line has arrived fetch again, unless they have ended or branched meanwhile.
void FrontEnd::wake_arrived(Cycle now) {
  next_arrival_ = Cycle::never();
  const WarpMask waiting = waits_for_l0_;
  waiting.for_each([&](WarpSlot w) {
    const Cycle arrival = arrival_[static_cast<std::size_t>(w.index)];
    if (arrival > now) {
      next_arrival_ = std::min(next_arrival_, arrival);
      return;
    }
    waits_for_l0_.reset(w);
    if (warps_.live.test(w) && warps_[w].wants_fetch()) warps_.fetchable.set(w);
  });
}

void FrontEnd::access(WarpSlot w, Cycle now) {
  last_ = w.index;
  const Warp& warp = warps_[w];
  const KernelContext& kernel = *warp.kernel;
  const Pc pc = warp.fetch_pc;
  check_invariant(pc < kernel.code_size, "a warp fetched beyond the end of its kernel");
  if (warps_.guided) {
    L0Cache& l0 = l0_[static_cast<std::size_t>(w.index) % l0_.size()];
    const std::uint64_t line =
        (kernel.code_base / kInstructionBytes + pc) / L0Cache::kLineInstructions;
    std::uint64_t& requested = requested_line_[static_cast<std::size_t>(w.index)];
    if (requested != line) requested = kNoLine;
    const Cycle arrival = l0.fetch(line, now, requested == line);
    if (arrival > now) return wait_for_l0(w, line, arrival);
    warps_[w].fetching = true;
  }
  const mem::Outcome outcome = perfect_ ? mem::Outcome::hit : read_line(w, now);
  if (outcome == mem::Outcome::reservation_fail) {
    warps_[w].fetching = false;
    return;
  }
  warps_.fetchable.reset(w);
  if (outcome == mem::Outcome::hit) complete_fetch(w);
}

// The access to the instruction cache.
mem::Outcome FrontEnd::read_line(WarpSlot w, Cycle now) {
  const Warp& warp = warps_[w];
  const KernelContext& kernel = *warp.kernel;
  mem::CacheStats& stats = acting_.of(w).instruction;
  const Address address{kernel.code_base + std::uint64_t{warp.fetch_pc} * kInstructionBytes};
  const mem::Origin origin{
      {static_cast<std::uint16_t>(sm_), WarpSlot::none, static_cast<std::uint8_t>(kernel.index)},
      kNoPc};
  const auto bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(kFetchBytes, line_bytes_ - (address.value & (line_bytes_ - 1))));
  if (cache_.read_if_hit(address, bytes, origin, now.value, stats)) return mem::Outcome::hit;
  mem::Request r;
  r.address = address;
  r.bytes = bytes;
  r.client = mem::Client::instruction;
  r.origin = origin;
  r.tag = static_cast<std::uint32_t>(w.index);
  return cache_.access(r, now.value, stats).outcome;
}

void FrontEnd::send_miss(Cycle now) {
  if (!cache_.has_miss() || !port_.can_send()) return;
  ++acting_.of_kernel(cache_.front_miss().origin.kernel).packets_sent;
  port_.send(now, cache_.front_miss().packet(now));
  cache_.pop_miss();
}

void FrontEnd::fill(const mem::Packet& reply, Cycle now) {
  cache_.fill(reply.tag, reply.sector_count(), now.value,
              acting_.of_kernel(reply.origin.kernel).instruction);
}

}  // namespace heddle::sm
