#include "lab/store/row.h"

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "lab/json_input.h"

namespace heddle::lab {

using nlohmann::ordered_json;

std::string texts_to_json(const std::vector<std::string>& texts) {
  return config::json_text(ordered_json(texts));
}

std::vector<std::string> texts_from_json(const Statement& row, int column) {
  const ordered_json list = parse_json(row.text(column), row.place(column));
  check_shape(list, ordered_json::array({""}), row.place(column));
  return list.get<std::vector<std::string>>();
}

void reject_name(const Statement& row, int column) {
  throw UserError(row.place(column) + ": '" + row.text(column) + "' is not known to this Heddle");
}

}  // namespace heddle::lab
