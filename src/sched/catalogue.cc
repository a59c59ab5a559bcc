#include "sched/catalogue.h"

#include "base/diagnostics.h"
#include "sched/framework/per_kernel.h"
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
PolicyEntry cggty();
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

const std::vector<PolicyEntry>& PolicyEntry::catalogue() {
  static const std::vector<PolicyEntry> entries = {
      lrr(),         gto(),          cggty(),     oldest(),        srr(),           gtrr(),
      youngest(),    fetch_groups(), two_level(), two_level_opt(), owl(),           swl(),
      ccws(),        lfws(),         lpi(),       llos(),          daws_profiled(), daws(),
      kaws(),        saws(),         ipaws(),     adapt_local(),   mascar(),        cawa(),
      victim_tags(), block_aware(),  ps(),
  };
  return entries;
}

namespace {

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
    const auto part = policies::find_policy(rest.substr(0, plus), plugins);
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
  return std::make_shared<LimitedPolicy>(
      std::move(limiters), policies::find_policy(order, plugins).entry->parse(""), true);
}

}  // namespace heddle::sched
