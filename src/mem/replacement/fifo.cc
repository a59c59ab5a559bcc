// The line that was brought in first.
#include "mem/catalogue.h"
#include "mem/replacement/age_order.h"

namespace heddle::mem {
namespace {

class Fifo final : public ReplacementPolicy {
 public:
  void resize(std::uint32_t lines, std::uint32_t ways) override { ages_.resize(lines, ways); }
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override {
    return ages_.victim(tags, incoming.address);
  }
  void insert(std::uint32_t line, const Incoming&) override { ages_.make_youngest(line); }
  void use(std::uint32_t, const Use&) override {}

 private:
  AgeOrder ages_;
};

}  // namespace

ReplacementEntry fifo() {
  return replacement_policy<Fifo>("fifo", "the line that was brought in first", "-");
}

}  // namespace heddle::mem
