// Access relations in isl, for pairs of accesses that move differently from CTA to CTA.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/line_runs.h"

namespace heddle::analysis {

class AccessRelations {
 public:
  // All questions together may need so many operations of isl.
  explicit AccessRelations(std::uint64_t max_operations);
  ~AccessRelations();

  // As reuse_distance(), for pieces with different coefficients.
  std::uint32_t distance(const Piece& first, const Piece& second, std::size_t axis,
                         std::int64_t line_bytes, std::uint32_t at_least);
  bool exhausted() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::analysis
