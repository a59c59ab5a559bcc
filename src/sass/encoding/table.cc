#include "sass/encoding/table.h"

#include <array>

#include "sass/architecture.h"

namespace heddle::sass {
namespace {

constexpr std::size_t kCodes = 1 << 13;

std::vector<EncodingForm> read_tables() {
  std::vector<EncodingForm> forms;
  for (const auto& rows :
       {integer_rows(), float_rows(), half_rows(), conversion_rows(), move_rows(), uniform_rows(),
        control_rows(), memory_rows(), atomic_rows(), texture_rows(), matrix_rows(),
        warpgroup_rows(), hopper_rows()}) {
    for (const Row& row : rows) {
      for (EncodingForm& form : forms_of(row)) forms.push_back(std::move(form));
    }
  }
  return forms;
}

const std::vector<EncodingForm>& tables() {
  static const std::vector<EncodingForm> forms = read_tables();
  return forms;
}

using Index = std::vector<std::vector<const EncodingForm*>>;  // by code

std::array<Index, kArchitectures.size()> index_tables() {
  std::array<Index, kArchitectures.size()> indices;
  for (std::size_t i = 0; i < kArchitectures.size(); ++i) {
    indices[i].resize(kCodes);
    for (const EncodingForm& form : tables()) {
      if (form.first_architecture <= kArchitectures[i] &&
          kArchitectures[i] <= form.last_architecture)
        indices[i][form.code].push_back(&form);
    }
  }
  return indices;
}

}  // namespace

std::span<const EncodingForm* const> forms_with_code(int architecture, std::uint16_t code) {
  static const std::array<Index, kArchitectures.size()> indices = index_tables();
  for (std::size_t i = 0; i < kArchitectures.size(); ++i) {
    if (kArchitectures[i] == architecture) return indices[i][code];
  }
  return {};
}

std::span<const EncodingForm> all_forms() { return tables(); }

}  // namespace heddle::sass
