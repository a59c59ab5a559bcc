// Records what happens to a device's memory: allocations, mappings, copies and fills, and what the
// host writes without a call. Memory that the host reaches, too (managed, page-locked and
// registered), is compared with a copy before the device may read it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "cuda/capture/record_sink.h"
#include "exec/state/global_memory.h"
#include "exec/state/zero_pages.h"

namespace heddle::cuda {

// A copy between the host and the device, or on one of them. Addresses of the host are pointers.
struct Transfer {
  Placement to, from;
  Region region;
  bool to_device = false, from_device = false;
};

class MemoryRecorder final : public exec::MemoryObserver {
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
  // The host waits, and kernels may run until kernels_ended(). What the host has written is
  // recorded now; what changes meanwhile is the kernels' work.
  void kernels_begin();
  void kernels_ended();
  // Whether words of one page that the host wrote are separated from the device's.
  void set_words(bool words) { words_ = words; }
  void host_function_begins();
  void host_function_ended();

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
  Shared* shared_at(Address address);
  // Where the device has a region of the host's memory; none when it has not.
  std::optional<Placement> on_device(const Placement& host, const Region& region);
  // The bytes of a region, row by row; they are valid until the next call.
  std::span<const std::uint8_t> data_of(const Placement& from, const Region& region, bool on_host);

  exec::GlobalMemory& memory_;
  RecordSink& sink_;
  std::map<std::uint64_t, Shared> shared_;  // by device address
  Bytes gathered_;                          // of a region whose rows are apart
  bool in_device_ = false;
  bool kernels_run_ = false;
  bool words_ = false;
};

}  // namespace heddle::cuda
