#include "cuda/replay/kernel_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "cuda/fatbin/ptx_symbols.h"
#include "cuda/kernels/buffer_data.h"
#include "cuda/process/api_call.h"
#include "gpu/kernel_names.h"
#include "sass/cubin/cubin.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kElf = "\177ELF";

bool is_container(const std::string& image) {
  std::uint32_t magic = 0;
  if (image.size() < sizeof magic) return false;
  std::memcpy(&magic, image.data(), sizeof magic);
  return magic == kContainerMagic;
}

sass::Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::vector<std::string> kernels_of_cubin(const std::string& cubin) {
  std::vector<std::string> names;
  for (const auto& code : sass::read_cubin(bytes_of(cubin)).code)
    if (code.kernel) names.push_back(code.name);
  return names;
}

std::vector<std::string> kernels_of_ptx(const std::string& text, const std::string& path) {
  const PtxSymbols symbols = scan_symbols(text, path);
  return {symbols.entries.begin(), symbols.entries.end()};
}

// UserError when the call has failed. A fault of a kernel has been reported.
struct KernelFaulted {};
void require(cudaError_t error, const SourceLocation& where, const std::string& what) {
  if (error == cudaSuccess) return;
  if (Session::get().faults().any()) throw KernelFaulted{};
  throw UserError(where, fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

// What `call` would print and return to a program becomes a UserError.
template <class Work>
void with_place(const std::string& path, Work&& work) {
  try {
    work();
  } catch (const UserError& error) {
    const std::string message = error.what();
    throw UserError(message.starts_with(path) ? message : path + ": " + message);
  }
}

}  // namespace

KernelHost::KernelHost(const std::string& path) : description_(read_kernel_description(path)) {
  for (const KernelModule& module : description_.modules)
    with_place(module.path, [&] { load(module); });
}

void KernelHost::load(const KernelModule& module) {
  Code& code = codes_.emplace_back();
  std::string ptx, cubin, name = module.path;
  if (module.triton) {
    if (!module.triton->ptx.empty()) ptx = read_file(name = module.triton->ptx);
    if (!module.triton->cubin.empty()) cubin = read_file(module.triton->cubin);
  } else if (std::string image = read_file(module.path); is_container(image)) {
    code.image = std::move(image);
    for (const ContainerEntry& entry : container_entries(bytes_of(code.image)))
      if (entry.ptx)
        ptx = ptx_text(entry);
      else if (entry.cubin)
        cubin = entry_content(entry);
  } else {
    (image.starts_with(kElf) ? cubin : ptx) = std::move(image);
  }
  if (ptx.empty() && cubin.empty()) throw UserError("it has neither PTX nor machine code");
  if (!ptx.empty()) code.kernels = kernels_of_ptx(ptx, name);
  if (!cubin.empty())
    for (std::string& kernel : kernels_of_cubin(cubin)) code.kernels.push_back(std::move(kernel));
  std::sort(code.kernels.begin(), code.kernels.end());
  code.kernels.erase(std::unique(code.kernels.begin(), code.kernels.end()), code.kernels.end());
  if (code.image.empty() && cubin.empty())
    code.image = std::move(ptx);
  else if (code.image.empty())
    code.image = make_container(
        ptx, cubin, static_cast<std::uint32_t>(sass::read_cubin(bytes_of(cubin)).architecture));
  code.wrapper.data = code.image.c_str();
  guarded([&](Session& session) {
    code.binary = &session.registry.binaries.emplace_back(Registry::Binary{&code.wrapper, name});
    return 0;
  });
}

void KernelHost::allocate() {
  const SourceLocation where{description_.files[0]};
  for (const KernelBuffer& buffer : description_.buffers) {
    void*& address = buffers_.emplace_back(nullptr);
    const std::uint64_t bytes = buffer.bytes();
    if (bytes == 0) continue;
    const std::string what = fmt::format("buffer {} of {} bytes", buffer.name, bytes);
    require(cudaMalloc(&address, bytes), where, what);
    const std::string data = make_content(buffer.content, buffer.type, buffer.shape);
    require(cudaMemcpy(address, data.data(), bytes, cudaMemcpyHostToDevice), where, what);
  }
}

// The kernel may be named as in source text.
std::string KernelHost::kernel_name(const KernelLaunch& launch) const {
  const std::vector<std::string>& kernels = codes_[launch.module].kernels;
  const std::string& path = description_.modules[launch.module].path;
  if (launch.kernel.empty() && kernels.size() == 1) return kernels[0];
  const auto names = [&] { return fmt::format("{}", fmt::join(kernels, ", ")); };
  if (launch.kernel.empty())
    throw UserError(launch.where, fmt::format("kernel is missing; {} has {}", path,
                                              kernels.empty() ? "none" : names()));
  if (std::find(kernels.begin(), kernels.end(), launch.kernel) != kernels.end())
    return launch.kernel;
  std::vector<std::string> meant;
  for (const std::string& kernel : kernels) {
    const std::vector<std::string> aliases = gpu::kernel_aliases(kernel);
    if (std::find(aliases.begin(), aliases.end(), launch.kernel) != aliases.end())
      meant.push_back(kernel);
  }
  if (meant.size() == 1) return meant[0];
  if (meant.size() > 1)
    throw UserError(launch.where, fmt::format("{} names several kernels: {}", launch.kernel,
                                              fmt::join(meant, ", ")));
  throw UserError(launch.where, fmt::format("{} has no kernel {}; it has {}", path, launch.kernel,
                                            kernels.empty() ? "none" : names()));
}

// Triton's kernels end with parameters for memory that its own launcher gives.
std::vector<std::string> KernelHost::packed_arguments(const KernelLaunch& launch,
                                                      const isa::Kernel& kernel) const {
  std::vector<std::string> values;
  const auto address_bytes = [](const void* address) {
    return std::string(reinterpret_cast<const char*>(&address), sizeof address);
  };
  for (const KernelArgument& argument : launch.arguments) {
    if (!argument.buffer) {
      values.push_back(argument.value);
      continue;
    }
    auto* const start = static_cast<char*>(buffers_[*argument.buffer]);
    values.push_back(address_bytes(start ? start + argument.offset : nullptr));
  }
  if (const auto& triton = description_.modules[launch.module].triton) {
    for (const std::uint64_t of_cta : {triton->global_scratch, triton->profile_scratch}) {
      if (values.size() >= kernel.parameters.size()) break;
      void* scratch = nullptr;
      if (of_cta > 0)
        require(cudaMalloc(&scratch, of_cta * launch.grid.count()), launch.where,
                "Triton's scratch memory");
      values.push_back(address_bytes(scratch));
    }
  }
  if (values.size() != kernel.parameters.size())
    throw UserError(launch.where,
                    fmt::format("kernel {} has {} parameters, and there are {} arguments",
                                gpu::kernel_short_name(kernel.name), kernel.parameters.size(),
                                launch.arguments.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].size() != kernel.parameters[i].bytes)
      throw UserError(i < launch.arguments.size() ? launch.arguments[i].where : launch.where,
                      fmt::format("argument {} has {} bytes, the kernel's parameter {}", i + 1,
                                  values[i].size(), kernel.parameters[i].bytes));
  return values;
}

void KernelHost::launch(const KernelLaunch& launch) {
  const void* const function = &functions_.emplace_back();
  const std::string name = kernel_name(launch);
  const isa::Kernel& kernel = guarded([&](Session& session) -> const isa::Kernel& {
    session.registry.kernels[function] = {codes_[launch.module].binary, name, 0};
    return *session.program().kernel(function);
  });
  std::vector<std::string> values = packed_arguments(launch, kernel);
  std::vector<void*> arguments;
  for (std::string& value : values) arguments.push_back(value.data());
  const std::string what = "launch of " + gpu::kernel_short_name(name);
  if (launch.shared_bytes > 0)
    require(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(launch.shared_bytes)),
            launch.where, fmt::format("{}: {} bytes of shared memory", what, launch.shared_bytes));
  const dim3 grid(launch.grid.x, launch.grid.y, launch.grid.z);
  const dim3 block(launch.block.x, launch.block.y, launch.block.z);
  std::array<cudaLaunchAttribute, 2> attributes{};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = launch.cooperative;
  cudaLaunchConfig_t config{grid, block, launch.shared_bytes, nullptr, attributes.data(), 1};
  if (launch.cluster) {
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {launch.cluster->x, launch.cluster->y, launch.cluster->z};
    config.numAttrs = 2;
    constexpr int kAllowed = 1;
    require(
        cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, kAllowed),
        launch.where, what);
  }
  require(cudaLaunchKernelExC(&config, function, arguments.data()), launch.where, what);
}

