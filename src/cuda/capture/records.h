// What a capture consists of: what the host did, in its order. An effect changes or reads device
// memory; it happens in the host's order, or when an operation of a stream runs. The values that a
// field may have are stated here; what must agree with other records is checked by RecordChecker
// (record_checker.h) and, against the memory that exists then, by the player.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/launch_analysis.h"
#include "cuda/capture/archive.h"
#include "exec/state/cluster.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "gpu/device_state.h"
#include "gpu/nested/device_graph.h"

namespace heddle::cuda {

// Data: in the record when it is short, otherwise in chunks of the file, which records may share.
struct Blob {
  Bytes bytes;
  std::vector<std::uint32_t> chunks;  // numbers of data chunks
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.bytes, self.chunks);
  }
};

// `depth` slices of `height` rows of `width` bytes.
struct CopyRegion {
  std::uint64_t width = 0, height = 1, depth = 1;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.width, kAddresses, "the width of a copy");
    archive.within(self.height, kAddresses, "the height of a copy");
    archive.within(self.depth, kAddresses, "the depth of a copy");
  }
};
// Where a region is in device memory. The distances count bytes.
struct RegionPlace {
  Address base;
  std::uint64_t pitch = 0, slice_bytes = 0;
  Address row(std::uint64_t y, std::uint64_t z) const {
    return base + (z * slice_bytes + y * pitch);
  }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.base, kAddresses, "the address of a copy");
    archive.within(self.pitch, kAddresses, "the pitch of a copy");
    archive.within(self.slice_bytes, kAddresses, "the distance of a copy's slices");
  }
};

// The limits of CUDA for every GPU; those of the simulated one are checked when the launch begins.
inline constexpr Range kGridX{1, (std::uint64_t{1} << 31) - 1}, kGridYz{1, 65535};
inline constexpr Range kBlockXy{1, 1024}, kBlockZ{1, 64};
inline constexpr Range kClusterSize{0, exec::kMaxClusterCtas};
inline constexpr Range kSharedBytes{0, exec::kWindowBytes};
inline constexpr Range kGraphLaunches{0, kLaunches.most};

struct CapturedLaunch {
  std::uint32_t module = 0;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  Bytes parameters;
  bool cooperative = false;
  analysis::Direction cta_direction = analysis::Direction::none;
  std::uint64_t graph_launch = 0, graph = 0;  // as in gpu::LaunchRequest
  Dim3 cluster{0, 0, 0};                      // 0: as the kernel was compiled
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.module, self.kernel);
    archive.within(self.grid.x, kGridX, "the grid's size along x");
    archive.within(self.grid.y, kGridYz, "the grid's size along y");
    archive.within(self.grid.z, kGridYz, "the grid's size along z");
    archive.within(self.block.x, kBlockXy, "the block's size along x");
    archive.within(self.block.y, kBlockXy, "the block's size along y");
    archive.within(self.block.z, kBlockZ, "the block's size along z");
    archive.within(self.dynamic_shared_bytes, kSharedBytes, "the size of dynamic shared memory");
    archive(self.parameters, self.cooperative);
    archive.bounded(self.cta_direction, analysis::Direction::y);
    archive.within(self.graph_launch, kGraphLaunches, "the number of a launch of a graph");
    archive(self.graph);
    archive.within(self.cluster.x, kClusterSize, "the cluster's size along x");
    archive.within(self.cluster.y, kClusterSize, "the cluster's size along y");
    archive.within(self.cluster.z, kClusterSize, "the cluster's size along z");
  }
};

