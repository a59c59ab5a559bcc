// The errors that calls of the device runtime return. They are kept for each thread
// (cudaGetLastError).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "exec/services/device_runtime.h"
#include "exec/state/global_memory.h"
#include "gpu/device_state.h"

namespace heddle::gpu {

class CallErrors {
 public:
  explicit CallErrors(exec::GlobalMemory& memory) : memory_(memory) {}

  // The error as the result of the call; kept for its thread when it is one.
  std::uint64_t answer(const exec::DeviceCall& call, int error);
  // The error that was kept last.
  enum class Then { keep, reset };
  std::uint64_t last(const exec::DeviceCall& call, Then then);
  void forget(std::uint64_t grid);

  // The address of a text in device memory, the same for each call; 0: there is no memory.
  std::uint64_t address_of_text(int error, bool name, const std::string& text);
  void save(DeviceRuntimeState& state) const;
  void restore(const DeviceRuntimeState& state);

 private:
  using Thread = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;  // grid, CTA, thread
  static Thread thread_of(const exec::DeviceCall& call);

  exec::GlobalMemory& memory_;
  std::map<Thread, int> errors_;
  std::map<std::pair<int, bool>, std::uint64_t> texts_;  // addresses
};

// Stores a result where the argument points; the call has no error.
template <class T>
std::uint64_t write_result(const exec::DeviceCall& call, std::size_t argument, const T& value) {
  if (!call.write(call.argument<std::uint64_t>(argument), &value, sizeof value))
    call.fault("a call of the device runtime writes outside of the thread's memory");
  return 0;
}

}  // namespace heddle::gpu
