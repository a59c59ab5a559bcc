#include "gpu/cta/cta_mapping.h"

#include <algorithm>

namespace heddle::gpu {

CtaMapping::CtaMapping(Dim3 grid, int sms, analysis::Direction direction, Dealing dealing)
    : grid_(grid),
      sms_(static_cast<std::uint64_t>(sms)),
      along_x_(direction == analysis::Direction::x),
      dealing_(dealing),
      length_(along_x_ ? grid.x : grid.y) {
  const std::uint64_t lines = std::uint64_t{along_x_ ? grid.y : grid.x} * grid.z;
  lines_per_sm_ = lines / sms_;
  rest_ = (lines - lines_per_sm_ * sms_) * length_;
}

int CtaMapping::sm_of(std::uint64_t cta) const {
  const std::uint64_t x = cta % grid_.x, y = cta / grid_.x % grid_.y,
                      z = cta / (std::uint64_t{grid_.x} * grid_.y);
  const std::uint64_t line = along_x_ ? z * grid_.y + y : z * grid_.x + x,
                      position = along_x_ ? x : y;
  const std::uint64_t whole = lines_per_sm_ * sms_;
  if (line < whole) return static_cast<int>(line / lines_per_sm_);
  const std::uint64_t element = (line - whole) * length_ + position;
  return static_cast<int>(dealing_ == Dealing::ceil ? element / ((rest_ - 1) / sms_ + 1)
                                                    : element * sms_ / rest_);
}

std::uint64_t CtaMapping::first_rest(std::uint64_t sm) const {
  if (rest_ == 0) return 0;
  if (dealing_ == Dealing::ceil) return std::min(sm * ((rest_ - 1) / sms_ + 1), rest_);
  return (sm * rest_ + sms_ - 1) / sms_;
}

std::uint64_t CtaMapping::count(int sm) const {
  const auto s = static_cast<std::uint64_t>(sm);
  return lines_per_sm_ * length_ + first_rest(s + 1) - first_rest(s);
}

std::uint64_t CtaMapping::cta(int sm, std::uint64_t index) const {
  const auto s = static_cast<std::uint64_t>(sm);
  if (index < lines_per_sm_ * length_)
    return linear(s * lines_per_sm_ + index / length_, index % length_);
  const std::uint64_t element = first_rest(s) + index - lines_per_sm_ * length_;
  return linear(lines_per_sm_ * sms_ + element / length_, element % length_);
}

std::uint64_t CtaMapping::linear(std::uint64_t line, std::uint64_t position) const {
  const std::uint64_t lines = along_x_ ? grid_.y : grid_.x,  // of a plane
      plane = line / lines, in_plane = line % lines;
  const std::uint64_t x = along_x_ ? position : in_plane, y = along_x_ ? in_plane : position;
  return (plane * grid_.y + y) * grid_.x + x;
}

}  // namespace heddle::gpu
