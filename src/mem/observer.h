// The observer of the memory system. It changes nothing. Calls for one slice, channel or network
// never overlap; calls for different ones may.
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
  // The requests that wait for the slice's cache and the MSHRs in use, after its cycle.
  virtual void l2_queues(std::uint32_t slice, Cycle now, std::size_t waiting,
                         std::uint32_t mshrs) = 0;
  // A command of a channel. Times are DRAM cycles. `ends`: the end of its data, or the cycle from
  // which the bank accepts the next command.
  virtual void dram_command(std::uint32_t channel, std::uint32_t bank, DramCommand command,
                            std::uint32_t row, std::uint64_t cycle, std::uint64_t ends) = 0;
  // Packets in the buffer of an input after the network's cycle. Inputs are clusters in the request
  // network and slices in the reply network.
  virtual void network_queue(NetworkWay way, std::uint32_t input, Cycle now,
                             std::size_t packets) = 0;
  virtual void dram_queue(std::uint32_t channel, std::uint64_t cycle, std::uint32_t waiting) = 0;
};

}  // namespace heddle::mem
