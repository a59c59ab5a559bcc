// Records a program while it runs: every function notifies of what the host does, in its order.
// Memory that the host writes without a call (managed, page-locked and registered) is compared with
// a copy before the device may read it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capture/format.h"
#include "cuda/objects/stream_work.h"
#include "cuda/objects/textures.h"
#include "exec/state/global_memory.h"
#include "exec/state/zero_pages.h"
#include "gpu/device.h"

namespace heddle::cuda {

// A copy between the host and the device, or on one of them. Addresses of the host are pointers.
struct Transfer {
  Placement to, from;
  Region region;
  bool to_device = false, from_device = false;
};

// PTX texts that are linked with each other, as the program loads them.
struct LoadedModule {
  std::vector<std::pair<std::string, const std::string*>> texts;  // by name in messages
  std::vector<std::pair<std::string, Address>> addresses;         // of variables
  std::vector<std::string> kernels;
};

class Recorder final : public exec::MemoryObserver {
 public:
  // Memory, textures and streams must outlive the recorder. UserError when the file cannot be
  // written, here and in every other function, and for what cannot be captured.
  Recorder(const std::string& path, CaptureInfo info, exec::GlobalMemory& memory,
           const exec::TextureTable& textures);
  ~Recorder() override;

  // While it exists, allocations are the device's own: it repeats them when the capture runs.
  class DeviceScope {
   public:
    explicit DeviceScope(Recorder* recorder) : recorder_(recorder) {
      if (recorder_) recorder_->in_device_ = true;
    }
    ~DeviceScope() {
      if (recorder_) recorder_->in_device_ = false;
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

   private:
    Recorder* recorder_;
  };

  void loads(const void* group, const LoadedModule& module);
  void lowers(const void* group, const std::string& name, const ptx::Kernel* kernel);
  void reads_output();

  // An operation was added to a stream. if_unfinished: see IssueOperation.
  void issues(StreamWork::Id id, const StreamWork::Place& place, const Operation& operation,
              const std::vector<StreamWork::Id>& after, bool beside, bool if_unfinished = false);
  // The host begins to wait, and has waited. words: other work may be unfinished after it, so the
  // words that the host wrote are separated from the device's in one page.
  void waits(const HostWaits& wait, const StreamWork& work, const gpu::DeviceLimits& limits,
             bool words);
  void waited();
  // An operation other than a launch runs; its effects follow until operation_ended().
  void operation_begins(StreamWork::Id id);
  // copy: the work of a copy engine, if the operation is one.
  void operation_ended(const std::optional<gpu::CopyRequest>& copy);
  // The condition of a conditional node was read; the nodes of the body that it selects are issued
  // until branch_taken().
  void takes_branch(StreamWork::Id id, Address condition, std::uint32_t value);
  void branch_taken();
  void host_function_begins();
  void host_function_ended();

  // Before and after the bytes move.
  void copies(const Transfer& transfer);
  void copied(const Transfer& transfer);
  void fills(const FillMemory& fill);
  void filled(const FillMemory& fill);
  // A graph that device code may launch is on the device, or is no more.
  void uploads(const gpu::DeviceGraph& graph);
  void forgets_graph(std::uint64_t handle);
  void notifies_allocation(Address address, std::uint64_t bytes);

  // Completes the file. What is recorded later is part of the next call.
  void finish(std::uint64_t launches, std::uint64_t elapsed_times);

  void allocated(const exec::Allocation& allocation, Address address) override;
  void freed(Address base) override;
  void reserved(Address base, std::uint64_t bytes, std::uint64_t align) override;
  void released(Address base, std::uint64_t bytes) override;
  void created(std::uint64_t place, std::uint64_t bytes) override;
  void ended(std::uint64_t place) override;
  void mapped(Address base, std::uint64_t bytes, std::uint64_t place,
              std::uint64_t offset) override;
  void unmapped(Address base, std::uint64_t bytes) override;
  void allowed(Address base, std::uint64_t bytes, bool access) override;
  void written(Address address, std::uint64_t bytes) override;

 private:
  // Memory that the host reaches, too, as it was when it was compared last.
  struct Shared {
    std::uint64_t host = 0;  // address at which the host reaches it
    exec::Allocation allocation;
    exec::ZeroPages known;
  };
  [[noreturn]] static void refuse(const std::string& what);
  void add(const Record& record);
  void add_effect(Effect effect);
  void change_mapping(const ChangeMapping& change);
  void add_write(Address to, const std::uint8_t* data, std::uint64_t bytes);
  // The differences between memory and what is known of it, in [first, first + bytes): recorded as
  // writes of the host, or only learnt.
  void compare(Shared& shared, Address first, std::uint64_t bytes, bool record);
  void compare_all(bool record);
  // The same for a part that a copy or fill touches.
  void compare_part(const Placement& at, const Region& region, bool record);
  void record_run(Address first, std::uint8_t* known, std::uint64_t bytes);
  void record_words(Address first, std::uint8_t* known, std::uint64_t bytes);
  void record_textures();
  CapturedLaunch captured(const gpu::LaunchRequest& launch) const;
  void record_limits(const gpu::DeviceLimits& limits);
  Shared* shared_at(Address address);
  // Where the device has a region of the host's memory; none when it has not.
  std::optional<Placement> on_device(const Placement& host, const Region& region);
  // The bytes of a region, row by row; they are valid until the next call.
  std::span<const std::uint8_t> data_of(const Placement& from, const Region& region, bool on_host);

  exec::GlobalMemory& memory_;
  const exec::TextureTable& textures_;
  CaptureInfo info_;
  CaptureWriter writer_;
  std::map<std::uint64_t, Shared> shared_;  // by device address
  std::map<const void*, std::uint32_t> modules_;
  std::map<const ptx::Kernel*, std::pair<std::uint32_t, std::string>> kernels_;
  Bytes gathered_;  // of a region whose rows are apart
  std::vector<Bytes> known_textures_;
  std::map<std::uint64_t, Bytes> known_graphs_;  // by handle
  std::optional<gpu::DeviceLimits> known_limits_;
  std::set<StreamWork::Id> launches_;  // that may be unfinished
  std::vector<RunOperation> running_;  // the last one runs within the one before
  std::optional<TakeBranch> branch_;
  bool changed_ = true;      // since the file was completed
  bool output_read_ = true;  // nothing was recorded since the host read the output
  bool in_device_ = false, in_host_function_ = false;
  bool device_runs_ = false;  // the host waits, and kernels may run
  bool words_ = false;
};

}  // namespace heddle::cuda
