// The conformance corpus: instructions as data, so that the same cases run on Heddle and on a GPU.
//
// A line of corpus/*.txt reads  RESULT = OPERANDS : STATEMENTS | KEY
//   RESULT      a type, or several in braces: one case each. pred is stored as 0 or 1
//   OPERANDS    types of %a, %b, %c, %e; a number: that many of the result's type; n, lane, count: small numbers around the edges of counts
//   STATEMENTS  %d is the result; %t0.. are 32-bit registers and %q0.. predicates to throw away; {x,y} makes a case of each; %T is the
//               result's type, %A the first operand's. Braces that repeat the same list take the same choice.
//   KEY         the name under which the expected result is computed; without one, or `same`: the first instruction's name
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

// Operand values of a case, [operand][vector]: edges in all combinations as far as they go, then
// seeded random ones.
std::vector<std::vector<std::uint64_t>> operand_vectors(const Case& c);

// One kernel per case, case_0 and so on, with parameters (address of operands, one array after the
// other; address of results): 64-bit cells.
std::string module_text(const std::vector<Case>& cases);

// Bytes of a type's register: 2, 4, 8; 0 for pred.
std::size_t width_of(const std::string& type);

}  // namespace heddle::conformance