// Changes of the allocations; the addresses are those that resulted.
struct AllocateMemory {
  enum class Kind : std::uint8_t { device, shared, adopted, variable } kind = Kind::device;
  Address address;
  std::uint64_t bytes = 0, offset = 0;  // offset: of adopted memory in its first page
  std::string what;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.bounded(self.kind, Kind::variable);
    archive.within(self.address, kAddresses, "the address of an allocation");
    archive.within(self.bytes, {1, kAddresses.most}, "the size of an allocation");
    archive.within(self.offset, {0, 4095}, "the offset of an allocation in its page");
    archive(self.what);
  }
};
struct FreeMemory {
  Address address;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.address, kAddresses, "the address of an allocation");
  }
};
// Addresses and memory apart, and mappings between them (exec/state/global_memory.h). Memory is
// named by its place, which is unique among existing memory.
inline constexpr Range kPlaces{0, 16 * kAddresses.most};
struct ChangeMapping {
  enum class Act : std::uint8_t { reserve, release, create, end, map, unmap, allow, forbid };
  Act act = Act::reserve;
  Address base;
  std::uint64_t bytes = 0, align = 0, place = 0, offset = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.bounded(self.act, Act::forbid);
    archive.within(self.base, kAddresses, "the address of a mapping");
    archive.within(self.bytes, kAddresses, "the size of a mapping");
    archive.within(self.align, kAddresses, "the alignment of a mapping");
    archive.within(self.place, kPlaces, "the place of mapped memory");
    archive.within(self.offset, kAddresses, "the offset of a mapping");
  }
};
// The checker is notified of an allocation.
struct NotifyAllocation {
  Address address;
  std::uint64_t bytes = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.address, kAddresses, "the address of an allocation");
    archive.within(self.bytes, kAddresses, "the size of an allocation");
  }
};
struct WriteMemory {
  RegionPlace to;
  CopyRegion region;
  Blob data;            // row by row
  bool copied = false;  // by a copy, of which the timing model and the checker are notified
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.to, self.region, self.data, self.copied);
  }
};
struct CopyMemory {
  RegionPlace to, from;
  CopyRegion region;
  // false: memory that the host shares with the device, used as host memory.
  bool to_device = true, from_device = true;
  std::uint64_t hash = 0;  // of the data, when they go from the device to the host
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.to, self.from, self.region, self.to_device, self.from_device, self.hash);
  }
};
// A copy to memory of the host alone.
struct ReadMemory {
  RegionPlace from;
  CopyRegion region;
  std::uint64_t hash = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.from, self.region, self.hash);
  }
};
struct FillMemory {
  RegionPlace to;
  CopyRegion region;
  std::uint32_t value = 0, element_bytes = 1;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.to, self.region, self.value);
    archive.one_of(self.element_bytes, {1, 2, 4}, "the size of a fill's elements");
  }
};
// A graph that device code may launch is on the device from now on, or is no more.
struct UploadGraph {
  struct Node {
    std::optional<CapturedLaunch> launch;
    gpu::MemoryBox box;
    std::vector<std::size_t> after;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.launch, self.box, self.after);
    }
  };
  std::uint64_t handle = 0;
  bool exists = true;
  std::vector<Node> nodes;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.handle, self.exists, self.nodes);
  }
};
// Kernels may use the host's addresses of registered memory, whose values are in their arguments.
struct AcceptHostAddress {
  Address address;
  std::uint64_t bytes = 0;
  Address host;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.address, kAddresses, "the address of registered memory");
    archive.within(self.bytes, {1, kAddresses.most}, "the size of registered memory");
    archive.within(self.host, kHostAddresses, "the host's address of registered memory");
  }
};
// A capture has the number of the type: new ones are last.
using Effect =
    std::variant<AllocateMemory, FreeMemory, ChangeMapping, NotifyAllocation, WriteMemory,
                 CopyMemory, ReadMemory, FillMemory, UploadGraph, AcceptHostAddress>;

// An entry of the texture table is new or has changed.
struct SetTexture {
  std::uint32_t index = 0;
  exec::Texture texture;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive);
};
// gpu::DeviceLimits of the launches that follow.
struct SetLimits {
  std::uint32_t stack_bytes = 0;
  std::uint64_t heap_bytes = 0, print_bytes = 0, pending_launches = 0;
  std::uint32_t sync_depth = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.stack_bytes, {0, exec::kWindowBytes / 2}, "the size of the stack");
    archive(self.heap_bytes, self.print_bytes, self.pending_launches, self.sync_depth);
  }
};
// PTX texts that are linked with each other, and the addresses of their variables. Modules have the
// numbers 0, 1 and so on.
struct LoadModule {
  std::vector<std::pair<std::string, Blob>> texts;  // by name in messages
  std::vector<std::pair<std::string, Address>> addresses;
  std::vector<std::string> kernels;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.texts, self.addresses, self.kernels);
  }
};
// Where work is issued: StreamWork::Place, with the number of the stream in place of its hardware
// queue.
struct IssuePlace {
  std::uint64_t stream = 0;
  bool blocking = true;
  int priority = 0;
  std::uint32_t number = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.stream, self.blocking, self.priority, self.number);
  }
};
// An operation was added to a stream. Its effects, if any, follow in a RunOperation.
struct IssueOperation {
  std::uint64_t id = 0;
  IssuePlace place;
  bool beside = false;  // StreamWork::add_beside
  // Only if the first of `after` has not finished: the stream waits for an event.
  bool if_unfinished = false;
  std::vector<std::uint64_t> after;
  std::optional<CapturedLaunch> launch;
  std::uint64_t graph_end = 0;  // gpu::Device::end_graph() of this launch of a graph
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.id, self.place, self.beside, self.if_unfinished, self.after, self.launch);
    archive.within(self.graph_end, kGraphLaunches, "the number of a launch of a graph");
  }
};
// gpu::CopyRequest: the work of a copy engine, on a GPU that has some.
struct EngineCopy {
  bool to_device = true, pageable = true;
  std::uint64_t bytes = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.to_device, self.pageable);
    archive.within(self.bytes, kAddresses, "the size of a copy");
  }
};
// An operation that is not a launch ran.
struct RunOperation {
  std::uint64_t id = 0;
  std::vector<Effect> effects;
  std::optional<EngineCopy> engine_copy;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.id, self.effects, self.engine_copy);
  }
};
struct HostWaits {
  enum class For : std::uint8_t { operation, stream, all } what = For::all;
  std::uint64_t id = 0;  // of the operation
  IssuePlace place;      // the stream
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.bounded(self.what, For::all);
    archive(self.id, self.place);
  }
};
// The host read what device code had printed.
struct ReadOutput {
  template <class Self, class Archive>
  static void fields(Self&, Archive&) {}
};
// A kernel of a launch that is not repeated from here on made the device allocate this.
struct AllocateForDevice {
  AllocateMemory allocation;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.allocation);
  }
};
// The memory before a launch. `unfinished`: operations that were issued and have not run; all
// others that were issued have.
struct MemoryImage {
  std::uint64_t launch = 0;
  std::vector<std::uint64_t> unfinished;
  std::vector<WriteMemory> contents;
  gpu::DeviceState device = {};
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.within(self.launch, kLaunches, "the launch of an image");
    archive(self.unfinished, self.contents, self.device);
  }
};

