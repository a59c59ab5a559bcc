// Where the records of a program go that runs: into the file, or as effects into the operation that
// runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/capture/format.h"
#include "cuda/objects/stream_work.h"
#include "gpu/device.h"

namespace heddle::cuda {

class RecordSink {
 public:
  // UserError when the file cannot be written, here and in every other function.
  explicit RecordSink(const std::string& path) : writer_(path) {}

  void add(const Record& record);
  void add_effect(Effect effect);
  // The host wrote `bytes` bytes.
  void add_write(Address to, const std::uint8_t* data, std::uint64_t bytes);
  // Data that the next record names.
  Blob store(const std::uint8_t* data, std::uint64_t bytes) { return writer_.store(data, bytes); }

  // Effects between both calls belong to the operation; operations may run within each other.
  void operation_begins(StreamWork::Id id) { running_.push_back({id, {}, {}}); }
  void operation_ended(const std::optional<gpu::CopyRequest>& copy);
  // Nothing may be recorded while a host function runs.
  void set_in_host_function(bool runs) { in_host_function_ = runs; }
  // The host reads what device code has printed.
  void read_output();
  // Completes the file, unless nothing was recorded since it was completed.
  void finish(const CaptureInfo& info);

 private:
  CaptureWriter writer_;
  std::vector<RunOperation> running_;  // the last one runs within the one before
  bool changed_ = true;                // since the file was completed
  bool output_read_ = true;            // nothing was recorded since the host read the output
  bool in_host_function_ = false;
};

}  // namespace heddle::cuda
