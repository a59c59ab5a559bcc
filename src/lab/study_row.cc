#include "lab/study_row.h"

#include <string_view>

namespace heddle::lab {
namespace {
constexpr std::string_view kWith = " with ";
}

std::string StudyRow::name() const {
  return pair.name() + (share == kDefaultSharePolicy ? std::string() : std::string(kWith) + share);
}

StudyRow StudyRow::of(const std::string& name) {
  const std::size_t at = name.rfind(kWith);
  if (at == std::string::npos) return {SchedulerPair::of(name), kDefaultSharePolicy};
  return {SchedulerPair::of(name.substr(0, at)), name.substr(at + kWith.size())};
}

std::vector<std::string> row_names(const std::vector<std::string>& schedulers,
                                   const std::vector<std::string>& cta_schedulers,
                                   const std::vector<std::string>& shares) {
  std::vector<std::string> names;
  for (const std::string& share : shares)
    for (const std::string& pair : pair_names(schedulers, cta_schedulers))
      names.push_back(StudyRow{SchedulerPair::of(pair), share}.name());
  return names;
}

}  // namespace heddle::lab
