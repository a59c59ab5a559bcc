// What kernels ask of CUDA's device runtime: launches, streams, events, copies, queries. The device
// answers; see gpu/nested.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include "exec/services/print.h"
#include "ptx/device_runtime.h"

namespace heddle::exec {

struct Launch;
struct Warp;

// Copies bytes to the thread's memory; false when they are in no memory of the thread.
using WriteMemory =
    std::function<bool(std::uint64_t address, const void* from, std::uint32_t bytes)>;

// The call of one thread.
struct DeviceCall {
  const ptx::RuntimeFunction* function = nullptr;
  const Launch* launch = nullptr;
  std::uint64_t cta = 0;     // linear
  std::uint32_t thread = 0;  // linear, in the CTA
  std::uint64_t cycle = 0;   // of the call; in a functional run a count of instructions
  std::array<const std::uint8_t*, ptx::kMaxRuntimeArguments> arguments{};
  ReadMemory read;
  WriteMemory write;
  std::function<void(const std::string& what)> fault;  // throws KernelFault

  template <class T>
  T argument(std::size_t n) const {
    T value;
    std::memcpy(&value, arguments[n], sizeof value);
    return value;
  }
};

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  // The result of the call; none: the thread waits, and the call is repeated later. In a functional
  // run there is always a result.
  virtual std::optional<std::uint64_t> call(const DeviceCall& call) = 0;
  // Timed: the warp has called in the window that ends. It sleeps until serve_device_call() returns
  // true.
  virtual void collect(Warp& warp) = 0;
  // Functional: a CTA has ended.
  virtual void cta_ended() = 0;
};

}  // namespace heddle::exec
