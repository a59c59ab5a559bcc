#include "trace/cta_records.h"

#include <zstd.h>

#include "base/diagnostics.h"

namespace heddle::trace {
namespace {

enum Flag : std::uint8_t {
  kJumps = 1,
  kOtherLanes = 2,
  kStride = 4,
  kDeltas = 8,
  kArrives = 16,
  kShared = 32,
  kLocal = 64
};

constexpr int kLevel = 1;

std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// The difference of neighbouring lanes where it is the same for all.
bool constant_stride(const Executed& e, std::int64_t& stride) {
  std::uint64_t last = 0;
  bool first = true, known = false, same = true;
  e.lanes.for_each([&](int lane) {
    const std::uint64_t address = e.addresses[static_cast<std::size_t>(lane)];
    const auto difference = static_cast<std::int64_t>(address - last);
    if (!first && !known) stride = difference, known = true;
    same = same && (first || difference == stride);
    first = false;
    last = address;
  });
  return same;
}

void append(std::vector<std::uint8_t>& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80));
  to.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t read_number(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace

void CtaWriter::begin_warp() {
  warps_.emplace_back();
  last_ = {};
  last_.number = ~std::uint32_t{0};
}

void CtaWriter::put(std::uint64_t value) { append(warps_.back(), value); }

void CtaWriter::add(const Executed& e) {
  std::int64_t stride = 0;
  const bool strided = e.has_addresses && constant_stride(e, stride);
  std::uint8_t flags = e.arrives ? kArrives : 0;
  if (e.number != last_.number + 1) flags |= kJumps;
  if (e.lanes != last_.lanes) flags |= kOtherLanes;
  if (e.has_addresses) flags |= strided ? kStride : kDeltas;
  if (e.space == isa::Space::shared) flags |= kShared;
  if (e.space == isa::Space::local) flags |= kLocal;
  flags_at_ = warps_.back().size();
  warps_.back().push_back(flags);
  if (flags & kJumps) put(e.number);
  if (flags & kOtherLanes) put(e.lanes.bits);
  last_.number = e.number;
  last_.lanes = e.lanes;
  if (!e.has_addresses || e.lanes.none()) return;
  std::uint64_t last = e.addresses[static_cast<std::size_t>(e.lanes.lowest())];
  put(last);
  if (strided) return put(zigzag(stride));
  LaneMask others = e.lanes;
  others.reset(e.lanes.lowest());
  others.for_each([&](int lane) {
    const std::uint64_t address = e.addresses[static_cast<std::size_t>(lane)];
    put(zigzag(static_cast<std::int64_t>(address - last)));
    last = address;
  });
}

void CtaWriter::set_arrives(std::size_t position) { warps_.back()[position] |= kArrives; }

std::vector<std::uint8_t> CtaWriter::take() {
  std::vector<std::uint8_t> all;
  append(all, warps_.size());
  for (const auto& warp : warps_) append(all, warp.size());
  for (const auto& warp : warps_) all.insert(all.end(), warp.begin(), warp.end());
  warps_.clear();
  std::vector<std::uint8_t> stored(ZSTD_compressBound(all.size()));
  const std::size_t size =
      ZSTD_compress(stored.data(), stored.size(), all.data(), all.size(), kLevel);
  check_invariant(!ZSTD_isError(size), "the instructions of a CTA could not be compressed");
  stored.resize(size);
  stored.shrink_to_fit();
  return stored;
}

CtaReader::CtaReader(std::span<const std::uint8_t> stored)
    : bytes_(ZSTD_getFrameContentSize(stored.data(), stored.size())) {
  const std::size_t got =
      ZSTD_decompress(bytes_.data(), bytes_.size(), stored.data(), stored.size());
  check_invariant(got == bytes_.size(), "the instructions of a CTA could not be uncompressed");
  const std::uint8_t* at = bytes_.data();
  std::vector<std::size_t> sizes(read_number(at));
  for (std::size_t& size : sizes) size = read_number(at);
  begins_.push_back(static_cast<std::size_t>(at - bytes_.data()));
  for (const std::size_t size : sizes) begins_.push_back(begins_.back() + size);
}

// The first instruction of a warp follows ~0.
bool CtaReader::Warp::next(Executed& e) {
  if (at_ == end_) return false;
  const std::uint8_t flags = *at_++;
  e.number = flags & kJumps ? static_cast<std::uint32_t>(read_number(at_)) : e.number + 1;
  if (flags & kOtherLanes) e.lanes = LaneMask{static_cast<std::uint32_t>(read_number(at_))};
  e.arrives = (flags & kArrives) != 0;
  e.has_addresses = (flags & (kStride | kDeltas)) != 0;
  e.space = flags & kShared  ? isa::Space::shared
            : flags & kLocal ? isa::Space::local
                             : isa::Space::global;
  if (!e.has_addresses || e.lanes.none()) return true;
  std::uint64_t address = read_number(at_);
  const std::int64_t stride = flags & kStride ? from_zigzag(read_number(at_)) : 0;
  bool first = true;
  e.lanes.for_each([&](int lane) {
    if (!first)
      address +=
          static_cast<std::uint64_t>(flags & kStride ? stride : from_zigzag(read_number(at_)));
    first = false;
    e.addresses[static_cast<std::size_t>(lane)] = address;
  });
  return true;
}

}  // namespace heddle::trace
