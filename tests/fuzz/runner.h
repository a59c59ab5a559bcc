// Runs a fuzz target. Each range of inputs is read in a process of its own, so that one that ends
// is known, and the others are read nevertheless.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace heddle::fuzz {

struct Plan {
  std::uint64_t seed = 1, first = 0;
  std::uint64_t count = 0;  // of damaged inputs; each is a function of the seed and its number
};

struct Report {
  std::uint64_t read = 0, accepted = 0, refused = 0, faulted = 0, stopped = 0;
  std::vector<std::string> findings;  // one line each
};

// A finding is a reader that is killed by a signal, throws something else than documented, refuses
// without naming the file, does not end within a minute of processor time, needs more than 4 GiB,
// or makes other files than its input. Inputs of findings are kept in `kept`, unless it is empty.
Report run(const Target& target, const Plan& plan, const std::string& kept = {});

// Whether the undamaged inputs are accepted: one line for each that is not.
std::vector<std::string> refused_inputs(const Target& target);

}  // namespace heddle::fuzz
