// Streams: their properties, their attributes, and the capture that each takes part in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuda/objects/contexts.h"
#include "cuda/objects/graph.h"
#include "cuda/objects/stream_work.h"
#include "driver_types.h"

namespace heddle::cuda {

// The capture that a stream, or an event recorded in one, takes part in.
struct Capturing {
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> frontier;  // the nodes that the next node depends on
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint32_t number = 0;   // of its creation, from 0 on
  ContextHandle context = 0;  // in which it was created
  Capturing capturing;
};

using StreamAttributes = std::map<int, cudaLaunchAttributeValue>;

inline Capture* capture_of(const Stream* stream) {
  return stream ? stream->capturing.capture.get() : nullptr;
}

class Streams {
 public:
  cudaStream_t create(std::uintptr_t handle, unsigned flags, int priority,
                      ContextHandle context = 0);
  bool destroy(cudaStream_t stream);  // false: no such stream
  // The three spellings of the default stream exist without being created.
  bool exists(cudaStream_t stream) const;
  // Whether work of different streams may overlap: a stream beside the legacy default stream exists
  // that does not wait for it, or two exist. Stays true.
  bool may_overlap() const { return may_overlap_; }
  // Where an operation of the stream is issued. hardware_queues: of the GPU.
  StreamWork::Place place_of(cudaStream_t stream, std::uint32_t hardware_queues);
  // Null when the stream does not exist. Also null for the legacy default stream, which has no
  // properties and cannot be captured.
  Stream* find(cudaStream_t stream);
  Capture* capture_of(cudaStream_t stream) { return cuda::capture_of(find(stream)); }
  // Stored and returned; nothing that is simulated depends on them.
  StreamAttributes& attributes(cudaStream_t stream);
  // Removes every stream from the capture.
  void end_capture(const std::shared_ptr<Capture>& capture);
  void clear();

 private:
  void count_creation(Stream& stream);

  std::map<std::uintptr_t, Stream> streams_;               // by handle
  std::map<std::uintptr_t, StreamAttributes> attributes_;  // by handle, default streams included
  std::uint32_t created_ = 0;
  bool may_overlap_ = false;
};

}  // namespace heddle::cuda
