// Random kernels whose reuse tests compare with its enumeration.
#pragma once

#include <random>

#include "tests/analysis/enumeration.h"

namespace heddle::analysis {

// A random kernel: two accesses with random coefficients, guards and clamped indices, in a loop.
inline std::string random_body(std::mt19937& random) {
  const auto number = [&](int low, int high) {
    return std::to_string(std::uniform_int_distribution<int>(low, high)(random));
  };
  const auto pick = [&](std::vector<int> list) {
    return std::to_string(
        list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)]);
  };
  std::string body = "mov.u32 %r20, 0;\nLOOP:\n";
  for (int access = 0; access < 2; ++access) {
    body += "mul.lo.s32 %r30, %r1, " + pick({0, 1, 1, 2, 33}) + ";\n";
    body += "mad.lo.s32 %r30, %r2, " + pick({0, 8, 17, 64}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r3, " + pick({0, 4, 8, 16, -8, 24}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r4, " + pick({0, 16, 100, 128}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r20, " + pick({0, 1, 8, 64}) + ", %r30;\n";
    body += "add.s32 %r30, %r30, " + number(-3, 40) + ";\n";
    const int shape = std::uniform_int_distribution<int>(0, 4)(random);
    if (shape == 1) body += "max.s32 %r30, %r30, " + number(0, 30) + ";\n";
    if (shape == 2) body += "shr.s32 %r30, %r30, 1;\n";
    if (shape == 3) body += "and.b32 %r30, %r30, 63;\n";
    const std::string label = "SKIP" + std::to_string(access);
    body += "mad.lo.s32 %r31, %r3, " + pick({0, 8, 16}) + ", %r1;\n";
    body += "setp.lt.s32 %p2, %r31, " + number(0, 90) + ";\n@%p2 bra " + label + ";\n";
    body += load_at(access == 0 ? "%rd1" : pick({0, 1}) == "0" ? "%rd1" : "%rd2", "%r30");
    body += label + ":\n";
  }
  return body + "add.s32 %r20, %r20, 1; setp.lt.s32 %p1, %r20, " + number(1, 4) +
         "; @%p1 bra LOOP;\n";
}

}  // namespace heddle::analysis
