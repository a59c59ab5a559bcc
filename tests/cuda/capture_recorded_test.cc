// What captures with damaged records are refused with, and what the others do, stays what it is.
#include <gtest/gtest.h>

#include <fstream>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "cuda/capture/cut.h"
#include "cuda/capture/player.h"
#include "gpu/results_json.h"
#include "tests/damaged_text.h"
#include "tests/fuzz/capture_bytes.h"
#include "tests/recorded.h"

namespace heddle::fuzz {
namespace {

config::RunSpec small_spec(const cuda::CaptureFile& file) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.memory_bytes = file.info().memory_bytes;
  spec.scheduler = "lrr";
  spec.cta_scheduler = "rr";
  spec.share = "leftover";
  spec.threads = 1;
  spec.timed.limit_cycles = 1000;
  return spec;
}

// The results of its run, and the records of its part from the second launch on.
std::string results_of(const std::string& path, const std::string& part) {
  const cuda::CaptureFile file(path);
  gpu::Device device(small_spec(file));
  cuda::Player player(file, device, {});
  while (player.proceed() == cuda::Player::State::waits && device.busy()) {
    const gpu::Device::Finished finished = device.advance();
    for (const std::uint64_t copy : finished.copies) player.copy_finished(copy);
    for (const std::uint64_t launch : finished.launches) player.launch_finished(launch);
  }
  std::string text = gpu::results_text(device);
  config::RunSpec functional = small_spec(file);
  functional.functional = true;
  functional.timed.limit_cycles = 0;
  gpu::Device plain(functional);
  cuda::cut(file, plain, {.path = part, .cut = true, .first = 2, .last = 2});
  for (const cuda::Bytes& record : parts_of(cuda::CaptureFile(part)).records)
    text.append(record.begin(), record.end());
  return text;
}

class CaptureRecorded : public testing::Test {
 protected:
  std::string outcome_of(const CaptureParts& parts) {
    const std::string path = folder_.file("c.hcap"), part = folder_.file("part.hcap");
    std::ofstream(path, std::ios::binary) << bytes_of(parts);
    std::string text;
    try {
      text = results_of(path, part);
    } catch (const std::exception& refusal) {
      text = refusal.what();
    }
    return without(without(text, part), path);
  }
  void check(const std::string& name, const Fnv64& hash) {
    check_recorded_text("cuda/recorded_captures.txt", name, fmt::format("{:016x}", hash.value()));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CaptureRecorded, RecordsThatAreMissingDoubledOrExchanged) {
  const CaptureParts small = small_capture();
  for (std::size_t n = 0; n < small.records.size(); ++n) {
    const auto at = static_cast<std::ptrdiff_t>(n);
    Fnv64 hash;
    CaptureParts parts = small;
    parts.records.erase(parts.records.begin() + at);
    hash.add(outcome_of(parts));
    parts = small;
    parts.records.insert(parts.records.begin() + at, cuda::Bytes(small.records[n]));
    hash.add(outcome_of(parts));
    parts = small;
    std::swap(parts.records[n], parts.records[(n + 1) % parts.records.size()]);
    hash.add(outcome_of(parts));
    check(fmt::format("record {:02}", n), hash);
  }
}

// Numbers have seven bits in a byte.
TEST_F(CaptureRecorded, RecordsWithAnotherNumber) {
  constexpr std::size_t kLongest = 200;  // of those that are no texts
  const CaptureParts small = small_capture();
  for (std::size_t n = 0; n < small.records.size(); ++n) {
    if (small.records[n].size() > kLongest) continue;
    Fnv64 hash;
    for (std::size_t byte = 0; byte < small.records[n].size(); ++byte) {
      CaptureParts parts = small;
      parts.records[n][byte] ^= byte % 2 ? 0x20 : 1;
      hash.add(outcome_of(parts));
    }
    check(fmt::format("numbers of record {:02}", n), hash);
  }
}

}  // namespace
}  // namespace heddle::fuzz
