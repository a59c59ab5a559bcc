// Changes a cache functionally: without time, and without counting in statistics.
#pragma once

#include <cstdint>
#include <vector>

#include "mem/cache.h"
#include "mem/request.h"

namespace heddle::mem {

// Accesses to DRAM, in bursts.
struct DramBursts {
  std::uint64_t reads = 0, writes = 0;
};

// Performs the request, which lies within a line. Fetches complete at once, and ports stay free.
// The cache must be idle. Adds what goes to the next level, in bursts of so many bytes.
void warm(Cache& cache, const Request& request, std::uint32_t burst_bytes, DramBursts& bursts);

// Reads of the lines that hold these bytes.
std::vector<Request> line_reads(Address begin, std::uint64_t bytes, std::uint32_t line_bytes);

}  // namespace heddle::mem
