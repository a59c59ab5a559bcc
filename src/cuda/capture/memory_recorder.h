// Records what happens to a device's memory: allocations, mappings, copies and fills.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/capture/host_writes.h"
#include "cuda/capture/record_sink.h"
#include "exec/state/global_memory.h"

namespace heddle::cuda {

// A copy between the host and the device, or on one of them. Addresses of the host are pointers.
struct Transfer {
  RegionPlace to, from;
  CopyRegion region;
  bool to_device = false, from_device = false;
};

class MemoryRecorder final : public exec::MappingObserver {
 public:
  // Both must outlive the object.
  MemoryRecorder(exec::GlobalMemory& memory, RecordSink& sink);
  ~MemoryRecorder() override;

  // Records a copy or fill before the bytes move, and learns afterwards what it has changed.
  // UserError as for RecordSink.
  void transfer_begins(const Transfer& transfer);
  void transfer_ended(const Transfer& transfer);
  void transfer_begins(const FillMemory& fill);
  void transfer_ended(const FillMemory& fill);

  // Allocations are the device's own: it repeats them when the capture runs.
  void set_in_device(bool in_device) { in_device_ = in_device; }
  HostWrites& host_writes() { return host_; }

  void allocated(const exec::Allocation& allocation, Address address) override;
  void freed(Address base) override;
  void host_address_accepted(Address address, std::uint64_t bytes, std::uint64_t host) override;
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
  void change_mapping(const ChangeMapping& change);
  // The bytes of a region, row by row; they are valid until the next call.
  std::span<const std::uint8_t> data_of(const RegionPlace& from, const CopyRegion& region,
                                        bool on_host);

  exec::GlobalMemory& memory_;
  RecordSink& sink_;
  HostWrites host_;
  Bytes gathered_;  // of a region whose rows are apart
  bool in_device_ = false;
};

}  // namespace heddle::cuda
