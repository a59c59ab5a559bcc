#include "mem/warming.h"

#include <bit>
#include <utility>

#include "base/diagnostics.h"

namespace heddle::mem {

// The cache's ports are free during its life, and afterwards as they were.
class FreePorts {
 public:
  explicit FreePorts(Cache& cache) : cache_(cache), ports_(cache.spec()) { exchange(); }
  ~FreePorts() { exchange(); }
  FreePorts(const FreePorts&) = delete;
  FreePorts& operator=(const FreePorts&) = delete;

 private:
  void exchange() { std::swap(cache_.ports_, ports_); }

  Cache& cache_;
  CachePorts ports_;
};

namespace {

// Of a line or of a sector, as the cache fills.
void warm_piece(Cache& cache, const Request& request, std::uint32_t burst_bytes,
                DramBursts& bursts) {
  const FreePorts free_ports(cache);
  CacheStats uncounted;
  const Access done = cache.access(request, 0, uncounted);
  check_invariant(done.outcome != Outcome::reservation_fail, "an idle cache refused a request");
  while (cache.has_miss()) {
    const Miss miss = cache.front_miss();
    cache.pop_miss();
    (miss.reads() ? bursts.reads : bursts.writes) += (miss.bytes + burst_bytes - 1) / burst_bytes;
    if (miss.kind == Miss::Kind::fetch)
      cache.fill(miss.tag, miss.bytes / kSectorBytes, 0, uncounted);
  }
  while (cache.has_ready()) cache.pop_ready();
}

}  // namespace

std::vector<Request> line_reads(Address begin, std::uint64_t bytes, std::uint32_t line_bytes) {
  std::vector<Request> reads;
  if (bytes == 0) return reads;
  const std::uint64_t end = begin.value + bytes;
  for (std::uint64_t at = begin.value / line_bytes * line_bytes; at < end; at += line_bytes) {
    Request& read = reads.emplace_back();
    read.kind = PacketKind::read;
    read.address = Address{at};
    read.bytes = line_bytes;
    read.mask.set(offset_in_line(read.address), line_bytes);
  }
  return reads;
}

void warm(Cache& cache, const Request& request, std::uint32_t burst_bytes, DramBursts& bursts) {
  if (cache.spec().filling != config::Filling::sectors)
    return warm_piece(cache, request, burst_bytes, bursts);
  Request one = request;
  one.bytes = kSectorBytes;
  for (unsigned rest = sectors_touched(request.address, request.bytes); rest; rest &= rest - 1) {
    const auto sector = static_cast<std::uint32_t>(std::countr_zero(rest));
    one.address = sector_address(request.address, sector);
    one.mask = request.mask.of_sector(sector);
    warm_piece(cache, one, burst_bytes, bursts);
  }
}

}  // namespace heddle::mem
