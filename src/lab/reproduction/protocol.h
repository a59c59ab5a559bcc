// One reading for a whole paper, chosen by a rule that does not see what it is tested on, from the
// runs in a results store (docs/reproduce-a-paper.md, "Readings").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/reproduction/measures.h"

namespace heddle::lab {

// What a claim is for. Parameters of the machine are chosen by claims about other policies than the
// paper's, those of the paper's policies by claims about programs whose names have an even hash.
enum class ClaimPart : std::uint8_t { machine, policy, test };
ClaimPart part_of(const Paper& paper, const Claim& claim);
const char* name_of(ClaimPart part);

struct ReadingOutcome {
  std::string name;  // empty: the default
  std::string parameter, text, source;
  bool of_policy = false;
  std::vector<Judged> claims;  // of all figures, in the paper's order
};

struct HeldClaims {
  std::size_t held = 0, all = 0;
  double share() const { return all ? static_cast<double>(held) / static_cast<double>(all) : 0; }
};

// What a choice by the most claims held gains by chance: over random halves of the claims, the
// winner of one half on the other one.
struct Optimism {
  double mean_on_own_half = 0, mean_on_other_half = 0, low = 0, high = 0;  // 5 and 95 %: other half
};

struct ProtocolResult {
  std::vector<ReadingOutcome> outcomes;  // the default first, then the registered ones with runs
  std::vector<std::string> without_runs;
  std::string chosen;                      // empty: the default; "a+b" of a machine and a policy
  std::optional<ReadingOutcome> combined;  // the chosen one, when it is a combination with runs
  HeldClaims in_any;                       // in one of `outcomes`: an upper bound
  Optimism optimism;
  std::vector<ClaimPart> parts;  // of the claims

  const ReadingOutcome* chosen_outcome() const;  // null: it has no runs
  HeldClaims count(const ReadingOutcome& outcome) const;
  HeldClaims count(const ReadingOutcome& outcome, ClaimPart part) const;
};

// The claims of the paper in a reading, from a store.
using MeasureReading = std::function<std::vector<FigureResult>(const std::string& reading)>;
// Of a paper with registered parameters.
ProtocolResult follow_protocol(const Paper& paper, const std::vector<FigureResult>& by_default,
                               const MeasureReading& measure);

}  // namespace heddle::lab
