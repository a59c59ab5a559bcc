// Describes a policy's class for the catalogue: policy<Class>(...) for an order,
// limiter<Class>(...) for a limiter. Members of the class that are used when they exist:
//   Options                        its parameters (parameters.h)
//   Options::read_files()          reads the files that parameters name, when the text is parsed
//   Options::missing_input()       the error message when such a file is needed and not given
//   Statistics, Levels, records()  its statistics (sm/policy/policy_report.h)
// The constructor takes the Options, the PolicyContext, both (in this order), or nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sched/framework/limiter.h"
#include "sched/framework/parameters.h"
#include "sched/framework/policy.h"
#include "sched/framework/policy_info.h"

namespace heddle::sched {

// A parsed limiter. It is built together with an order.
class LimiterPolicy {
 public:
  virtual ~LimiterPolicy() = default;
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<Limiter> build(const PolicyContext&) const = 0;
  virtual std::string missing_input() const { return {}; }  // as in Policy
};

// One policy of the catalogue. Either `parse` (an order) or `parse_limiter` is set. Their argument
// is the text after the colon, or empty.
struct PolicyEntry {
  std::string name, title, paper;
  std::vector<Parameter> parameters;
  std::function<std::shared_ptr<const Policy>(std::string_view options)> parse;
  std::function<std::shared_ptr<const LimiterPolicy>(std::string_view options)> parse_limiter;
  std::string order;  // of a limiter: the order used when the text names none
  std::vector<stats::FieldInfo> statistics;

  PolicyInfo info() const {
    PolicyInfo info{name, title, paper, {}, statistics};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

namespace detail {

struct NoOptions {
  static std::tuple<> parameters() { return {}; }
};
template <class P>
struct OptionsOf {
  using type = NoOptions;
};
template <class P>
  requires requires { typename P::Options; }
struct OptionsOf<P> {
  using type = typename P::Options;
};

template <class P>
std::unique_ptr<P> make(const typename OptionsOf<P>::type& options, const PolicyContext& context) {
  using Options = typename OptionsOf<P>::type;
  if constexpr (std::is_constructible_v<P, const Options&, const PolicyContext&>)
    return std::make_unique<P>(options, context);
  else if constexpr (std::is_constructible_v<P, const Options&>)
    return std::make_unique<P>(options);
  else if constexpr (std::is_constructible_v<P, const PolicyContext&>)
    return std::make_unique<P>(context);
  else
    return std::make_unique<P>();
}

// The fields of P::Statistics, P::Levels and P::records(), those that exist.
template <class P>
std::vector<stats::FieldInfo> statistics_of(const std::string& name) {
  std::vector<stats::FieldInfo> all;
  const auto add = [&](const auto& fields, const char* note) {
    for (const stats::FieldInfo& field : fields)
      all.push_back({name + "." + field.key, field.unit, field.meaning + note, field.buckets});
  };
  if constexpr (requires { typename P::Statistics; })
    add(stats::list_fields<typename P::Statistics>(), "");
  if constexpr (requires { typename P::Levels; })
    add(stats::list_fields<typename P::Levels>(), " (rows of --interval only)");
  if constexpr (requires { P::records(); }) add(P::records(), " (kernels only)");
  return all;
}

// Base: Policy or LimiterPolicy. Product: WarpScheduler or Limiter.
template <class P, class Base, class Product>
class Parsed final : public Base {
 public:
  using Options = typename OptionsOf<P>::type;
  Parsed(std::string text, const Options& options) : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<Product> build(const PolicyContext& context) const override {
    return make<P>(options_, context);
  }
  std::string missing_input() const override {
    if constexpr (requires { options_.missing_input(); })
      return options_.missing_input();
    else
      return {};
  }

 private:
  std::string text_;
  Options options_;
};

template <class P, class Base, class Product>
auto parser(const std::string& name, const std::vector<Parameter>& parameters) {
  return [name, parameters](std::string_view text) -> std::shared_ptr<const Base> {
    typename OptionsOf<P>::type options;
    if (!text.empty()) parse_parameters(name, parameters, text, &options);
    if constexpr (requires { options.read_files(); }) options.read_files();
    return std::make_shared<Parsed<P, Base, Product>>(canonical_text(name, parameters, &options),
                                                      options);
  };
}

}  // namespace detail

// An order. paper: authors, venue and year, or another source.
template <class P>
PolicyEntry policy(std::string name, std::string title, std::string paper) {
  PolicyEntry entry{std::move(name),
                    std::move(title),
                    std::move(paper),
                    parameters_of<typename detail::OptionsOf<P>::type>(),
                    {},
                    {},
                    {},
                    {}};
  entry.statistics = detail::statistics_of<P>(entry.name);
  entry.parse = detail::parser<P, Policy, sm::WarpScheduler>(entry.name, entry.parameters);
  return entry;
}

// A limiter. order: the order that the paper combines it with.
template <class P>
PolicyEntry limiter(std::string name, std::string title, std::string paper,
                    std::string order = "gto") {
  PolicyEntry entry{std::move(name),
                    std::move(title),
                    std::move(paper),
                    parameters_of<typename detail::OptionsOf<P>::type>(),
                    {},
                    {},
                    std::move(order),
                    {}};
  entry.statistics = detail::statistics_of<P>(entry.name);
  entry.parse_limiter = detail::parser<P, LimiterPolicy, Limiter>(entry.name, entry.parameters);
  return entry;
}

}  // namespace heddle::sched
