#include "sched/framework/kernel_file.h"

#include <fmt/format.h>

namespace heddle::sched {

KernelFile::KernelFile(std::string path, const std::string& kind, std::int64_t version,
                       const std::string& writer)
    : path_(std::move(path)) {
  try {
    table_ = toml::parse_file(path_);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw UserError({path_, static_cast<int>(at.line), static_cast<int>(at.column)},
                    std::string(error.description()));
  }
  const auto found = table_["kind"].value<std::string>();
  if (!found)
    throw UserError({path_},
                    "kind is missing; heddle " + writer + " writes kind = \"" + kind + "\"");
  if (*found != kind)
    throw UserError(where(*table_.get("kind")),
                    fmt::format("kind is \"{}\", not \"{}\"; heddle {} writes the needed file",
                                *found, kind, writer));
  if (const auto number = integer(table_, "version", 1, 1'000'000); number != version)
    throw UserError(where(*table_.get("version")),
                    fmt::format("version is {}, not {}; write the file again with heddle {}",
                                number, version, writer));
}

SourceLocation KernelFile::where(const toml::node& node) const {
  const auto& at = node.source().begin;
  return {path_, static_cast<int>(at.line), static_cast<int>(at.column)};
}

const toml::node& KernelFile::need(const toml::table& in, const char* key) const {
  const toml::node* node = in.get(key);
  if (!node) throw UserError(where(in), fmt::format("{} is missing", key));
  return *node;
}

const toml::table& KernelFile::table(const toml::node& node) const {
  const toml::table* table = node.as_table();
  if (!table) throw UserError(where(node), "must be a table");
  return *table;
}

const toml::array& KernelFile::tables(const toml::table& in, const char* key) const {
  static const toml::array none;
  const toml::node* node = in.get(key);
  if (!node) return none;
  const toml::array* array = node->as_array();
  if (!array)
    throw UserError(where(*node), fmt::format("{0} must be a list of tables, [[{0}]]", key));
  return *array;
}

std::int64_t KernelFile::integer(const toml::table& in, const char* key, std::int64_t lowest,
                                 std::int64_t highest) const {
  const toml::node& node = need(in, key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < lowest || *value > highest)
    throw UserError(where(node),
                    fmt::format("{} must be a whole number from {} to {}", key, lowest, highest));
  return *value;
}

bool KernelFile::boolean(const toml::table& in, const char* key) const {
  const toml::node& node = need(in, key);
  const auto value = node.value_exact<bool>();
  if (!value) throw UserError(where(node), fmt::format("{} must be true or false", key));
  return *value;
}

std::string KernelFile::text(const toml::table& in, const char* key) const {
  const toml::node& node = need(in, key);
  const auto value = node.value_exact<std::string>();
  if (!value) throw UserError(where(node), fmt::format("{} must be a text", key));
  return *value;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace heddle::sched
