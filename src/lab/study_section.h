// A table of a study file with typed values. Every mistake is a UserError with the file and line.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::lab {

// The tables of a TOML file, and of a document that stands in `file`. A mistake is a UserError with
// its line and column.
toml::table read_toml_file(const std::string& file);
toml::table parse_toml(const std::string& document, const std::string& file);

// Keys and values in the order of the file; toml++ sorts them by key.
std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table);

class StudySection {
 public:
  using Texts = std::vector<std::string>;

  // Keys other than `known` are errors.
  StudySection(const toml::table& table, const std::string& file, const Texts& known);

  [[noreturn]] void reject(const toml::node& at, const std::string& why) const;
  [[noreturn]] void reject_key(const char* key, const std::string& why) const;
  const toml::table& table() const { return table_; }
  const toml::node* find(const char* key) const { return table_.get(key); }
  const toml::node& at(const char* key) const;  // the table itself when the key is missing

  std::string text(const char* key) const;  // required
  std::string text_or_empty(const char* key) const;
  Texts texts(const char* key) const;  // a list of texts; empty when it is missing
  Texts texts_of(const toml::node& node, const std::string& key) const;
  std::map<std::string, std::string> texts_by_name(const char* key) const;  // a table; or empty
  double share(const char* key, double otherwise) const;                    // from 0 to below 1
  bool flag(const char* key) const;            // false when it is missing
  std::uint64_t count(const char* key) const;  // from 1; 0 when it is missing
  double seconds(const char* key) const;       // "90 s", "10 min", "2 h"; or 0
  std::uint64_t bytes(const char* key) const;  // "512 MiB", "4 GiB"; or 0

  template <class Use>
  void for_each_table(const char* key, Use use) const {
    const toml::node* node = find(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array || !array->is_array_of_tables())
      reject(*node, std::string(key) + " must be given as [[" + key + "]]");
    for (const toml::node& item : *array) use(*item.as_table());
  }

 private:
  // A number and one of the units, as a multiple of the first unit.
  struct UnitSize {
    const char* name;
    double size;
  };
  double quantity(const char* key, const std::vector<UnitSize>& units) const;

  const toml::table& table_;
  const std::string& file_;
};

}  // namespace heddle::lab
