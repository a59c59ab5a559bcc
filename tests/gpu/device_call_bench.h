// Calls of the device runtime, as a thread of a kernel makes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/services/device_runtime.h"
#include "exec/state/launch.h"
#include "gpu/nested/nested_host.h"

namespace heddle::gpu::test {

// Where a call writes its result; cudaSuccess.
constexpr std::uint64_t kResult = 0x100, kOk = 0;

class DeviceCallBench {
 public:
  explicit DeviceCallBench(std::uint64_t grid = 1) {
    launch.grid_id = grid;
    launch.kernel = &kernel;
    launch.block = {4, 1, 1};
  }

  // Arguments of the widths with which they are given.
  template <class... Arguments>
  exec::DeviceCall call(ptx::RuntimeCall function, Arguments... arguments) {
    functions_.push_back({function});
    exec::DeviceCall c;
    c.function = &functions_.back();
    c.launch = &launch;
    c.cta = cta;
    c.thread = thread;
    std::size_t n = 0;
    ((c.arguments[n++] = store(arguments)), ...);
    c.read = [this](std::uint64_t address, void* to, std::uint32_t bytes) {
      std::memcpy(to, written[address].data(), bytes);
      return true;
    };
    c.write = [this](std::uint64_t address, const void* from, std::uint32_t bytes) {
      const auto* const first = static_cast<const std::uint8_t*>(from);
      written[address].assign(first, first + bytes);
      return address != 0;
    };
    c.fault = [](const std::string& what) { throw std::runtime_error(what); };
    return c;
  }
  template <class T>
  T result(std::uint64_t address) const {
    T value;
    std::memcpy(&value, written.at(address).data(), sizeof value);
    return value;
  }

  isa::Kernel kernel;
  exec::Launch launch;
  std::uint64_t cta = 0;
  std::uint32_t thread = 0;
  std::map<std::uint64_t, std::vector<std::uint8_t>> written;  // by address

 private:
  template <class T>
  const std::uint8_t* store(const T& value) {
    auto& bytes = arguments_.emplace_back(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes.data();
  }
  std::deque<ptx::RuntimeFunction> functions_;
  std::deque<std::vector<std::uint8_t>> arguments_;
};

// Notes the launches that it is given.
struct NotingHost final : NestedHost {
  std::uint64_t next_launch() override { return ++last; }
  void begin_timed(const NestedLaunch& launch) override { timed.push_back(launch.number); }
  void run_untimed(const NestedLaunch& launch) override { untimed.push_back(launch.number); }
  int ctas_per_sm(const LaunchRequest& request) const override {
    return static_cast<int>(1024 / request.block.x);
  }
  std::uint64_t last = 100;
  std::vector<std::uint64_t> timed, untimed;
};

// No call of a warp is served.
struct NoRuntime final : exec::DeviceRuntime {
  std::optional<std::uint64_t> call(const exec::DeviceCall&) override { return std::nullopt; }
  void collect(exec::Warp&) override {}
  void cta_ended() override {}
};

}  // namespace heddle::gpu::test
