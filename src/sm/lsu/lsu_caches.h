// The caches of the load/store unit. A flag for each says whether it has served requests or misses
// to send, so that an idle cycle looks into none.
#pragma once

#include <cstdint>
#include <optional>

#include "config/gpu_spec.h"
#include "mem/cache.h"
#include "mem/sm_port.h"
#include "sm/lsu/lsu_context.h"

namespace heddle::sm {

class LsuCaches {
 public:
  enum class Which : std::uint8_t { constant, texture, l1d };

  explicit LsuCaches(const config::SmSpec& spec);

  mem::Access access(Which which, const mem::Request& request, std::uint64_t step, SmStats& stats) {
    const mem::Access answer = own(which).access(request, step, counters(which, stats));
    update_flags(which);
    return answer;
  }
  // The access will soon pass the L1 data cache.
  void prefetch(Address address) const {
    owners_->prefetch(l1d_->tags().fetch_start(address).value);
  }
  bool any_ready() const { return ready_ != 0; }
  bool is_ready(Which which) const { return ready_ & bit(which); }
  mem::Ready pop_ready(Which which);
  bool any_missing() const { return missing_ != 0; }
  // Sends one miss of each cache.
  void send_misses(mem::SmPort& port, LsuContext& context);
  // Returns whether the port was free.
  bool fill(const mem::Packet& reply, LsuContext& context);
  // The same for a reply that is not the last of its fetch, of which nothing but the fetch learns.
  // Returns false, and does nothing, when it is the last or the port is not free in the step.
  bool fill_part(const mem::Packet& reply, std::uint64_t step) {
    mem::Cache& filled = own(which_of(reply));
    return filled.ports().fill_free(step) && filled.fill_part(reply.tag, reply.sector_count());
  }
  bool idle() const;

  const mem::Cache& cache(Which which) const {
    return which == Which::constant ? constant_ : which == Which::texture ? texture_ : *l1d_;
  }
  // Null when the SM has none.
  mem::Cache* l1d() { return l1d_ ? &*l1d_ : nullptr; }
  const mem::Cache* l1d() const { return l1d_ ? &*l1d_ : nullptr; }
  mem::Cache& texture() { return texture_; }

 private:
  static constexpr std::uint8_t bit(Which which) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(which));
  }
  static mem::CacheStats& counters(Which which, SmStats& stats) {
    return which == Which::constant  ? stats.constant
           : which == Which::texture ? stats.texture
                                     : stats.l1d;
  }
  mem::Cache& own(Which which) {
    return which == Which::constant ? constant_ : which == Which::texture ? texture_ : *l1d_;
  }
  static Which which_of(const mem::Packet& reply) {
    return reply.client == mem::Client::constant  ? Which::constant
           : reply.client == mem::Client::texture ? Which::texture
                                                  : Which::l1d;
  }
  void update_flags(Which which);

  std::uint8_t ready_ = 0, missing_ = 0;  // a bit for each cache
  std::optional<mem::Cache> l1d_;
  const mem::LineOwners* owners_ = nullptr;  // of the L1 data cache
  mem::Cache constant_, texture_;
};

}  // namespace heddle::sm
