#include "lab/reproduction/protocol.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace heddle::lab {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

// Whether the row has the policy, and not one with a longer name.
bool has_policy(const std::string& row, const std::string& policy) {
  for (std::size_t at = row.find(policy); at != std::string::npos; at = row.find(policy, at + 1)) {
    const std::size_t end = at + policy.size();
    if ((at == 0 || !is_name_character(row[at - 1])) &&
        (end == row.size() || !is_name_character(row[end])))
      return true;
  }
  return false;
}

bool is_about_own(const Paper& paper, const Measure& measure) {
  std::vector<std::string> rows = measure.over_each;
  rows.insert(rows.end(), {measure.row, measure.against});
  if (measure.shown_as != ShownAs::value) rows.push_back(measure.over);
  return std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
    return std::any_of(paper.own.begin(), paper.own.end(),
                       [&](const std::string& policy) { return has_policy(row, policy); });
  });
}

// FNV-1a of 32 bits over the names of the programs, each with a blank.
bool has_even_hash(const std::vector<std::string>& programs) {
  std::uint32_t hash = 2166136261u;
  for (const std::string& program : programs)
    for (const char c : program + " ") hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % 2 == 0;
}

bool is_held(const Judged& one) {
  return one.verdict == ClaimVerdict::holds || one.verdict == ClaimVerdict::holds_in_direction;
}

std::vector<Judged> judged_claims(const std::vector<FigureResult>& figures) {
  std::vector<Judged> all;
  for (const FigureResult& figure : figures)
    for (const ClaimResult& one : figure.claims) all.push_back({one.measured, one.verdict});
  return all;
}

// It has values, wherever the default has one: a part of the runs would count as claims that do not
// hold.
bool is_whole(const ReadingOutcome& outcome, const ReadingOutcome& of_default) {
  bool any = false;
  for (std::size_t i = 0; i < outcome.claims.size(); ++i) {
    any |= outcome.claims[i].measured.has_value();
    if (of_default.claims[i].measured && !outcome.claims[i].measured) return false;
  }
  return any;
}

template <class Counts>
std::size_t held_in(const ReadingOutcome& outcome, Counts counts) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < outcome.claims.size(); ++i)
    held += counts(i) && is_held(outcome.claims[i]);
  return held;
}

// The outcome with the most claims held among those that count; the first of several, so that the
// default wins ties.
template <class Counts>
const ReadingOutcome& winner_among(const std::vector<const ReadingOutcome*>& outcomes,
                                   Counts counts) {
  const ReadingOutcome* best = outcomes.front();
  for (const ReadingOutcome* one : outcomes)
    if (held_in(*one, counts) > held_in(*best, counts)) best = one;
  return *best;
}

Optimism optimism_of(const std::vector<ReadingOutcome>& outcomes) {
  constexpr std::size_t kSplits = 1000;
  const std::size_t claims = outcomes.front().claims.size(), half = claims / 2;
  if (half == 0) return {};
  std::vector<const ReadingOutcome*> all;
  for (const ReadingOutcome& one : outcomes) all.push_back(&one);
  std::mt19937 random(1);
  std::vector<std::size_t> order(claims);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> other;
  Optimism result;
  for (std::size_t split = 0; split < kSplits; ++split) {
    for (std::size_t i = claims - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
    std::vector<bool> own(claims);
    for (std::size_t i = 0; i < half; ++i) own[order[i]] = true;
    const ReadingOutcome& winner = winner_among(all, [&](std::size_t i) { return own[i]; });
    result.mean_on_own_half +=
        static_cast<double>(held_in(winner, [&](std::size_t i) { return own[i]; })) /
        static_cast<double>(half) / kSplits;
    other.push_back(static_cast<double>(held_in(winner, [&](std::size_t i) { return !own[i]; })) /
                    static_cast<double>(claims - half));
  }
  std::sort(other.begin(), other.end());
  result.mean_on_other_half = std::accumulate(other.begin(), other.end(), 0.0) / kSplits;
  result.low = other[kSplits / 20];
  result.high = other[kSplits - kSplits / 20 - 1];
  return result;
}

}  // namespace

ClaimPart part_of(const Paper& paper, const Claim& claim) {
  if (!is_about_own(paper, claim.measure)) return ClaimPart::machine;
  const bool has_policy_parameter =
      std::any_of(paper.parameters.begin(), paper.parameters.end(),
                  [](const OpenParameter& one) { return one.of_policy; });
  return has_policy_parameter && has_even_hash(claim.measure.cases) ? ClaimPart::policy
                                                                    : ClaimPart::test;
}

const char* name_of(ClaimPart part) {
  switch (part) {
    case ClaimPart::machine: return "machine";
    case ClaimPart::policy: return "policy";
    default: return "test";
  }
}

const ReadingOutcome* ProtocolResult::chosen_outcome() const {
  if (combined) return &*combined;
  const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                  [&](const auto& one) { return one.name == chosen; });
  return found == outcomes.end() ? nullptr : &*found;
}

HeldClaims ProtocolResult::count(const ReadingOutcome& outcome) const {
  return {held_in(outcome, [](std::size_t) { return true; }), outcome.claims.size()};
}

HeldClaims ProtocolResult::count(const ReadingOutcome& outcome, ClaimPart part) const {
  const auto is_of = [&](std::size_t i) { return parts[i] == part; };
  return {held_in(outcome, is_of),
          static_cast<std::size_t>(std::count(parts.begin(), parts.end(), part))};
}

ProtocolResult follow_protocol(const Paper& paper, const std::vector<FigureResult>& by_default,
                               const MeasureReading& measure) {
  ProtocolResult result;
  result.outcomes.push_back({"", "", "the default", "", false, judged_claims(by_default)});
  for (const FigureResult& figure : by_default)
    for (const ClaimResult& one : figure.claims) result.parts.push_back(part_of(paper, one.claim));
  for (const OpenParameter& parameter : paper.parameters)
    for (const ReadingValue& value : parameter.values) {
      ReadingOutcome outcome{value.name,   parameter.name,      value.text,
                             value.source, parameter.of_policy, judged_claims(measure(value.name))};
      if (is_whole(outcome, result.outcomes.front()))
        result.outcomes.push_back(std::move(outcome));
      else
        result.without_runs.push_back(value.name);
    }
  std::vector<const ReadingOutcome*> machines, policies;
  for (const ReadingOutcome& one : result.outcomes) {
    if (!one.of_policy) machines.push_back(&one);
    if (one.of_policy || one.name.empty()) policies.push_back(&one);
  }
  const auto chosen_by = [&](const auto& outcomes, ClaimPart part) {
    return winner_among(outcomes, [&](std::size_t i) { return result.parts[i] == part; }).name;
  };
  const std::string machine = chosen_by(machines, ClaimPart::machine),
                    policy = chosen_by(policies, ClaimPart::policy);
  result.chosen =
      machine.empty() || policy.empty() ? machine + policy : machine + kReadingSeparator + policy;
  if (!machine.empty() && !policy.empty()) {
    ReadingOutcome both{
        result.chosen, "", result.chosen, "", false, judged_claims(measure(result.chosen))};
    if (is_whole(both, result.outcomes.front())) result.combined = std::move(both);
  }
  result.in_any.all = result.parts.size();
  for (std::size_t i = 0; i < result.parts.size(); ++i)
    result.in_any.held += std::any_of(result.outcomes.begin(), result.outcomes.end(),
                                      [&](const auto& one) { return is_held(one.claims[i]); });
  result.optimism = optimism_of(result.outcomes);
  return result;
}

}  // namespace heddle::lab
