// Forms over two variables, for tests of what is above them.
#pragma once

#include "analysis/affine_form.h"

namespace heddle::analysis {

// x is in [0, 99], y in [0, 9].
struct FormsOfTwo {
  Forms forms;
  AtomId x_id = forms.add_variable("x", {0, 99}), y_id = forms.add_variable("y", {0, 9});
  Form x = Forms::of(x_id), y = Forms::of(y_id);

  ConditionId at_least(const Form& form, std::int64_t bound) {
    return forms.at_least_zero(form - Form{bound});
  }
  ConditionId at_most(const Form& form, std::int64_t bound) {
    return forms.at_least_zero(Form{bound} - form);
  }
  std::int64_t at(const Form& form, std::int64_t x_value, std::int64_t y_value = 0) const {
    const std::int64_t values[] = {x_value, y_value};
    return forms.evaluate(form, values);
  }
};

inline bool operator==(const Interval& a, const Interval& b) {
  return a.low == b.low && a.high == b.high;
}

}  // namespace heddle::analysis
