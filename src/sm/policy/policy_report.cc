#include "sm/policy/policy_report.h"

namespace heddle::sm {

using Record = PolicyReport::Record;

Record& Record::put(std::string name, std::uint64_t value) {
  values.emplace_back(std::move(name), value);
  return *this;
}
Record& Record::put(std::string name, double value) {
  values.emplace_back(std::move(name), value);
  return *this;
}
Record& Record::put(std::string name, std::string value) {
  values.emplace_back(std::move(name), std::move(value));
  return *this;
}
Record& Record::put(std::string name, std::vector<std::uint64_t> value) {
  values.emplace_back(std::move(name), std::move(value));
  return *this;
}

}  // namespace heddle::sm
