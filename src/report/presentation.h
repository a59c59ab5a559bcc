// How reports show a policy of a catalogue. E: the entry of its kind (policies/entry.h).
#pragma once

#include <string_view>

#include "policies/policy_info.h"

namespace heddle::report {

// Null: the catalogue has no such policy.
template <class E>
const policies::Presentation* presentation_of(std::string_view name) {
  for (const E& entry : E::catalogue())
    if (entry.name == name) return &entry.presentation;
  return nullptr;
}

}  // namespace heddle::report
