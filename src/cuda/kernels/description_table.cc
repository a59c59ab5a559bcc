#include "cuda/kernels/description_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace heddle::cuda {

DescriptionTable::DescriptionTable(const std::string& file, const toml::table& table,
                                   std::initializer_list<std::string_view> known)
    : file_(file), table_(table) {
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const auto& at = key.source().begin;
    throw UserError({file_, static_cast<int>(at.line), static_cast<int>(at.column)},
                    fmt::format("unknown key '{}'{}", key.str(),
                                did_you_mean(key.str(), {known.begin(), known.end()})));
  }
}

SourceLocation DescriptionTable::where(const toml::node& node) const {
  const auto& at = node.source().begin;
  return {file_, static_cast<int>(at.line), static_cast<int>(at.column)};
}

void DescriptionTable::refuse(const toml::node& at, const std::string& why) const {
  throw UserError(where(at), why);
}

std::string DescriptionTable::text(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto value = node->value_exact<std::string>();
  if (!value || value->empty()) refuse(*node, fmt::format("{} must be a text", key));
  return *value;
}

bool DescriptionTable::flag(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return false;
  const auto value = node->value_exact<bool>();
  if (!value) refuse(*node, fmt::format("{} must be true or false", key));
  return *value;
}

std::uint64_t DescriptionTable::count(const char* key, std::uint64_t otherwise,
                                      std::uint64_t most) const {
  const toml::node* node = find(key);
  if (!node) return otherwise;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) > most)
    refuse(*node, fmt::format("{} must be a whole number from 0 to {}", key, most));
  return static_cast<std::uint64_t>(*value);
}

std::optional<long double> number_of(const toml::node& node) {
  if (const auto whole = node.value_exact<std::int64_t>()) return *whole;
  if (const auto real = node.value_exact<double>()) return *real;
  return std::nullopt;
}

std::optional<long double> DescriptionTable::number(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const auto value = number_of(*node);
  if (!value) refuse(*node, fmt::format("{} must be a number", key));
  return value;
}

std::optional<std::vector<std::uint64_t>> DescriptionTable::sizes(const char* key,
                                                                  std::size_t dimensions,
                                                                  std::uint64_t most,
                                                                  std::uint64_t least) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  std::vector<std::uint64_t> found;
  const auto add = [&](const toml::node& one) {
    const auto size = one.value_exact<std::int64_t>();
    if (!size || *size < static_cast<std::int64_t>(least) ||
        static_cast<std::uint64_t>(*size) > most || found.size() == dimensions)
      refuse(one, fmt::format("{} must be a whole number from {} to {}, or a list of at most {}",
                              key, least, most, dimensions));
    found.push_back(static_cast<std::uint64_t>(*size));
  };
  if (const toml::array* list = node->as_array())
    for (const toml::node& one : *list) add(one);
  else
    add(*node);
  return found;
}

std::optional<Dim3> DescriptionTable::dim3(const char* key) const {
  auto found = sizes(key, 3, std::numeric_limits<std::int32_t>::max(), 1);
  if (!found) return std::nullopt;
  found->resize(3, 1);
  return Dim3{static_cast<std::uint32_t>((*found)[0]), static_cast<std::uint32_t>((*found)[1]),
              static_cast<std::uint32_t>((*found)[2])};
}

}  // namespace heddle::cuda
