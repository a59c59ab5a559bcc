#include "mem/address_map.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/address_layout.h"
#include "base/diagnostics.h"
#include "config/address_bits.h"
#include "config/partition_hash.h"

namespace heddle::mem {

namespace {

constexpr int kChannelShift = 8;  // channels interleave every 256 bytes

// Partition hash 4 gives every block of 128 bytes a random slice. GPGPU-Sim calls rand() at the
// first access to a block. That is the order of addresses when the host copies its arrays in the
// order of their allocation. The table assumes this order; a mixing function scatters the blocks
// beyond it.
constexpr std::uint32_t kScattered = 4;
constexpr int kScatterShift = 7;
constexpr std::size_t kScatterTable = std::size_t{64} << 20 >> kScatterShift;
// Blocks of 4 KiB lie in one half of an L2 with halves.
constexpr int kHalfShift = 12;
// Partition hash 6 adds the row, times 9, to the channel (addrdec_remap_chip of the CCWS authors'
// simulator). The row is a part of the local address, so local addresses stay distinct.
constexpr std::uint32_t kRowAdded = 6, kRowMultiplier = 9;
// A hash moves an address to another channel, but its bank, row and column stay the same. They
// depend on the slice of the plain interleaving. The upper bits of the slice's local address hold
// that slice; no set index reads them.
constexpr int kPlainSliceShift = 48;

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// The sequence of the C library's rand() after srand(1): an additive feedback generator over 31
// words (random(3), TYPE_3).
std::vector<std::uint16_t> draw_slices(std::uint32_t slices) {
  constexpr std::size_t kWords = 31, kLag = 3, kDiscarded = 310;
  std::array<std::uint32_t, kWords> word{1};
  for (std::size_t i = 1; i < kWords; ++i)
    word[i] = static_cast<std::uint32_t>(std::uint64_t{16807} * word[i - 1] % 2147483647);
  std::vector<std::uint16_t> drawn(kScatterTable);
  for (std::size_t i = 0; i < kDiscarded + kScatterTable; ++i) {
    std::uint32_t& next = word[(i + kLag) % kWords];
    next += word[i % kWords];
    if (i >= kDiscarded) drawn[i - kDiscarded] = static_cast<std::uint16_t>((next >> 1) % slices);
  }
  return drawn;
}

int log2(std::uint32_t n) { return std::bit_width(n) - 1; }

}  // namespace

AddressMap::AddressMap(const config::MemorySpec& spec)
    : channels_(spec.channels),
      slices_per_channel_(spec.slices_per_channel),
      hash_(config::partition_hash_applies(spec) ? spec.partition_hash : 0),
      has_halves_(spec.far_latency > 0),
      heap_base_(spec.heap_base),
      polynomial_(std::min(log2(spec.slices()), PolynomialHash::kMaxBits)) {
  std::string problem;
  const auto fields = config::parse_address_bits(spec.address_bits, &problem);
  if (fields.empty()) throw UserError("memory.address_bits " + problem);
  for (const auto& field : fields) {
    const std::uint64_t bits = ((std::uint64_t{1} << field.bits) - 1) << field.first_bit;
    switch (field.part) {
      case config::AddressPart::bank: bank_mask_ |= bits; break;
      case config::AddressPart::row:
        row_mask_ |= ~((std::uint64_t{1} << field.first_bit) - 1);
        break;  // and everything above
      case config::AddressPart::column: column_mask_ |= bits; break;
      case config::AddressPart::inside_atom: break;
    }
  }
  if (!std::has_single_bit(slices_per_channel_))
    throw UserError("memory.slices_per_channel must be a power of two");
  slice_mask_ = _pdep_u64(slices_per_channel_ - 1, bank_mask_);
  if (hash_ == kScattered) scatter_ = draw_slices(channels_ * slices_per_channel_);
}

SlicePlace AddressMap::slice_of(Address a, bool code) const {
  if (!code && address_in_space(a.value) >= kConstantsBase) a.value -= kHeapBase - heap_base_;
  const std::uint64_t block = a.value >> kChannelShift;
  const std::uint64_t in_channel =
      (block / channels_) << kChannelShift | (a.value & ((1u << kChannelShift) - 1));
  const auto channel = static_cast<std::uint32_t>(block % channels_);
  std::uint32_t slice = channel * slices_per_channel_ +
                        static_cast<std::uint32_t>(_pext_u64(in_channel, slice_mask_));
  const std::uint64_t local = _pext_u64(in_channel, ~slice_mask_);
  if (hash_ == 0) return {slice, Address{local}};
  if (hash_ == kRowAdded) {
    const std::uint64_t row = _pext_u64(in_channel, row_mask_);
    const auto rotated = static_cast<std::uint32_t>((channel + kRowMultiplier * row) % channels_);
    return {slice + (rotated - channel) * slices_per_channel_, Address{local}};
  }
  const std::uint32_t where =
      hash_ == kScattered
          ? in_half(scattered(a), a)
          : hashed(slice, in_channel >> (kChannelShift + log2(slices_per_channel_)));
  return {where, Address{local | std::uint64_t{slice} << kPlainSliceShift}};
}

std::uint32_t AddressMap::scattered(Address a) const {
  const std::uint64_t block = (a.value - heap_base_) >> kScatterShift;
  if (block < scatter_.size()) return scatter_[block];
  return static_cast<std::uint32_t>(mix(a.value >> kScatterShift) %
                                    (channels_ * slices_per_channel_));
}

// The place of a slice of either half in the half of the address.
std::uint32_t AddressMap::in_half(std::uint32_t slice, Address a) const {
  if (!has_halves_) return slice;
  const std::uint32_t half = channels_ * slices_per_channel_ / 2;
  return slice % half + (mix(a.value >> kHalfShift) & 1) * half;
}

std::uint32_t AddressMap::hashed(std::uint32_t slice, std::uint64_t upper) const {
  const int bits = log2(channels_ * slices_per_channel_);
  if (hash_ == 2) return polynomial_(upper << bits | slice);
  const std::uint32_t slice_bits = slice & (slices_per_channel_ - 1);
  return ((slice / slices_per_channel_) ^ (static_cast<std::uint32_t>(upper) & (channels_ - 1))) *
             slices_per_channel_ +
         slice_bits;
}

DramPlace AddressMap::dram_of(std::uint32_t slice, Address local) const {
  if (hash_ != 0 && hash_ != kRowAdded) {
    slice = static_cast<std::uint32_t>(local.value >> kPlainSliceShift);
    local.value &= (std::uint64_t{1} << kPlainSliceShift) - 1;
  }
  return decode(_pdep_u64(local.value, ~slice_mask_) |
                _pdep_u64(slice & (slices_per_channel_ - 1), slice_mask_));
}

DramPlace AddressMap::decode(std::uint64_t in_channel) const {
  return {static_cast<std::uint32_t>(_pext_u64(in_channel, bank_mask_)),
          static_cast<std::uint32_t>(_pext_u64(in_channel, row_mask_)),
          static_cast<std::uint32_t>(_pext_u64(in_channel, column_mask_))};
}

}  // namespace heddle::mem
