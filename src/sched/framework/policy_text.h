// The text of a policy as its parts, before any name is looked up: "swl:warps=2+gto" has the parts
// swl, with the parameter "warps=2", and gto. sched/catalogue.h checks names and parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sched {

// "name:a=1,b=2".
struct PolicyPart {
  std::string name;
  std::vector<std::string> parameters;  // "key=value", or "key"

  std::string text() const;
  bool has(std::string_view key) const;
  // Replaces the parameter of this key, or appends it.
  void set(const std::string& key, const std::string& value);
  void remove(std::string_view key);
};

// The parts between the plus signs of one policy. Never fails: a malformed text has parts with
// malformed names.
std::vector<PolicyPart> split_policy(const std::string& text);
std::string join_policy(const std::vector<PolicyPart>& parts);

// "K0=gto,K1=lrr": a policy per kernel. UserError unless the numbers go 0, 1, 2, ...
bool is_per_kernel(const std::string& text);
std::vector<std::string> split_per_kernel(const std::string& text);
std::string join_per_kernel(const std::vector<std::string>& policies);

// The texts between the commas of a list of policies, without spaces: "lrr,swl:warps=2,best" has
// two. A piece belongs to the policy before it when it is a parameter, or "K1=..." and further.
std::vector<std::string> split_policy_list(const std::string& text);

}  // namespace heddle::sched
