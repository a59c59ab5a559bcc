// A device without CUDA: takes PTX text, with or without the directives of a module; returns
// results and memory.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "gpu/device.h"
#include "gpu/share/catalogue.h"
#include "ptx/module.h"

namespace heddle::laws {

// The PTX of a kernel of bench/reference.
inline std::string reference_text(const std::string& name) {
  return read_file(std::string(HEDDLE_SOURCE_DIR) + "/bench/reference/" + name + ".sm75.ptx");
}

inline std::vector<std::string> share_policies() {
  std::vector<std::string> names;
  for (const auto& policy : gpu::list_share_policies()) names.push_back(policy.name);
  return names;
}

class DeviceBench {
 public:
  explicit DeviceBench(const config::RunSpec& spec, std::vector<gpu::DeviceProgram> programs = {})
      : device(spec, std::move(programs)) {}

  template <class T>
  std::uint64_t copy(const std::vector<T>& values) {
    const std::uint64_t bytes = values.size() * sizeof(T);
    const Address at =
        device.memory(program).allocate(bytes, "block " + std::to_string(blocks_.size() + 1));
    std::memcpy(device.memory(program).host(at), values.data(), bytes);
    blocks_.push_back({program, at, bytes});
    return at.value;
  }
  template <class T>
  std::uint64_t zeros(std::size_t count) {
    return copy(std::vector<T>(count));
  }

  template <class... Arguments>
  void run(const std::string& ptx, const std::string& kernel, Dim3 grid, Dim3 block,
           Arguments... arguments) {
    device.run(request(ptx, kernel, grid, block, arguments...));
  }
  // The kernel may overlap with others until finish().
  template <class... Arguments>
  std::uint64_t begin(const std::string& ptx, const std::string& kernel, Dim3 grid, Dim3 block,
                      Arguments... arguments) {
    return device.begin(request(ptx, kernel, grid, block, arguments...));
  }
  template <class... Arguments>
  std::uint64_t begin_cooperative(const std::string& ptx, const std::string& kernel, Dim3 grid,
                                  Dim3 block, Arguments... arguments) {
    gpu::LaunchRequest launch = request(ptx, kernel, grid, block, arguments...);
    launch.cooperative = true;
    return device.begin(launch);
  }
  template <class... Arguments>
  std::uint64_t begin_with_priority(int priority, const std::string& ptx, const std::string& kernel,
                                    Dim3 grid, Dim3 block, Arguments... arguments) {
    return device.begin(request(ptx, kernel, grid, block, arguments...), priority);
  }
  void finish() {
    while (device.busy()) device.advance();
  }

  // Every byte of every block, for comparison.
  std::string memory() {
    std::string all;
    for (const Block& b : blocks_) all += bytes_of(b);
    return all;
  }
  // Of the blocks of one program.
  std::string memory_of(std::uint32_t one) {
    std::string all;
    for (const Block& b : blocks_)
      if (b.program == one) all += bytes_of(b);
    return all;
  }

  gpu::Device device;
  std::uint32_t program = 0;  // that copies and launches from now on

 private:
  template <class... Arguments>
  gpu::LaunchRequest request(const std::string& ptx, const std::string& kernel, Dim3 grid,
                             Dim3 block, Arguments... arguments) {
    const bool headed = ptx.find(".version") != std::string::npos;
    const std::string text =
        (headed ? "" : ".version 7.0\n.target sm_70\n.address_size 64\n") + ptx;
    kernels_.push_back(
        std::make_unique<ptx::Kernel>(ptx::Module::parse(text, kernel + ".ptx").lower(kernel, {})));
    const ptx::Kernel& lowered = *kernels_.back();
    gpu::LaunchRequest launch;
    launch.program = program;
    launch.kernel = &lowered;
    launch.grid = grid;
    launch.block = block;
    launch.parameters.resize(lowered.parameter_bytes);
    std::size_t i = 0;
    (put(launch, lowered.parameters.at(i++).offset, arguments), ...);
    return launch;
  }

  struct Block {
    std::uint32_t program;
    Address at;
    std::uint64_t bytes;
  };
  std::string bytes_of(const Block& b) {
    return {reinterpret_cast<const char*>(device.memory(b.program).host(b.at)), b.bytes};
  }
  template <class T>
  static void put(gpu::LaunchRequest& launch, std::size_t offset, T value) {
    std::memcpy(launch.parameters.data() + offset, &value, sizeof value);
  }

  std::vector<Block> blocks_;
  std::vector<std::unique_ptr<ptx::Kernel>> kernels_;
};

}  // namespace heddle::laws
