// Forms as text: "A + 4*(n*(16*bidy + tidy) + tidx + 16*i)".
#pragma once

#include <string>

#include "analysis/affine_form.h"

namespace heddle::analysis {

std::string form_text(const Forms& forms, const Form& form);
std::string condition_text(const Forms& forms, ConditionId id);

}  // namespace heddle::analysis
