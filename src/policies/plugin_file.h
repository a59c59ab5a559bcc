// A shared object with policies. It stays loaded until the process ends, because objects of its
// classes may outlive this object.
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace heddle::policies {

// The symbols with the number of the binary interface, which HEDDLE_PLUGIN, HEDDLE_CTA_PLUGIN and
// HEDDLE_SHARE_PLUGIN define.
inline constexpr const char *kWarpPluginAbi = "heddle_plugin_abi",
                            *kCtaPluginAbi = "heddle_cta_plugin_abi",
                            *kSharePluginAbi = "heddle_share_plugin_abi";

class PluginFile {
 public:
  // UserError when the file is missing or is no shared object.
  explicit PluginFile(std::string file);

  // UserError when the file has none of the symbols above.
  bool has(const char* abi_symbol) const;
  // UserError when the file lacks the symbol or was built with other headers.
  void require_abi(const char* abi_symbol) const;
  void require_valid_name(const std::string& name, const char* kind) const;
  void require_other_name(const std::string& known, const std::string& name,
                          const char* kind) const;
  // What the function `list` appends, after the check of the binary interface.
  template <class Entry>
  std::vector<Entry> entries(const char* abi_symbol, const char* list) const {
    require_abi(abi_symbol);
    std::vector<Entry> own;
    void* const address = require(list);
    void (*append)(std::vector<Entry>&);
    static_assert(sizeof append == sizeof address);
    std::memcpy(&append, &address, sizeof append);
    append(own);
    return own;
  }

 private:
  void* find(const char* symbol) const;
  void* require(const char* symbol) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  void* library_;
};

}  // namespace heddle::policies
