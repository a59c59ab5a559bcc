// Reading JSON that may be anybody's: run.json, lists of programs, what a results store holds.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace heddle::lab {

// Throws UserError with the name and the place for what is not JSON or is nested too deeply.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& name);

// Checks a value against an example, which has values of the same types:
//   ""  a text      0    a whole number, not negative      0.5  a number      true  true or false
//   null  anything  [x]  a list whose elements are as x
//   {"a": x, "b?": y, "*": z}  an object with a, perhaps b, and any other keys, whose values are as
//                              z; without "*" other keys may have any values
// Throws UserError with the name and the key that is missing or has another type.
void check_shape(const nlohmann::ordered_json& json, const nlohmann::ordered_json& example,
                 const std::string& name);

// What reports and comparisons read of a run.json.
void check_run_json(const nlohmann::ordered_json& json, const std::string& name);

}  // namespace heddle::lab
