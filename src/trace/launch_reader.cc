#include "trace/launch_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "trace/format_error.h"
#include "trace/model_address.h"

namespace heddle::trace {
namespace {

using isa::Space;

constexpr std::uint64_t kWindowBytes = std::uint64_t{16} << 20;  // of shared and of local memory
constexpr std::uint64_t kMostWidth = 4096;
constexpr std::uint64_t kLocalAlign = 16;

bool has_data(isa::OpClass c) { return isa::is_memory(c) && c != isa::OpClass::memory_barrier; }

bool inside(std::uint64_t address, std::uint64_t base) {
  return base != 0 && address >= base && address - base < kWindowBytes;
}

}  // namespace

LaunchReader::LaunchReader(KernelHeader header)
    : launch_(std::make_shared<TracedLaunch>()), header_(launch_->header_), code_(header_) {
  header.check();
  launch_->header_ = std::move(header);
}

void LaunchReader::begin_cta(const Dim3& place) {
  const Dim3& grid = header_.grid;
  if (in_cta_) throw FormatError("a thread block begins before the one before has ended");
  if (place.x >= grid.x || place.y >= grid.y || place.z >= grid.z)
    throw FormatError(
        fmt::format("thread block {},{},{} is not in the grid", place.x, place.y, place.z));
  cta_ = (std::uint64_t{place.z} * grid.y + place.y) * grid.x + place.x;
  if (ctas_.contains(cta_))
    throw FormatError(
        fmt::format("thread block {},{},{} is there twice", place.x, place.y, place.z));
  in_cta_ = true;
  next_warp_ = 0;
}

// A warp of which nothing was traced ends with the first instruction, which no lane executes.
void LaunchReader::begin_warp(std::uint64_t number) {
  if (!in_cta_) throw FormatError("a warp is in no thread block");
  end_warp();
  if (number >= header_.warps())
    throw FormatError(fmt::format("warp {}: the block has {} warps", number, header_.warps()));
  if (number < next_warp_) throw FormatError("the warps are not in their order");
  warp_ = static_cast<std::uint32_t>(number);
  for (; next_warp_ < warp_; ++next_warp_) {
    writer_.begin_warp();
    writer_.add({});
  }
  ++next_warp_;
  writer_.begin_warp();
  flow_.begin_warp();
  in_warp_ = true;
  instructions_ = expected_ = 0;
  live_ = header_.lanes(warp_);
  arrivals_ = {};
}

void LaunchReader::set_instructions(std::uint64_t count) {
  if (!in_warp_ || expected_ > 0 || instructions_ > 0)
    throw FormatError("the number of instructions is not that of a warp that begins");
  expected_ = count;
}

void LaunchReader::end_warp() {
  if (!in_warp_) return;
  if (instructions_ != expected_)
    throw FormatError(fmt::format("warp {} has {} instructions, its head says {}", warp_,
                                  instructions_, expected_));
  for (const Arrival& arrival : arrivals_)
    if (arrival.lanes.any()) writer_.set_arrives(arrival.position);
  if (instructions_ == 0) writer_.add({});
  in_warp_ = false;
}

void LaunchReader::end_cta() {
  if (!in_cta_) throw FormatError("a thread block ends that has not begun");
  end_warp();
  for (; next_warp_ < header_.warps(); ++next_warp_) {
    writer_.begin_warp();
    writer_.add({});
  }
  ctas_[cta_] = writer_.take();
  in_cta_ = false;
}

void LaunchReader::add_instruction(std::string_view text) {
  if (!in_warp_) throw FormatError("an instruction is in no warp");
  if (instructions_ == expected_)
    throw FormatError(
        fmt::format("warp {} has more than the {} instructions of its head", warp_, expected_));
  CodeTable::Line line = code_.read(text);
  if (instructions_ == 0 && line.number != 0)
    throw FormatError("the warp begins with another instruction than the first warp");
  const isa::Instruction& i = code_.entry(line.number).instruction;
  // A product of warpgroups has a field that says whether it ends a group.
  if (code_.entry(line.number).text.find("GMMA") != std::string::npos) line.rest.next();
  const bool has_addresses = line.rest.decimal("width of the access", kMostWidth) > 0;
  Executed executed;
  executed.number = line.number;
  executed.lanes = line.executed & header_.lanes(warp_);
  if (has_data(i.op_class)) {
    code_.set_addresses(line.number, has_addresses);
    executed.has_addresses = has_addresses && executed.lanes.any();
    if (executed.has_addresses) read_addresses(line.rest, i, executed);
  } else if (code_.entry(line.number).lacks_immediates) {
    std::array<std::int64_t, 2> values{};
    int count = 0;
    for (std::string_view field = line.rest.next();
         !field.empty() && !field.ends_with("Val") && count < 2; field = line.rest.next())
      values[static_cast<std::size_t>(count++)] = Fields(field).with_sign("immediate");
    code_.set_immediates(line.number, count, values[0], values[1]);
  }
  ++instructions_;
  ++launch_->warp_instructions_;
  launch_->thread_instructions_ += static_cast<std::uint64_t>(executed.lanes.count());
  writer_.add(executed);
  flow_.add(line.number, code_.entry(line.number), executed.lanes, header_.instruction_bytes());
  if (i.op_class == isa::OpClass::exit_) live_ &= ~executed.lanes;
  if (i.op_class == isa::OpClass::barrier && i.barrier != isa::BarrierOp::warp_sync &&
      executed.lanes.any())
    arrive(line.number, executed.lanes);
}

// Since Volta each lane arrives at a barrier by itself. A warp that is divergent arrives when its
// last lanes do; the model's warps arrive once.
void LaunchReader::arrive(std::uint32_t number, LaneMask lanes) {
  Arrival& at = arrivals_[code_.entry(number).barrier.id];
  if ((at.lanes & lanes).any()) {  // the one before was complete without some lanes
    writer_.set_arrives(at.position);
    at.lanes = {};
  }
  at.lanes |= lanes;
  at.position = writer_.position();
  if ((live_ & ~at.lanes).any()) return;
  writer_.set_arrives(at.position);
  at.lanes = {};
}

void LaunchReader::read_addresses(Fields& fields, const isa::Instruction& i, Executed& executed) {
  const auto address = [&] { return fields.hexadecimal("address", ~std::uint64_t{0}); };
  const int first = executed.lanes.lowest();
  const auto at = [&](int lane) -> std::uint64_t& {
    return executed.addresses[static_cast<std::size_t>(lane)];
  };
  switch (fields.decimal("kind of addresses", 2)) {
    case 0: executed.lanes.for_each([&](int lane) { at(lane) = address(); }); break;
    case 1: {
      const std::uint64_t base = address();
      const auto stride = static_cast<std::uint64_t>(fields.with_sign("stride"));
      executed.lanes.for_each(
          [&](int lane) { at(lane) = base + stride * static_cast<std::uint64_t>(lane - first); });
      break;
    }
    default: {
      std::uint64_t last = address();
      executed.lanes.for_each([&](int lane) {
        if (lane != first) last += static_cast<std::uint64_t>(fields.with_sign("difference"));
        at(lane) = last;
      });
    }
  }
  find_space(i, executed);
}

// The space of the first lane decides where a generic address is.
void LaunchReader::find_space(const isa::Instruction& i, Executed& executed) {
  Space space = i.space;
  if (space == Space::generic) {
    const std::uint64_t first =
        executed.addresses[static_cast<std::size_t>(executed.lanes.lowest())];
    space = inside(first, header_.shared_base)  ? Space::shared
            : inside(first, header_.local_base) ? Space::local
                                                : Space::global;
    executed.space = space;
  }
  const std::uint64_t bytes = std::uint64_t{i.access_bytes} * i.vector;
  executed.lanes.for_each([&](int lane) {
    std::uint64_t& address = executed.addresses[static_cast<std::size_t>(lane)];
    address = relocated(space, address);
    if (space != Space::local) return;
    local_begin_ = std::min(local_begin_, address / kLocalAlign * kLocalAlign);
    local_end_ = std::max(local_end_, address + bytes);
  });
}

std::uint64_t LaunchReader::relocated(Space space, std::uint64_t address) const {
  const auto offset = [&](std::uint64_t base) {
    return inside(address, base) ? address - base : address % kWindowBytes;
  };
  if (space == Space::shared) return offset(header_.shared_base);
  if (space == Space::local) return offset(header_.local_base);
  return space == Space::global ? model_address(Address{address}).value : address;
}

std::shared_ptr<TracedLaunch> LaunchReader::finish(const std::string& module) {
  if (in_cta_) throw FormatError("the trace ends inside of a thread block");
  if (ctas_.size() != header_.grid.count()) {
    std::uint64_t missing = 0;
    while (ctas_.contains(missing)) ++missing;
    const Dim3& grid = header_.grid;
    throw FormatError(fmt::format("thread block {},{},{} is missing: the trace is not complete",
                                  missing % grid.x, missing / grid.x % grid.y,
                                  missing / grid.x / grid.y));
  }
  if (launch_->warp_instructions_ == 0) throw FormatError("the trace has no instructions");
  const std::shared_ptr<TracedKernel> kernel = code_.finish(module);
  flow_.mark(*kernel);
  if (local_end_ > 0) {
    launch_->local_begin_ = local_begin_;
    kernel->local_bytes = static_cast<std::uint32_t>(local_end_ - local_begin_);
    kernel->text += fmt::format("{}\n", kernel->local_bytes);
  }
  launch_->ctas_.resize(ctas_.size());
  for (auto& [number, cta] : ctas_) launch_->ctas_[number] = std::move(cta);
  launch_->kernel_ = kernel;
  return std::move(launch_);
}

}  // namespace heddle::trace
