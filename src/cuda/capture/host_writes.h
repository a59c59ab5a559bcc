// Finds what the host writes, without a call, to memory that it reaches, too (managed, page-locked
// and registered): compares it with a copy before the device may read it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "cuda/capture/record_sink.h"
#include "exec/state/global_memory.h"
#include "exec/state/zero_pages.h"

namespace heddle::cuda {

class HostWrites {
 public:
  // Both must outlive the object.
  HostWrites(exec::GlobalMemory& memory, RecordSink& sink) : memory_(memory), sink_(sink) {}

  // host: the address at which the host reaches the allocation.
  void add(const exec::Allocation& allocation, std::uint64_t host);
  void remove(Address base) { shared_.erase(base.value); }
  bool contains(Address address) { return shared_at(address) != nullptr; }
  // Where the device has a region of the host's memory; none when it has not.
  std::optional<RegionPlace> on_device(const RegionPlace& host, const CopyRegion& region) const;

  // The host waits, and kernels may run until kernels_ended(). What the host has written is
  // recorded now; what changes meanwhile is the kernels' work.
  void kernels_begin();
  void kernels_ended();
  // Whether words of one page that the host wrote are separated from the device's.
  void set_words(bool words) { words_ = words; }
  void host_function_begins() { compare_all(!kernels_run_); }
  void host_function_ended() { compare_all(true); }
  // Of a part that a copy or fill touches: records what the host wrote, or only learns the bytes.
  void compare_part(const RegionPlace& at, const CopyRegion& region, bool record);

 private:
  // Memory that the host reaches, too, as it was when it was compared last.
  struct Shared {
    std::uint64_t host = 0;  // address at which the host reaches it
    exec::Allocation allocation;
    exec::ZeroPages known;
  };
  Shared* shared_at(Address address);
  // The differences between memory and what is known of it, in [first, first + bytes): recorded as
  // writes of the host, or only learnt.
  void compare(Shared& shared, Address first, std::uint64_t bytes, bool record);
  void compare_all(bool record);
  void record_run(Address first, std::uint8_t* known, std::uint64_t bytes);
  void record_words(Address first, std::uint8_t* known, std::uint64_t bytes);

  exec::GlobalMemory& memory_;
  RecordSink& sink_;
  std::map<std::uint64_t, Shared> shared_;  // by device address
  bool kernels_run_ = false;
  bool words_ = false;
};

}  // namespace heddle::cuda
