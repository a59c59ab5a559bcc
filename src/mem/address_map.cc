#include "mem/address_map.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"
#include "config/address_bits.h"

namespace heddle::mem {

namespace {

constexpr int kChannelShift = 8;  // channels interleave every 256 bytes

// Partition hash 4 spreads every half of a block over all slices, as if by chance.
constexpr std::uint32_t kScattered = 4;
constexpr int kScatterShift = 7;
// A hash moves an address to another channel, but leaves its bank, row and column. What then cannot be told from the slice goes into
// the upper bits of the slice's address, which no set index looks at: the slice that a plain interleaving had given.
constexpr int kPlainSliceShift = 48;

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

int log2(std::uint32_t n) { return std::bit_width(n) - 1; }

}  // namespace

AddressMap::AddressMap(const config::MemorySpec& spec)
    : channels_(spec.channels),
      slices_per_channel_(spec.slices_per_channel),
      // The hashes permute slice numbers and need a power of two of them; other counts interleave plainly.
      hash_(spec.partition_hash == kScattered || (std::has_single_bit(spec.slices()) && spec.partition_hash <= 2) ? spec.partition_hash : 0),
      polynomial_(std::min(log2(spec.slices()), PolynomialHash::kMaxBits)) {
  std::string problem;
  const auto fields = config::parse_address_bits(spec.address_bits, &problem);
  if (fields.empty()) throw UserError("memory.address_bits " + problem);
  for (const auto& field : fields) {
    const std::uint64_t bits = ((std::uint64_t{1} << field.bits) - 1) << field.first_bit;
    switch (field.part) {
      case config::AddressPart::bank: bank_mask_ |= bits; break;
      case config::AddressPart::row: row_mask_ |= ~((std::uint64_t{1} << field.first_bit) - 1); break;  // and everything above
      case config::AddressPart::column: column_mask_ |= bits; break;
      case config::AddressPart::inside_atom: break;
    }
  }
  if (!std::has_single_bit(slices_per_channel_)) throw UserError("memory.slices_per_channel must be a power of two");
  slice_mask_ = _pdep_u64(slices_per_channel_ - 1, bank_mask_);
}

SlicePlace AddressMap::slice_of(Address a) const {
  const std::uint64_t block = a.value >> kChannelShift;
  const std::uint64_t in_channel = (block / channels_) << kChannelShift | (a.value & ((1u << kChannelShift) - 1));
  const auto channel = static_cast<std::uint32_t>(block % channels_);
  std::uint32_t slice = channel * slices_per_channel_ + static_cast<std::uint32_t>(_pext_u64(in_channel, slice_mask_));
  const std::uint64_t local = _pext_u64(in_channel, ~slice_mask_);
  if (hash_ == 0) return {slice, Address{local}};
  const std::uint32_t where = hash_ == kScattered ? static_cast<std::uint32_t>(mix(a.value >> kScatterShift) % (channels_ * slices_per_channel_))
                                                  : hashed(slice, in_channel >> (kChannelShift + log2(slices_per_channel_)));
  return {where, Address{local | std::uint64_t{slice} << kPlainSliceShift}};
}

std::uint32_t AddressMap::hashed(std::uint32_t slice, std::uint64_t upper) const {
  const int bits = log2(channels_ * slices_per_channel_);
  if (hash_ == 2) return polynomial_(upper << bits | slice);
  const std::uint32_t slice_bits = slice & (slices_per_channel_ - 1);
  return ((slice / slices_per_channel_) ^ (static_cast<std::uint32_t>(upper) & (channels_ - 1))) * slices_per_channel_ +
         slice_bits;
}

DramPlace AddressMap::dram_of(std::uint32_t slice, Address local) const {
  if (hash_ != 0) {
    slice = static_cast<std::uint32_t>(local.value >> kPlainSliceShift);
    local.value &= (std::uint64_t{1} << kPlainSliceShift) - 1;
  }
  return decode(_pdep_u64(local.value, ~slice_mask_) | _pdep_u64(slice & (slices_per_channel_ - 1), slice_mask_));
}

DramPlace AddressMap::decode(std::uint64_t in_channel) const {
  return {static_cast<std::uint32_t>(_pext_u64(in_channel, bank_mask_)),
          static_cast<std::uint32_t>(_pext_u64(in_channel, row_mask_)),
          static_cast<std::uint32_t>(_pext_u64(in_channel, column_mask_))};
}

}  // namespace heddle::mem
