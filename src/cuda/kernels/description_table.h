// A table of a kernel description with typed values. Every member returns a valid value or throws a
// UserError with its place. To be included by .cc files only, because toml++ compiles slowly.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/diagnostics.h"
#include "base/types.h"

namespace heddle::cuda {

class DescriptionTable {
 public:
  // Other keys than `known` are errors. The file's name and the table outlive this.
  DescriptionTable(const std::string& file, const toml::table& table,
                   std::initializer_list<std::string_view> known);

  const toml::node* find(const char* key) const { return table_.get(key); }
  const toml::table& table() const { return table_; }
  SourceLocation where(const toml::node& node) const;
  SourceLocation where() const { return where(table_); }
  [[noreturn]] void refuse(const toml::node& at, const std::string& why) const;
  [[noreturn]] void refuse(const std::string& why) const { refuse(table_, why); }

  std::string text(const char* key) const;  // empty when it is missing
  bool flag(const char* key) const;         // false when it is missing
  std::uint64_t count(const char* key, std::uint64_t otherwise, std::uint64_t most) const;
  std::optional<long double> number(const char* key) const;
  // A size, or a list of one to `dimensions` sizes.
  std::optional<std::vector<std::uint64_t>> sizes(const char* key, std::size_t dimensions,
                                                  std::uint64_t most,
                                                  std::uint64_t least = 0) const;
  std::optional<Dim3> dim3(const char* key) const;

 private:
  const std::string& file_;
  const toml::table& table_;
};

// The number of an integer or a real value.
std::optional<long double> number_of(const toml::node& node);

}  // namespace heddle::cuda
