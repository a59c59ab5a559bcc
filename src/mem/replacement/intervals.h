// Predicted re-reference intervals of lines (Jaleel et al., "High performance cache replacement
// using re-reference interval prediction (RRIP)", ISCA 2010). The line with the longest interval is
// replaced, the first one among equals. Before that the lines age together until one has the
// longest interval that the bits can hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::mem {

class Intervals {
 public:
  explicit Intervals(std::uint32_t bits) : distant_(static_cast<std::uint8_t>((1u << bits) - 1)) {}
  void resize(std::uint32_t lines) { of_line_.assign(lines, distant_); }
  bool longer(std::uint32_t a, std::uint32_t b) const { return of_line_[a] > of_line_[b]; }
  // The line is replaced: those from `first` to `end` age.
  void evict(std::uint32_t line, std::uint32_t first, std::uint32_t end) {
    const int steps = distant_ - of_line_[line];
    if (steps == 0) return;
    for (std::uint32_t i = first; i < end; ++i)
      of_line_[i] = static_cast<std::uint8_t>(std::min<int>(distant_, of_line_[i] + steps));
  }
  // far: no reuse is expected, so the line is replaced before those with a long interval.
  void insert(std::uint32_t line, bool far) {
    of_line_[line] = static_cast<std::uint8_t>(distant_ - !far);
  }
  void use(std::uint32_t line) { of_line_[line] = 0; }

 private:
  std::uint8_t distant_;
  std::vector<std::uint8_t> of_line_;
};

}  // namespace heddle::mem
