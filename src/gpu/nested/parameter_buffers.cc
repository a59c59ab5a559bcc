#include "gpu/nested/parameter_buffers.h"

#include <algorithm>
#include <utility>

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kParameterMemoryBytes = std::uint64_t{16} << 20;

}  // namespace

std::uint64_t ParameterBuffers::allocate(std::uint64_t bytes, const Shape& shape) {
  if (!heap_.exists()) {
    const Address base = memory_.allocate(kParameterMemoryBytes, "parameters of nested launches");
    if (base != Address{0}) heap_.begin(base.value, kParameterMemoryBytes);
  }
  const std::uint64_t address = heap_.allocate(std::max<std::uint64_t>(bytes, 1));
  if (address != 0) shapes_[address] = shape;
  return address;
}

const ParameterBuffers::Shape* ParameterBuffers::find(std::uint64_t address) const {
  const auto found = shapes_.find(address);
  return found == shapes_.end() ? nullptr : &found->second;
}

std::vector<std::uint8_t> ParameterBuffers::read(std::uint64_t address, std::size_t bytes) const {
  const auto* const first = memory_.host(Address{address});
  return {first, first + bytes};
}

void ParameterBuffers::free(std::uint64_t address) {
  shapes_.erase(address);
  heap_.free(address);
}

void ParameterBuffers::save(DeviceRuntimeState& state) const {
  state.parameters = heap_.state();
  for (const auto& [address, s] : shapes_)
    state.buffers.push_back({address, s.function, s.grid, s.block, s.shared_bytes});
}

bool ParameterBuffers::restore(const DeviceRuntimeState& state) {
  const auto& [base, bytes, blocks] = state.parameters;
  if (bytes != 0 && !memory_.valid(Address{base}, bytes)) return false;
  for (const DeviceRuntimeState::Buffer& b : state.buffers) {
    const auto block = std::lower_bound(blocks.begin(), blocks.end(),
                                        std::pair<std::uint64_t, std::uint64_t>{b.address, 0});
    if (block == blocks.end() || block->first != b.address) return false;
    shapes_[b.address] = {b.function, b.grid, b.block, b.shared_bytes};
  }
  return heap_.restore(state.parameters);
}

}  // namespace heddle::gpu