// Whether all of them have the expected elements.
bool KernelHost::finish_buffers() {
  bool equal = true, compared = false;
  for (std::size_t i = 0; i < description_.buffers.size(); ++i) {
    const KernelBuffer& buffer = description_.buffers[i];
    if (!buffer.expected && buffer.save.empty()) continue;
    std::string data(buffer.bytes(), '\0');
    if (!data.empty())
      require(cudaMemcpy(data.data(), buffers_[i], data.size(), cudaMemcpyDeviceToHost),
              {description_.files[0]}, "buffer " + buffer.name);
    if (!buffer.save.empty()) write_npy(buffer.save, buffer.type, buffer.shape, data);
    if (!buffer.expected) continue;
    const std::string expected = make_content(buffer.expected->content, buffer.type, buffer.shape);
    const Difference difference = compare_content(buffer, data, expected);
    std::puts(describe_difference(buffer, difference, data, expected).c_str());
    compared = true;
    equal &= difference.different == 0;
  }
  if (compared) std::puts(equal ? "PASS" : "FAIL");
  return equal;
}

int KernelHost::run() {
  try {
    allocate();
    for (const KernelLaunch& one : description_.launches) launch(one);
    require(cudaDeviceSynchronize(), {description_.files[0]}, "the launches");
    return finish_buffers() ? 0 : 1;
  } catch (const KernelFaulted&) {
    return 1;
  }
}

}  // namespace heddle::cuda
