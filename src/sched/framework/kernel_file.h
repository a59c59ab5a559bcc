// Files about a program's kernels, written by one run and read by the next: TOML that says what
// kind of file it is and in which version, and holds one [[kernel]] table per kernel. Only for the
// .cc files that read one.
#pragma once

#include <cstdint>
#include <string>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/diagnostics.h"

namespace heddle::sched {

// Every question is answered or a UserError located in the file.
class KernelFile {
 public:
  // writer: the verb that makes such files.
  KernelFile(std::string path, const std::string& kind, std::int64_t version,
             const std::string& writer);

  const toml::table& top() const { return table_; }
  // The array of tables at `key`; empty when it is missing.
  const toml::array& tables(const toml::table& in, const char* key) const;
  const toml::table& table(const toml::node& node) const;
  std::int64_t integer(const toml::table& in, const char* key, std::int64_t lowest,
                       std::int64_t highest) const;
  bool truth(const toml::table& in, const char* key) const;
  std::string text(const toml::table& in, const char* key) const;
  SourceLocation where(const toml::node& node) const;

 private:
  const toml::node& need(const toml::table& in, const char* key) const;

  std::string path_;
  toml::table table_;
};

// As a TOML string.
std::string quoted(const std::string& text);

}  // namespace heddle::sched
