#include "cuda/capture/captured_kernels.h"

#include <string_view>
#include <utility>

#include "base/diagnostics.h"

namespace heddle::cuda {

void CapturedKernels::add(std::size_t number, LoadModule& module) {
  if (number == modules_.size()) modules_.push_back({std::move(module), nullptr, {}, {}});
}

void CapturedKernels::parse(const CaptureFile::Content& content, Module& module) {
  std::vector<ptx::Module> parts;
  for (const auto& [file, text] : module.record.texts) {
    Bytes bytes;
    content.append(text, bytes);
    parts.push_back(ptx::Module::parse(
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), file));
  }
  module.parsed = std::make_unique<ptx::Module>(
      parts.size() == 1 ? std::move(parts.front()) : ptx::Module::link(std::move(parts)));
  for (const auto& [variable, address] : module.record.addresses)
    module.addresses.emplace(variable, address);
  for (const ptx::Variable& variable : module.parsed->variables())
    if (!module.addresses.contains(variable.name))
      throw UserError("the module " + module.parsed->name() + " has no address for " +
                      variable.name);
}

const isa::Kernel* CapturedKernels::kernel(const CaptureFile::Content& content, std::size_t number,
                                           const std::string& name) {
  Module& module = modules_.at(number);
  if (!module.parsed) parse(content, module);
  auto& lowered = module.kernels[name];
  if (!lowered)
    lowered = std::make_unique<ptx::Kernel>(module.parsed->lower(name, module.addresses));
  return lowered.get();
}

const CapturedKernels::Module* CapturedKernels::module_of(const isa::Kernel& kernel) const {
  for (const Module& module : modules_)
    for (const auto& [name, lowered] : module.kernels)
      if (lowered.get() == &kernel) return &module;
  return nullptr;
}

const isa::Kernel* CapturedKernels::kernel_at(const CaptureFile::Content& content,
                                              const isa::Kernel& caller, std::uint64_t address) {
  const Module* const module = module_of(caller);
  const std::string name = module ? module->parsed->kernel_at(address) : "";
  if (name.empty()) return nullptr;
  return kernel(content, static_cast<std::size_t>(module - modules_.data()), name);
}

int CapturedKernels::target_of(const isa::Kernel& kernel) const {
  const Module* const module = module_of(kernel);
  return module ? module->parsed->target_of(kernel.name) : 0;
}

}  // namespace heddle::cuda
