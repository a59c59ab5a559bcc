// Which allocations of device memory are live, which were freed, and how much memory they take.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/types.h"

namespace heddle::exec {

struct Allocation {
  Address base;
  std::uint64_t bytes = 0;
  std::string what;                 // "cudaMalloc #3", "variable table"
  bool shared_with_host = false;    // the host reads and writes it at the same address
  std::uint8_t* adopted = nullptr;  // host memory that became device memory: where the host has it
  bool mapped = false;              // memory that a reservation of addresses shows
  bool variable = false;            // a variable of a module, which the host does not share
  std::uint64_t id = 0;             // unique among all allocations of the memory so far

  bool is_of_host() const { return shared_with_host || adopted != nullptr; }
};

// Is notified after every change of the allocations and mappings that succeeded.
class MappingObserver {
 public:
  virtual ~MappingObserver() = default;
  // address: what the caller of allocate(), allocate_shared() or adopt() receives.
  virtual void allocated(const Allocation& allocation, Address address) = 0;
  virtual void freed(Address base) = 0;
  virtual void host_address_accepted(Address address, std::uint64_t bytes, std::uint64_t host) = 0;
  virtual void reserved(Address base, std::uint64_t bytes, std::uint64_t align) = 0;
  virtual void released(Address base, std::uint64_t bytes) = 0;
  // place: unique among the memory that exists.
  virtual void created(std::uint64_t place, std::uint64_t bytes) = 0;
  virtual void ended(std::uint64_t place) = 0;
  virtual void mapped(Address base, std::uint64_t bytes, std::uint64_t place,
                      std::uint64_t offset) = 0;
  virtual void unmapped(Address base, std::uint64_t bytes) = 0;
  virtual void allowed(Address base, std::uint64_t bytes, bool access) = 0;
  // The host wrote memory that only the device reaches, other than by a copy.
  virtual void written(Address address, std::uint64_t bytes) = 0;
};

class Allocations {
 public:
  using ByBase = std::map<std::uint64_t, Allocation>;

  explicit Allocations(std::uint64_t capacity_bytes) : capacity_(capacity_bytes) {}

  void set_observer(MappingObserver* observer) { observer_ = observer; }
  MappingObserver* observer() const { return observer_; }  // may be null
  // The host has written [address, address + bytes) of the image, other than by a copy.
  void notify_written(Address address, std::uint64_t bytes) {
    if (observer_) observer_->written(address, bytes);
  }

  // Gives the allocation its id.
  const Allocation& add(Allocation allocation);
  // Kernels may use [host, host + bytes) for [address, address + bytes), as unified addressing has
  // it, until the allocation is freed. False, without effect: the device has such addresses itself,
  // or the range is not in one allocation.
  bool accept_host_address(Address address, std::uint64_t bytes, std::uint64_t host);
  // The device's address of what a kernel accesses: another one for a host address it may use.
  Address on_device(Address address) const {
    return of_host_.empty() ? address : translate(address);
  }
  // Forgets the live allocation; it does not count as freed.
  void remove(Address base);
  // The live allocation is freed.
  void retire(Address base);
  // Nothing of [base, base + bytes) counts as freed any more.
  void forget_freed(Address base, std::uint64_t bytes);

  // What counts against the capacity.
  void charge(std::uint64_t bytes) { used_ += bytes; }
  void refund(std::uint64_t bytes) { used_ -= bytes; }
  std::uint64_t used_bytes() const { return used_; }
  std::uint64_t capacity_bytes() const { return capacity_; }
  bool has_room_for(std::uint64_t bytes) const {
    return used_ <= capacity_ && bytes <= capacity_ - used_;
  }

  const ByBase& live() const { return live_; }
  // The live allocation that contains the address, or null.
  const Allocation* find(Address address) const;
  // The freed allocation that contains the address, or null; part of it may be live again.
  const Allocation* find_freed(Address address) const;
  // Has a live allocation a byte in [first, end)?
  bool any_live_in(std::uint64_t first, std::uint64_t end) const;
  // Can the host write what kernels read while they run?
  bool reach_host() const;
  // How often the set of live allocations has changed.
  std::uint64_t generation() const { return generation_; }

  // "64 bytes after the end of cudaMalloc #2 (0xc0000400, 1024 bytes)", "inside freed ..."
  std::string describe(Address address) const;

 private:
  struct HostRange {
    std::uint64_t bytes = 0;
    Address device;
  };
  Address translate(Address address) const;

  std::uint64_t capacity_, used_ = 0, generation_ = 0;
  ByBase live_, freed_;
  std::map<std::uint64_t, HostRange> of_host_;  // host addresses of live allocations
  MappingObserver* observer_ = nullptr;
};

// "cudaMalloc #2 (0xc0000400, 1024 bytes)"
std::string name_with_place(const Allocation& allocation);

}  // namespace heddle::exec
