// Memory for the parameters of launches by kernels that have not been made yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/types.h"
#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "gpu/device_state.h"

namespace heddle::gpu {

class ParameterBuffers {
 public:
  // What is known of the launch when its buffer is taken.
  struct Shape {
    std::uint64_t function = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
  };

  explicit ParameterBuffers(exec::GlobalMemory& memory) : memory_(memory) {}

  std::size_t size() const { return shapes_.size(); }
  // The address; 0 when there is no memory.
  std::uint64_t allocate(std::uint64_t bytes, const Shape& shape);
  // Null: there is no such buffer.
  const Shape* find(std::uint64_t address) const;
  // The first bytes of a buffer.
  std::vector<std::uint8_t> read(std::uint64_t address, std::size_t bytes) const;
  void free(std::uint64_t address);

  void save(DeviceRuntimeState& state) const;
  bool restore(const DeviceRuntimeState& state);  // false when the state is impossible

 private:
  exec::GlobalMemory& memory_;
  exec::DeviceHeap heap_;
  std::map<std::uint64_t, Shape> shapes_;  // by address
};

}  // namespace heddle::gpu
