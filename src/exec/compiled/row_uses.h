// When the register rows that instructions read and write are read next.
#pragma once

#include <array>
#include <vector>

#include "exec/state/decoded_instruction.h"

namespace heddle::exec {

inline constexpr Pc kReadInOtherBlock = kNoPc - 1;  // or perhaps there
inline constexpr Pc kNeverRead = kNoPc;

class RowUses {
 public:
  // By source and by destination: the instruction of the block that reads the row next after this
  // one, kReadInOtherBlock or kNeverRead.
  struct Next {
    Next() { src.fill(kReadInOtherBlock), dst.fill(kReadInOtherBlock); }
    std::array<Pc, 5> src;
    std::array<Pc, 4> dst;
  };

  // leads: the first instructions of blocks.
  RowUses(const DecodedKernel& kernel, const std::vector<char>& leads);

  const Next& after(Pc pc) const { return next_[pc]; }

 private:
  std::vector<Next> next_;  // by pc
};

}  // namespace heddle::exec
