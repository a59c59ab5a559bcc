#include "policies/plugin_file.h"

#include <dlfcn.h>

#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/diagnostics.h"
#include "plugin_abi.h"

namespace heddle::policies {

PluginFile::PluginFile(std::string file) : file_(std::move(file)) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file_, ignored)) refuse("file not found");
  library_ = dlopen(std::filesystem::absolute(file_).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_) return;
  const char* const reason = dlerror();
  refuse(std::string("cannot be loaded: ") + (reason ? reason : "unknown reason"));
}

void PluginFile::require_abi(const char* abi_symbol) const {
  const std::uint32_t abi = *static_cast<const std::uint32_t*>(require(abi_symbol));
  if (abi != kPluginAbi)
    refuse("was built for plug-in ABI " + std::to_string(abi) + ", this Heddle has " +
           std::to_string(kPluginAbi) + "; build it again with this Heddle's headers");
}

bool PluginFile::has(const char* abi_symbol) const {
  if (!find(kCtaPluginAbi) && !find(kSharePluginAbi)) require(kWarpPluginAbi);
  return find(abi_symbol) != nullptr;
}

void PluginFile::require_valid_name(const std::string& name, const char* kind) const {
  if (name.empty() || name == "all" || name.find_first_of(":+,= \t\n") != std::string::npos)
    refuse("\"" + name + "\" is not a valid name of a " + kind);
}

void PluginFile::require_other_name(const std::string& known, const std::string& name,
                                    const char* kind) const {
  if (known == name)
    refuse(std::string(kind) + " " + name + " exists already; choose another name");
}

void* PluginFile::find(const char* symbol) const { return dlsym(library_, symbol); }

void* PluginFile::require(const char* symbol) const {
  if (void* const address = find(symbol)) return address;
  refuse(std::string("has no ") + symbol +
         "; a plug-in's source ends with HEDDLE_PLUGIN(...) "
         "(docs/policy-interface.md#plug-ins)");
}

void PluginFile::refuse(const std::string& why) const {
  throw UserError("plug-in " + file_ + ": " + why);
}

}  // namespace heddle::policies
