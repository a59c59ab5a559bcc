#include "sched/catalogue.h"

#include "base/diagnostics.h"
#include "sched/framework/per_kernel.h"
#include "sched/framework/plugins.h"
#include "sched/framework/policy_entry.h"
#include "sched/framework/policy_text.h"

namespace heddle::sched {

// Each policy is one file in orders/, limiters/ or adaptive/ that defines one of these functions.
PolicyEntry adapt_local();
PolicyEntry saws();
PolicyEntry block_aware();
PolicyEntry ccws();
PolicyEntry cawa();
PolicyEntry owl();
PolicyEntry daws();
PolicyEntry fetch_groups();
PolicyEntry gto();
PolicyEntry gtrr();
PolicyEntry llos();
PolicyEntry ipaws();
PolicyEntry kaws();
PolicyEntry lpi();
PolicyEntry lfws();
PolicyEntry lrr();
PolicyEntry mascar();
PolicyEntry oldest();
PolicyEntry daws_profiled();
PolicyEntry ps();
PolicyEntry swl();
PolicyEntry srr();
PolicyEntry two_level();
PolicyEntry two_level_opt();
PolicyEntry victim_tags();
PolicyEntry youngest();

namespace {

const std::vector<PolicyEntry>& catalogue() {
  static const std::vector<PolicyEntry> entries = {
      lrr(),          gto(),       oldest(),        srr(),           gtrr(), youngest(),
      fetch_groups(), two_level(), two_level_opt(), owl(),           swl(),  ccws(),
      lfws(),         lpi(),       llos(),          daws_profiled(), daws(), kaws(),
      saws(),         ipaws(),     adapt_local(),   mascar(),        cawa(), victim_tags(),
      block_aware(),  ps(),
  };
  return entries;
}

template <class Use>
void for_each_entry(const Plugins& plugins, Use use) {
  for (const PolicyEntry& entry : catalogue()) use(entry);
  for (const PolicyEntry& entry : plugins.entries()) use(entry);
}

[[noreturn]] void refuse_unknown(const std::string& name, const Plugins& plugins) {
  std::vector<std::string> names;
  std::string all;
  for_each_entry(plugins, [&](const PolicyEntry& entry) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  });
  const std::string near = nearest_names(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + near + "?";
  throw UserError("unknown scheduler \"" + name + "\"" + hint + "\n  schedulers: " + all);
}

struct PolicyText {
  const PolicyEntry* entry;
  std::string_view options;
};

PolicyText find_policy(std::string_view part, const Plugins& plugins) {
  const std::size_t colon = part.find(':');
  const std::string name{part.substr(0, colon)};
  const PolicyEntry* found = nullptr;
  for_each_entry(plugins, [&](const PolicyEntry& entry) {
    if (entry.name == name) found = &entry;
  });
  if (!found) refuse_unknown(name, plugins);
  if (colon == std::string_view::npos) return {found, ""};
  if (colon + 1 == part.size())
    throw UserError("scheduler " + name + ": expected parameter=value after the colon");
  return {found, part.substr(colon + 1)};
}

// Limiters before an order.
class LimitedPolicy final : public Policy {
 public:
  LimitedPolicy(std::vector<std::shared_ptr<const LimiterPolicy>> limiters,
                std::shared_ptr<const Policy> order, bool order_is_implied)
      : limiters_(std::move(limiters)), order_(std::move(order)) {
    for (const auto& limiter : limiters_) text_ += (text_.empty() ? "" : "+") + limiter->text();
    if (!order_is_implied) text_ += "+" + order_->text();
  }
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const PolicyContext& context) const override {
    PolicyContext place = context;
    std::vector<std::unique_ptr<Limiter>> limiters;
    for (const auto& limiter : limiters_) {
      limiters.push_back(limiter->build(place));
      ++place.part;
    }
    return std::make_unique<LimitedScheduler>(std::move(limiters), order_->build(place));
  }
  std::string missing_input() const override {
    for (const auto& limiter : limiters_)
      if (const std::string missing = limiter->missing_input(); !missing.empty()) return missing;
    return order_->missing_input();
  }

 private:
  std::vector<std::shared_ptr<const LimiterPolicy>> limiters_;
  std::shared_ptr<const Policy> order_;
  std::string text_;
};

}  // namespace

std::shared_ptr<const Policy> parse_policy(const std::string& text) {
  return parse_policy(text, {});
}
std::vector<PolicyInfo> list_policies() { return list_policies({}); }

std::shared_ptr<const Policy> parse_policy(const std::string& text, const Plugins& plugins) {
  if (is_per_kernel(text)) {
    std::vector<std::shared_ptr<const Policy>> policies;
    for (const std::string& policy : split_per_kernel(text))
      policies.push_back(parse_policy(policy, plugins));
    return std::make_shared<PerKernelPolicy>(std::move(policies));
  }
  std::vector<std::shared_ptr<const LimiterPolicy>> limiters;
  std::string order;  // the default order of the last limiter
  std::string_view rest = text;
  for (;;) {
    const std::size_t plus = rest.find('+');
    const PolicyText part = find_policy(rest.substr(0, plus), plugins);
    if (part.entry->parse) {
      if (plus != std::string_view::npos) {
        throw UserError("scheduler " + text + ": " + part.entry->name +
                        " is an order and must be last; only limiters may precede a +");
      }
      auto parsed = part.entry->parse(part.options);
      if (limiters.empty()) return parsed;
      return std::make_shared<LimitedPolicy>(std::move(limiters), parsed,
                                             part.options.empty() && part.entry->name == order);
    }
    limiters.push_back(part.entry->parse_limiter(part.options));
    order = part.entry->order;
    if (plus == std::string_view::npos) break;
    rest.remove_prefix(plus + 1);
  }
  return std::make_shared<LimitedPolicy>(std::move(limiters),
                                         find_policy(order, plugins).entry->parse(""), true);
}

std::vector<PolicyInfo> list_policies(const Plugins& plugins) {
  std::vector<PolicyInfo> infos;
  for_each_entry(plugins, [&](const PolicyEntry& entry) { infos.push_back(entry.info()); });
  return infos;
}

}  // namespace heddle::sched
