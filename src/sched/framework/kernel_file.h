// Reads files about a program's kernels that an earlier run wrote: TOML with a kind, a version and
// one
// [[kernel]] table per kernel. To be included by .cc files only, because toml++ compiles slowly.
#pragma once

#include <cstdint>
#include <string>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/diagnostics.h"

namespace heddle::sched {

// Every member returns a valid value or throws a UserError with the place in the file.
class KernelFile {
 public:
  // writer: the verb of heddle that writes such files.
  KernelFile(std::string path, const std::string& kind, std::int64_t version,
             const std::string& writer);

  const toml::table& top() const { return table_; }
  // The array of tables at `key`; empty when it is missing.
  const toml::array& tables(const toml::table& in, const char* key) const;
  const toml::table& table(const toml::node& node) const;
  std::int64_t integer(const toml::table& in, const char* key, std::int64_t lowest,
                       std::int64_t highest) const;
  bool boolean(const toml::table& in, const char* key) const;
  std::string text(const toml::table& in, const char* key) const;
  SourceLocation where(const toml::node& node) const;

 private:
  const toml::node& need(const toml::table& in, const char* key) const;

  std::string path_;
  toml::table table_;
};

// The text as a TOML string.
std::string quoted(const std::string& text);

}  // namespace heddle::sched
