// The glossary of docs/glossary.md, which is part of the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

// Each term with its meaning, in the order of `terms`; they must be terms of the glossary.
std::vector<std::pair<std::string, std::string>> glossary_rows(
    const std::vector<std::string>& terms);

}  // namespace heddle::report