// The condition of a conditional graph node was read, and the nodes of the body that it selects
// were issued, of which the last one waits for the others. No nodes: the operation is over.
struct TakeBranch {
  std::uint64_t operation = 0;
  Address condition;
  std::uint32_t value = 0;
  std::vector<IssueOperation> nodes;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.operation);
    archive.within(self.condition, kAddresses, "the address of a condition");
    archive(self.value, self.nodes);
  }
};

using Record = std::variant<Effect, SetTexture, SetLimits, LoadModule, IssueOperation, RunOperation,
                            HostWaits, ReadOutput, MemoryImage, TakeBranch, AllocateForDevice>;

inline constexpr Range kSmallerLevels{0, 40};  // the largest image has 2^40 texels

struct TextureImageFields {
  template <class Self, class Archive>
  static void of(Self& image, Archive& archive) {
    archive.within(image.base, kAddresses, "the address of a texture");
    archive.bounded(image.format.kind, exec::ChannelKind::floating);
    archive.one_of(image.format.channels, {1, 2, 4}, "the number of a texture's channels");
    archive.one_of(image.format.bits, {8, 16, 32}, "the size of a texture's channels in bits");
    archive.within(image.dimensions, {1, 3}, "the number of a texture's dimensions");
    archive(image.layered, image.cube, image.linear);
    archive.within(image.width, kAddresses, "the width of a texture");
    archive.within(image.height, kAddresses, "the height of a texture");
    archive.within(image.depth, kAddresses, "the depth of a texture");
    archive.within(image.layers, kAddresses, "the number of a texture's layers");
    archive.within(image.pitch_bytes, kAddresses, "the pitch of a texture");
    archive.within(image.slice_bytes, kAddresses, "the distance of a texture's slices");
    archive.within(image.layer_bytes, kAddresses, "the distance of a texture's layers");
  }
};

template <class Self, class Archive>
void SetTexture::fields(Self& self, Archive& archive) {
  auto& texture = self.texture;
  auto& sampling = texture.sampling;
  archive(self.index);
  archive.bounded(texture.kind, exec::HandleKind::sampler);
  archive(texture.bound);
  TextureImageFields::of(texture.image, archive);
  for (auto& mode : sampling.address) archive.bounded(mode, exec::AddressMode::halfway);
  archive(sampling.linear_filter, sampling.normalized_coordinates, sampling.normalized_read,
          sampling.force_unnormalized, sampling.srgb, sampling.blends_levels, sampling.level_bias,
          sampling.least_level, sampling.most_level, sampling.border);
  std::size_t levels = texture.smaller.size();
  archive.within(levels, kSmallerLevels, "the number of a texture's smaller levels");
  if constexpr (Archive::decodes) {
    for (std::size_t i = 0; i < levels; ++i)
      TextureImageFields::of(texture.smaller.emplace_back(), archive);
  } else {
    for (auto& level : texture.smaller) TextureImageFields::of(level, archive);
  }
}

}  // namespace heddle::cuda
