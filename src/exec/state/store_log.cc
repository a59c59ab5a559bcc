#include "exec/state/store_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::exec {

std::uint32_t StoreLog::index_of(std::uint64_t line) const {
  for (std::size_t i = hash(line);; ++i) {
    const std::uint32_t found = table_[i & (table_.size() - 1)];
    if (found == kEmpty || lines_[found].number == line) return found;
  }
}

void StoreLog::grow() {
  table_.assign(table_.size() * 2, kEmpty);
  for (std::uint32_t n = 0; n < lines_.size(); ++n) {
    std::size_t i = hash(lines_[n].number);
    while (table_[i & (table_.size() - 1)] != kEmpty) ++i;
    table_[i & (table_.size() - 1)] = n;
  }
}

StoreLog::Line& StoreLog::line_for(std::uint64_t line) {
  // Successive stores are mostly to the same line.
  if (!lines_.empty() && lines_.back().number == line) return lines_.back();
  if (const std::uint32_t found = index_of(line); found != kEmpty) return lines_[found];
  if ((lines_.size() + 1) * 2 > table_.size()) grow();
  std::size_t i = hash(line);
  while (table_[i & (table_.size() - 1)] != kEmpty) ++i;
  table_[i & (table_.size() - 1)] = static_cast<std::uint32_t>(lines_.size());
  filter_[filter_word(line)] |= std::uint64_t{1} << (line & 63);
  Line& fresh = lines_.emplace_back();
  fresh.number = line;
  fresh.written = {};
  return fresh;
}

void StoreLog::store(std::uint64_t address, const void* bytes, std::uint32_t count) {
  Line& line = line_for(address / kLineBytes);
  const std::uint64_t at = address % kLineBytes;
  std::memcpy(&line.bytes[at], bytes, count);
  line.written[at / 64] |= ((std::uint64_t{1} << count) - 1) << (at % 64);
}

void StoreLog::patch_from_line(std::uint64_t address, void* bytes, std::uint32_t count) const {
  const std::uint32_t found = index_of(address / kLineBytes);
  if (found == kEmpty) return;
  const Line& line = lines_[found];
  const std::uint64_t at = address % kLineBytes;
  const std::uint64_t written =
      line.written[at / 64] >> (at % 64) & ((std::uint64_t{1} << count) - 1);
  for (std::uint64_t rest = written; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    static_cast<std::uint8_t*>(bytes)[i] = line.bytes[at + static_cast<std::uint64_t>(i)];
  }
}

void StoreLog::apply(GlobalMemory& memory) {
  if (lines_.empty()) return;
  for (const Line& line : lines_) {
    std::uint8_t* to = memory.host(Address{line.number * kLineBytes});
    if ((line.written[0] & line.written[1]) == ~std::uint64_t{0}) {
      std::memcpy(to, line.bytes.data(), kLineBytes);
      continue;
    }
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::uint64_t rest = line.written[half]; rest; rest &= rest - 1) {
        const std::size_t at = half * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        to[at] = line.bytes[at];
      }
    }
  }
  if (table_.size() > kInitialTable && lines_.size() * 16 < table_.size())
    table_.resize(kInitialTable);
  std::fill(table_.begin(), table_.end(), kEmpty);
  filter_.fill(0);
  lines_.clear();
}

}  // namespace heddle::exec
