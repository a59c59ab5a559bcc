// How a policy's class becomes a line of the catalogue. A class may have a nested `Options` (see
// parameters.h), and a constructor that takes the options, the PolicyContext, both, or nothing.
// Options that name files read them in prepare() and say in missing_input() when one is missing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sched/catalogue.h"
#include "sched/framework/limiter.h"
#include "sched/framework/parameters.h"

namespace heddle::sched {

// A parsed limiter, to be put over an order.
class LimiterPolicy {
 public:
  virtual ~LimiterPolicy() = default;
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<Limiter> build(const PolicyContext&) const = 0;
  virtual std::string missing_input() const { return {}; }  // as Policy's
};

struct PolicyEntry {
  std::string name, title, paper;
  std::vector<Parameter> parameters;
  // Of an order. The argument is the text behind the colon, or empty.
  std::function<std::shared_ptr<const Policy>(std::string_view options)> parse;
  // Of a limiter, and the order that is under it when none is named.
  std::function<std::shared_ptr<const LimiterPolicy>(std::string_view options)> parse_limiter;
  std::string order;
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

// From the tables of P::Statistics and P::Levels and from P::records(), as far as P has them; see
// sm/policy_report.h.
template <class P>
std::vector<stats::FieldInfo> statistics_of(const std::string& name) {
  std::vector<stats::FieldInfo> all;
  const auto add = [&](auto fields, const char* note) {
    for (stats::FieldInfo& field : fields)
      all.push_back({name + "." + field.key, field.unit, field.meaning + note, field.buckets});
  };
  if constexpr (requires { typename P::Statistics; })
    add(stats::list_fields<typename P::Statistics>(), "");
  if constexpr (requires { typename P::Levels; })
    add(stats::list_fields<typename P::Levels>(), " (rows of --interval only)");
  if constexpr (requires { P::records(); }) add(P::records(), " (kernels only)");
  return all;
}

// Base is Policy or LimiterPolicy, Product what it builds.
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
    if (!text.empty()) assign_all(name, parameters, text, &options);
    if constexpr (requires { options.prepare(); }) options.prepare();
    return std::make_shared<Parsed<P, Base, Product>>(canonical_text(name, parameters, &options),
                                                      options);
  };
}

}  // namespace detail

// paper: authors, venue and year, or where else the policy comes from.
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

// order: what the paper puts under the limiter.
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
