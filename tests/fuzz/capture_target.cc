// Fuzz target of captured programs. Damaged ones are played: most functionally, some with timing,
// with the checker, or to cut them.
#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "cuda/capture/cut.h"
#include "cuda/capture/player.h"
#include "tests/fuzz/capture_bytes.h"
#include "tests/fuzz/ptx_mutator.h"
#include "tests/fuzz/target.h"
#include "tests/ptx/fuzz_texts.h"

namespace heddle::fuzz {
namespace {

using cuda::Bytes;

constexpr int kSecondsOfKernels = 5;  // of processor time; then they are stopped

exec::StopRequest stop_request{0};

// A damaged kernel may loop for long, as that of a program may.
class KernelLimit {
 public:
  KernelLimit() {
    stop_request = 0;
    std::signal(SIGVTALRM, [](int signal) { stop_request = signal; });
    set(kSecondsOfKernels);
  }
  ~KernelLimit() { set(0); }
  KernelLimit(const KernelLimit&) = delete;
  KernelLimit& operator=(const KernelLimit&) = delete;

 private:
  static void set(int seconds) {
    const itimerval limit{{0, 0}, {seconds, 0}};
    ::setitimer(ITIMER_VIRTUAL, &limit, nullptr);
  }
};

// A number is replaced. Records are numbers of seven bits a byte, and texts.
void replace_number(Bytes& bytes, Random& random) {
  if (bytes.empty()) return;
  std::size_t first = random.below(bytes.size()), end = first;
  while (first > 0 && bytes[first - 1] >= 0x80) --first;
  while (end + 1 < bytes.size() && bytes[end] >= 0x80) ++end;
  Bytes number;
  std::uint64_t value = odd_number(random);
  if (random.one_in(4)) value += kHeapBase;
  for (; value >= 0x80; value >>= 7) number.push_back(static_cast<std::uint8_t>(value | 0x80));
  number.push_back(static_cast<std::uint8_t>(value));
  const auto at = bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                              bytes.begin() + static_cast<std::ptrdiff_t>(end + 1));
  bytes.insert(at, number.begin(), number.end());
}

void play(const cuda::CaptureFile& file, gpu::Device& device) {
  cuda::PlayerOptions options;
  cuda::Player player(file, device, std::move(options));
  while (player.proceed() == cuda::Player::State::waits) {
    if (!device.busy()) throw UserError(file.path() + ": it waits for work that does not run");
    const gpu::Device::Finished finished = device.advance();
    for (const std::uint64_t copy : finished.copies) player.copy_finished(copy);
    for (const std::uint64_t launch : finished.launches) player.launch_finished(launch);
  }
}

class Captures final : public Target {
 public:
  Captures() : mutator_(ptx::fuzzed_texts()) {
    const TemporaryFolder folder;
    const std::string path = folder.file("small.hcap");
    std::ofstream(path, std::ios::binary) << bytes_of(small_capture());
    add(path);
    std::error_code none;
    std::vector<std::string> captured;
    for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_CAPTURES, none))
      if (entry.path().extension() == ".hcap") captured.push_back(entry.path().string());
    std::sort(captured.begin(), captured.end());
    for (const std::string& file : captured) add(file);
  }
  std::string name() const override { return "captures"; }
  std::string meaning() const override { return "captured programs, which are played"; }
  std::string file_name() const override { return "input.hcap"; }
  std::size_t inputs() const override { return parts_.size(); }
  std::string input(std::size_t number) const override { return bytes_of(parts_.at(number)); }
  void add(const std::string& path) override {
    parts_.push_back(parts_of(cuda::CaptureFile(path)));
  }

  std::string damaged(Random& random) const override {
    CaptureParts parts = random.of(parts_);
    for (std::size_t n = random.below(2) + 1; n > 0; --n) damage(parts, random);
    std::string bytes = bytes_of(parts);
    if (random.one_in(16)) damage_bytes(bytes, random);
    return bytes;
  }

  void read(const std::string& path) const override {
    const cuda::CaptureFile file(path);
    const std::size_t way =
        file.content().records.empty() ? 0 : file.content().records.front().bytes.size() % 16;
    config::RunSpec spec;
    spec.gpu = config::load_gpu("rtx2060");
    spec.memory_bytes = file.info().memory_bytes;
    spec.scheduler = "lrr";
    spec.cta_scheduler = "rr";
    spec.share = "leftover";
    spec.threads = 1;
    spec.functional = way != 1;
    spec.timed.limit_cycles = 20'000;
    spec.check.enabled = way == 2;
    const KernelLimit limit;
    gpu::Device device(spec);
    device.set_stop(&stop_request);
    if (way == 3) {
      config::CaptureSpec part;
      part.path = path + ".part";
      part.cut = true;
      part.first = std::clamp<std::uint64_t>(file.info().launches, 1, 2);
      cuda::cut(file, device, part);
      return;
    }
    play(file, device);
  }

 private:
  void damage(CaptureParts& parts, Random& random) const {
    if (parts.records.empty()) return;
    Bytes& record = parts.records[random.below(parts.records.size())];
    const auto at =
        parts.records.begin() + static_cast<std::ptrdiff_t>(random.below(parts.records.size()));
    switch (random.below(16)) {
      case 0: parts.records.erase(at); break;
      case 1: parts.records.insert(at, Bytes(record)); break;
      case 2: std::swap(record, *at); break;
      case 3: parts.records.insert(at, random.of(random.of(parts_).records)); break;
      case 4: replace_number(parts.info, random); break;
      case 5: damage_module(record, random); break;
      case 6: {
        std::string bytes(record.begin(), record.end());
        damage_bytes(bytes, random);
        record.assign(bytes.begin(), bytes.end());
        break;
      }
      case 7:
      case 8:
      case 9: damage_data(parts, record, random); break;
      default: replace_number(record, random); break;
    }
  }
  static bool decode(const Bytes& bytes, cuda::Record& record) {
    try {
      cuda::Decoder decoder(bytes);
      decoder(record);
      return true;
    } catch (const cuda::Decoder::Damage&) {
      return false;
    }
  }
  // What a kernel reads: parameters, and memory that the host wrote.
  static void damage_data(CaptureParts& parts, Bytes& bytes, Random& random) {
    if (!parts.data.empty() && random.one_in(2))
      return damage_same_size(parts.data[random.below(parts.data.size())], random);
    cuda::Record record;
    if (!decode(bytes, record)) return;
    auto* const effect = std::get_if<cuda::Effect>(&record);
    if (auto* const issue = std::get_if<cuda::IssueOperation>(&record); issue && issue->launch)
      damage_same_size(issue->launch->parameters, random);
    else if (auto* const write = effect ? std::get_if<cuda::WriteMemory>(effect) : nullptr)
      damage_same_size(write->data.bytes, random);
    bytes = encoded(record);
  }
  template <class Data>
  static void damage_same_size(Data& data, Random& random) {
    if (data.empty()) return;
    const std::uint64_t number = odd_number(random);
    const std::size_t at = random.below(data.size());
    std::memcpy(data.data() + at, &number, std::min(data.size() - at, std::size_t{8}));
  }
  // The text of a module, when the record is one.
  void damage_module(Bytes& bytes, Random& random) const {
    cuda::Record record;
    if (!decode(bytes, record)) return;
    auto* const module = std::get_if<cuda::LoadModule>(&record);
    if (!module || module->texts.empty() || module->texts.front().second.bytes.empty())
      return replace_number(bytes, random);
    Bytes& held = module->texts.front().second.bytes;
    std::string text(held.begin(), held.end());
    mutator_.damage(text, random);
    held.assign(text.begin(), text.end());
    bytes = encoded(record);
  }

  std::vector<CaptureParts> parts_;
  PtxMutator mutator_;
};

}  // namespace

std::unique_ptr<Target> captures() { return std::make_unique<Captures>(); }

std::vector<std::unique_ptr<Target>> all_targets() {
  std::vector<std::unique_ptr<Target>> targets;
  for (const auto make :
       {modules, fat_binaries, cubins, programs, captures, studies, gpus, hints, kernels, traces,
        stores, results, originals, timelines, references, options})
    targets.push_back(make());
  return targets;
}

}  // namespace heddle::fuzz
