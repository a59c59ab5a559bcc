// Calls of kernels that ask about the device and its kernels, and that allocate memory.
#pragma once

#include <cstdint>

#include "exec/services/device_runtime.h"
#include "exec/services/device_services.h"
#include "gpu/nested/call_errors.h"
#include "gpu/nested/device_code.h"
#include "gpu/nested/nested_host.h"

namespace heddle::gpu {

class DeviceQueries {
 public:
  DeviceQueries(const DeviceCode& program, const NestedHost& host, exec::DeviceHeap& heap,
                CallErrors& errors)
      : program_(program), host_(host), heap_(heap), errors_(errors) {}

  // The device's count, number, limits, attributes and version.
  std::uint64_t query(const exec::DeviceCall& call);
  // A kernel's attributes and occupancy.
  std::uint64_t query_kernel(const exec::DeviceCall& call);
  // cudaMalloc of a kernel takes memory from the heap of malloc.
  std::uint64_t allocate(const exec::DeviceCall& call);
  std::uint64_t free(const exec::DeviceCall& call);

 private:
  const DeviceCode& program_;
  const NestedHost& host_;
  exec::DeviceHeap& heap_;
  CallErrors& errors_;
};

}  // namespace heddle::gpu
