// Who watches the memory side without taking part. Calls for one slice, channel or network never
// overlap; those for different ones may.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "mem/cache.h"

namespace heddle::mem {

enum class NetworkWay : std::uint8_t { requests, replies };
enum class DramCommand : std::uint8_t { activate, precharge, read, write };

class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  // An access that the L2 accepted.
  virtual void l2_accessed(std::uint32_t slice, const Request& request, const Access& access) = 0;
  // What waits in front of the slice's cache and for its fetches, after its cycle.
  virtual void l2_queues(std::uint32_t slice, Cycle now, std::size_t waiting,
                         std::uint32_t mshrs) = 0;
  // A command of a channel, in DRAM cycles; `ends`: the end of its data, or the cycle in which the
  // bank may go on.
  virtual void dram_command(std::uint32_t channel, std::uint32_t bank, DramCommand command,
                            std::uint32_t row, std::uint64_t cycle, std::uint64_t ends) = 0;
  // Packets in the buffer of an input: a cluster's of the request network, a slice's of the reply
  // network; after the network's cycle.
  virtual void network_queue(NetworkWay way, std::uint32_t input, Cycle now,
                             std::size_t packets) = 0;
  virtual void dram_queue(std::uint32_t channel, std::uint64_t cycle, std::uint32_t waiting) = 0;
};

}  // namespace heddle::mem
