// The conformance corpus: instructions as data. The same cases run on Heddle and on a GPU.
//
// A line of corpus/*.txt reads  RESULT = OPERANDS : STATEMENTS | KEY
//   RESULT      a type, or several in braces, with a case for each; pred is stored as 0 or 1
//   OPERANDS    types of %a, %b, %c, %e; a number: that many operands of the result's type;
//               n, lane, count: small numbers around the limits of counts
//   STATEMENTS  %d is the result; %t0.. are 32-bit registers and %q0.. predicates for temporary
//               values; {x,y} makes a case for each; %T is the result's type, %A the first
//               operand's. Braces that repeat the same list make the same choice.
//   KEY         selects the reference computation; without one, or `same`: the name of the first
//               instruction
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::conformance {

struct Case {
  std::string result;
  std::vector<std::string> operands;
  std::string statements, key;
  std::string place;  // file:line
};

inline constexpr std::size_t kVectors = 512;  // operand vectors per case

std::vector<Case> expand_line(const std::string& line, const std::string& place);
std::vector<Case> read_corpus(const std::string& folder, const std::string& family);
std::vector<std::string> families();

// Operand values of a case, [operand][vector]: combinations of edge values, then seeded random
// values.
std::vector<std::vector<std::uint64_t>> operand_vectors(const Case& c);

// One kernel for each case, case_0 and so on. Parameters: the address of the operands, an array for
// each; the address of the results. All cells have 64 bits.
std::string module_text(const std::vector<Case>& cases);

// Bytes of a register of the type: 2, 4 or 8; 0 for pred.
std::size_t width_of(const std::string& type);

}  // namespace heddle::conformance
