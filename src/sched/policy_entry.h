// How a policy's class becomes a line of the catalogue. A class may have a nested `Options` (see parameters.h), and a constructor
// that takes the options, the PolicyContext, both, or nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sched/catalogue.h"
#include "sched/parameters.h"

namespace heddle::sched {

struct PolicyEntry {
  std::string name, title, paper;
  std::vector<Parameter> parameters;
  std::function<std::shared_ptr<const Policy>(std::string_view options)> parse;  // options: the text behind the colon, or empty

  PolicyInfo info() const {
    PolicyInfo info{name, title, paper, {}};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

namespace detail {

struct NoOptions {
  static std::tuple<> parameters() { return {}; }
};
template <class P> struct OptionsOf { using type = NoOptions; };
template <class P> requires requires { typename P::Options; } struct OptionsOf<P> { using type = typename P::Options; };

template <class P>
class ParsedPolicy final : public Policy {
 public:
  using Options = typename OptionsOf<P>::type;
  ParsedPolicy(std::string text, const Options& options) : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const PolicyContext& context) const override {
    if constexpr (std::is_constructible_v<P, const Options&, const PolicyContext&>) return std::make_unique<P>(options_, context);
    else if constexpr (std::is_constructible_v<P, const Options&>) return std::make_unique<P>(options_);
    else if constexpr (std::is_constructible_v<P, const PolicyContext&>) return std::make_unique<P>(context);
    else return std::make_unique<P>();
  }

 private:
  std::string text_;
  Options options_;
};

}  // namespace detail

// paper: authors, venue and year, or where else the policy comes from.
template <class P>
PolicyEntry policy(std::string name, std::string title, std::string paper) {
  using Options = typename detail::OptionsOf<P>::type;
  PolicyEntry entry{std::move(name), std::move(title), std::move(paper), parameters_of<Options>(), {}};
  entry.parse = [name = entry.name, parameters = entry.parameters](std::string_view text) -> std::shared_ptr<const Policy> {
    Options options;
    if (!text.empty()) assign_all(name, parameters, text, &options);
    return std::make_shared<detail::ParsedPolicy<P>>(canonical_text(name, parameters, &options), options);
  };
  return entry;
}

}  // namespace heddle::sched
