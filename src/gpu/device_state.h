// What a device keeps of a program between launches, beside memory: where its own allocations are,
// and what is free in them. An image of memory needs it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/services/device_services.h"

namespace heddle::gpu {

// Of CUDA's device runtime: see NestedLaunches. Its launches are complete.
struct DeviceRuntimeState {
  struct Buffer {
    std::uint64_t address = 0, function = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.address, self.function, self.grid, self.block, self.shared_bytes);
    }
  };
  struct Text {
    int error = 0;
    bool name = false;
    std::uint64_t address = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.error, self.name, self.address);
    }
  };
  // A graph of which the host has launched a part (LaunchRequest::graph_launch).
  struct Graph {
    std::uint64_t launch = 0, handle = 0;
    std::uint32_t fired = 0, fired_beside = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.launch, self.handle, self.fired, self.fired_beside);
    }
  };
  // A graph that follows it.
  struct TailLaunch {
    std::uint64_t after = 0, handle = 0, parent = 0;  // after: Graph::launch
    int priority = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.after, self.handle, self.parent, self.priority);
    }
  };
  exec::DeviceHeap::State parameters;
  std::vector<Graph> graphs;
  std::vector<TailLaunch> tails;
  std::vector<Buffer> buffers;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> streams;  // handle, number of the grid
  std::vector<std::uint64_t> events;                             // handles
  std::vector<Text> texts;
  std::uint64_t last_handle = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.parameters, self.graphs, self.tails, self.buffers, self.streams, self.events,
            self.texts, self.last_handle);
  }
};

struct DeviceState {
  exec::DeviceHeap::State heap;  // of malloc
  Address grid_workspace;        // of cooperative launches
  DeviceRuntimeState runtime;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.heap, self.grid_workspace, self.runtime);
  }
};

}  // namespace heddle::gpu
