// A graph that device code may launch (CUDA's device graphs), as it was uploaded to the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/launch_builder.h"

namespace heddle::gpu {

// Rows of bytes at equal distances, in slices at equal distances. A fill has no source.
struct MemoryBox {
  std::uint64_t to = 0, to_pitch = 0, to_slice = 0;
  std::uint64_t from = 0, from_pitch = 0, from_slice = 0;
  std::uint64_t width = 0, height = 1, depth = 1;  // width: bytes
  std::uint32_t value = 0, element_bytes = 1;      // of a fill
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.to, self.to_pitch, self.to_slice, self.from, self.from_pitch, self.from_slice,
            self.width, self.height, self.depth, self.value, self.element_bytes);
  }
};

struct DeviceGraph {
  struct Node {
    std::optional<LaunchRequest> launch;  // none: a copy or fill
    MemoryBox box;
    std::vector<std::size_t> after;  // nodes before it in the list
  };
  std::uint64_t handle = 0;
  std::vector<Node> nodes;
};

}  // namespace heddle::gpu
