// The line whose last use is longest ago. In a header because the cache calls it directly: most
// caches use it, and touch a line at every access.
#pragma once

#include "mem/replacement/age_order.h"
#include "mem/replacement/replacement_policy.h"

namespace heddle::mem {

class Lru final : public ReplacementPolicy {
 public:
  void resize(std::uint32_t lines, std::uint32_t ways) override { ages_.resize(lines, ways); }
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override {
    return ages_.victim(tags, incoming.address);
  }
  void insert(std::uint32_t line, const Incoming&) override { touch(line); }
  void use(std::uint32_t line, const Use&) override { touch(line); }
  void touch(std::uint32_t line) { ages_.make_youngest(line); }

 private:
  AgeOrder ages_;
};

}  // namespace heddle::mem
