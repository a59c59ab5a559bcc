#include "sched/framework/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/diagnostics.h"
#include "sched/catalogue.h"
#include "sched/framework/plugin.h"

namespace heddle::sched {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw UserError("plug-in " + file + ": " + why);
}

template <class T>
T symbol(void* library, const std::string& file, const char* name) {
  static_assert(sizeof(T) == sizeof(void*));
  void* const address = dlsym(library, name);
  if (!address)
    refuse(file,
           std::string("has no ") + name +
               "; a plug-in's source ends with HEDDLE_PLUGIN(...) (docs/write-a-scheduler.md)");
  T typed;
  std::memcpy(&typed, &address, sizeof typed);
  return typed;
}

bool is_valid_name(const std::string& name) {
  return !name.empty() && name != "all" && name.find_first_of(":+,= \t\n") == std::string::npos;
}

}  // namespace

Plugins::Plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) load(file);
}

void Plugins::load(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) refuse(file, "file not found");
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    refuse(file, std::string("cannot be loaded: ") + (reason ? reason : "unknown reason"));
  }
  const std::uint32_t abi = *symbol<const std::uint32_t*>(library, file, "heddle_plugin_abi");
  if (abi != kPluginAbi)
    refuse(file, "was built for plug-in ABI " + std::to_string(abi) + ", this Heddle has " +
                     std::to_string(kPluginAbi) + "; build it again with this Heddle's headers");
  std::vector<PolicyEntry> own;
  symbol<void (*)(std::vector<PolicyEntry>&)>(library, file, "heddle_plugin_policies")(own);
  for (PolicyEntry& entry : own) {
    if (!is_valid_name(entry.name))
      refuse(file, "\"" + entry.name + "\" is not a valid name of a scheduler");
    for (const PolicyInfo& known : list_policies(*this))
      if (known.name == entry.name)
        refuse(file, "scheduler " + entry.name + " exists already; choose another name");
    entries_.push_back(std::move(entry));
  }
}

}  // namespace heddle::sched
