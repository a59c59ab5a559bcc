// What all kinds of policies have in common: a parsed text, and the description of a policy's class
// for its catalogue. Product: what the mechanism asks, such as sm::WarpScheduler. Context: what
// the constructor of a policy may take.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "policies/parameters.h"
#include "policies/policy_info.h"

namespace heddle::policies {

// A parsed and checked text. Immutable.
template <class Product, class Context>
class Policy {
 public:
  virtual ~Policy() = default;
  // Canonical: only the parameters that differ from their defaults, in declared order.
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<Product> build(const Context&) const = 0;
  // The error message when a file of an earlier run is needed and not given; empty otherwise.
  virtual std::string missing_input() const { return {}; }
};

// What messages call the policies of a kind, one and several, and the symbols of a plug-in with
// such policies; null: plug-ins have none.
struct Kind {
  const char *name, *plural;
  const char *abi_symbol, *list_symbol;
};

template <class Product, class Context>
using Parser =
    std::function<std::shared_ptr<const Policy<Product, Context>>(std::string_view options)>;

// One policy of a catalogue. The entry of a kind derives from it and adds
//   static constexpr policies::Kind kind;
//   static const std::vector<E>& catalogue();
template <class Product, class PolicyContext>
struct Entry {
  using Context = PolicyContext;
  std::string name, title, paper;
  std::vector<PolicyParameter> parameters;
  Parser<Product, PolicyContext> parse;  // of the text after the colon, or of an empty one
  std::vector<stats::FieldInfo> statistics;
  Presentation presentation;
  std::vector<HardwareCost> hardware;

  PolicyInfo info() const {
    PolicyInfo info{name, title, paper, {}, statistics, presentation, hardware};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

struct NoOptions {
  static std::tuple<> parameters() { return {}; }
};

namespace detail {

template <class P>
struct OptionsOf {
  using type = NoOptions;
};
template <class P>
  requires requires { typename P::Options; }
struct OptionsOf<P> {
  using type = typename P::Options;
};

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

template <class P, class Product, class Context>
class Parsed final : public Policy<Product, Context> {
 public:
  using Options = typename OptionsOf<P>::type;
  Parsed(std::string text, const Options& options) : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<Product> build(const Context& context) const override {
    if constexpr (std::is_constructible_v<P, const Options&, const Context&>)
      return std::make_unique<P>(options_, context);
    else if constexpr (std::is_constructible_v<P, const Options&>)
      return std::make_unique<P>(options_);
    else if constexpr (std::is_constructible_v<P, const Context&>)
      return std::make_unique<P>(context);
    else
      return std::make_unique<P>();
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

}  // namespace detail

template <class P, class Product, class Context>
Parser<Product, Context> parser(const char* kind, const std::string& name,
                                const std::vector<PolicyParameter>& parameters) {
  return [kind, name, parameters](std::string_view text) {
    typename detail::OptionsOf<P>::type options;
    if (!text.empty()) parse_parameters(name, parameters, text, &options, kind);
    if constexpr (requires { options.read_files(); }) options.read_files();
    return std::make_shared<detail::Parsed<P, Product, Context>>(
        canonical_text(name, parameters, &options), options);
  };
}

// Describes the class P, without its parser. Members of P that are used when they exist:
//   Options                        its parameters (parameters.h)
//   Options::read_files()          reads the files that parameters name, when the text is parsed
//   Options::missing_input()       the error message when such a file is needed and not given
//   hardware(Context)              the storage that it adds to an SM (HardwareCost)
//   Statistics, Levels, records()  its statistics (sm/policy/policy_report.h)
// The constructor takes the Options, the Context, both (in this order), or nothing. paper: authors,
// venue and year, or another source.
template <class P, class E>
E describe(std::string name, std::string title, std::string paper) {
  E entry;
  entry.parameters = parameters_of<typename detail::OptionsOf<P>::type>();
  entry.statistics = detail::statistics_of<P>(name);
  if constexpr (requires { P::hardware(typename E::Context{}); })
    entry.hardware = P::hardware(typename E::Context{});
  entry.name = std::move(name);
  entry.title = std::move(title);
  entry.paper = std::move(paper);
  return entry;
}
// With its parser.
template <class P, class E, class Product, class Context>
E describe(std::string name, std::string title, std::string paper) {
  E entry = describe<P, E>(std::move(name), std::move(title), std::move(paper));
  entry.parse = parser<P, Product, Context>(E::kind.name, entry.name, entry.parameters);
  return entry;
}

}  // namespace heddle::policies
