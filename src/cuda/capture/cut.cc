#include "cuda/capture/cut.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "cuda/capture/effects.h"
#include "cuda/capture/format.h"
#include "cuda/capture/player.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

// A place between two records at which the earlier work has run.
struct Mark {
  std::size_t records = 0;             // before it
  std::set<std::uint64_t> unfinished;  // operations that were issued before it
  std::vector<WriteMemory> contents;   // of memory, where it is not zero
  std::uint64_t launch = 0;            // the next one
};

class Cutter {
 public:
  Cutter(const CaptureFile& file, gpu::Device& device, const config::CaptureSpec& part)
      : content_(file.content()),
        device_(device),
        part_(part),
        writer_(part.path),
        next_image_(part.first > 1      ? part.first
                    : part.images_every ? 1 + part.images_every
                                        : ~std::uint64_t{0}) {}

  void run(const CaptureFile& file) {
    if (!content_.branches.empty())
      fail("it launches graphs with conditional nodes: it cannot be cut");
    find_marks(file);
    copy_records();
    CaptureInfo info = content_.info;
    // What a kernel launches belongs to the launch by the host and has the numbers after it.
    info.first_launch = part_.first > 1 ? images_.front().launch : 1;
    info.launches = (end_ ? end_->launch - 1 : device_.launches()) - info.first_launch + 1;
    info.images.clear();
    for (const Mark& mark : images_) info.images.push_back(mark.launch);
    if (part_.first > 1 || end_) info.elapsed_times = 0;
    writer_.finish(info);
  }

 private:
  struct Stop {};

  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(content_.path + ": " + what);
  }

  // Runs the launches up to the last one.
  void find_marks(const CaptureFile& file) {
    std::optional<Player> player;
    PlayerOptions options;
    options.launch_begins = [&](const gpu::LaunchRequest& request) {
      const std::uint64_t launch = device_.launches() + 1;
      if (launch > part_.last) {
        end_ = mark(*player, launch);
        throw Stop{};
      }
      if (launch > 1 && launch >= next_image_) {
        next_image_ = part_.images_every ? launch + part_.images_every : ~std::uint64_t{0};
        images_.push_back(mark(*player, launch));
        store_memory(images_.back());
      }
      last_ = launch;
      note_device_state(request, launch);
    };
    player.emplace(file, device_, std::move(options));
    try {
      while (player->proceed() == Player::State::waits) {
        const gpu::Device::Finished finished = device_.advance();
        for (const std::uint64_t copy : finished.copies) player->copy_finished(copy);
        for (const std::uint64_t launch : finished.launches) player->launch_finished(launch);
      }
    } catch (const Stop&) {}
    if (last_ >= part_.first) return;
    if (end_ || device_.launches() >= part_.first)
      fail(fmt::format("no launch by the host is among launches {} to {}", part_.first,
                       std::min(part_.last, device_.launches())));
    fail(fmt::format("there is no launch {}: the capture has {}", part_.first, device_.launches()));
  }

  static Mark mark(const Player& player, std::uint64_t launch) {
    const auto unfinished = player.unfinished();
    return {player.records_read(), {unfinished.begin(), unfinished.end()}, {}, launch};
  }

  // State of the device that an image does not hold.
  void note_device_state(const gpu::LaunchRequest& request, std::uint64_t launch) {
    if (!device_state_.empty()) return;
    const std::string name =
        fmt::format("launch {} ({})", launch, plain_name(request.kernel->name));
    if (request.kernel->uses_heap)
      device_state_ = name + " uses malloc of device code";
    else if (request.cooperative)
      device_state_ = name + " is cooperative";
    else if (request.kernel->uses_device_runtime)
      device_state_ = name + " may launch kernels, whose parameters have memory of their own";
  }

  void store_memory(Mark& mark) {
    if (!device_state_.empty())
      fail(fmt::format("no image of memory can be stored before launch {}: {}", mark.launch,
                       device_state_));
    const auto& memory = device_.memory();
    for (const auto& [base, allocation] : memory.live()) {
      const std::uint8_t* const bytes = memory.host(allocation.base);
      std::uint64_t run = 0;
      for (std::uint64_t at = 0; at < allocation.bytes + kPageBytes; at += kPageBytes) {
        const std::uint64_t size =
            at < allocation.bytes ? std::min(kPageBytes, allocation.bytes - at) : 0;
        const bool zero = std::all_of(bytes + at, bytes + at + size, [](auto b) { return b == 0; });
        if (!zero && run < kDataChunkBytes) {
          run += size;
          continue;
        }
        const std::uint64_t end = std::min(at, allocation.bytes);
        if (run > 0)
          mark.contents.push_back({{allocation.base + (end - run), run, run},
                                   {run, 1, 1},
                                   writer_.store(bytes + end - run, run),
                                   false});
        run = zero ? 0 : size;
      }
    }
  }

  Blob stored(const Blob& blob) {
    Bytes bytes;
    content_.append(blob, bytes);
    return writer_.store(bytes.data(), bytes.size());
  }
  void store_data(Effect& effect) {
    if (auto* const write = std::get_if<WriteMemory>(&effect)) write->data = stored(write->data);
  }

  void copy_records() {
    CaptureFile::Content::Position at;
    std::size_t image = 0;
    HostWaits wait;
    for (std::size_t count = 0; !content_.at_end(at); ++count) {
      Record record = content_.read(at);
      const auto* const run = std::get_if<RunOperation>(&record);
      // What ran in the wait of a mark before its launch follows the wait.
      const auto after = [&](const Mark& mark) {
        return count >= mark.records && !(run && !mark.unfinished.contains(run->id));
      };
      if (end_ && after(*end_)) break;
      if (image < images_.size() && after(images_[image])) {
        if (image == 0 && part_.first > 1) writer_.add(wait);
        writer_.add(
            MemoryImage{images_[image].launch,
                        {images_[image].unfinished.begin(), images_[image].unfinished.end()},
                        images_[image].contents});
        ++image;
      }
      if (const auto* const waits = std::get_if<HostWaits>(&record)) wait = *waits;
      before_first_ = image == 0 && part_.first > 1;
      std::visit([this](auto& e) { copy(e); }, record);
    }
    if (end_) writer_.add(HostWaits{});
  }

  template <class Any>
  void copy(Any& record) {
    writer_.add(record);
  }
  void copy(Effect& effect) {
    if (before_first_ && !changes_layout(effect)) return;
    store_data(effect);
    writer_.add(effect);
  }
  void copy(LoadModule& module) {
    for (auto& [name, text] : module.texts) text = stored(text);
    writer_.add(module);
  }
  void copy(IssueOperation& issue) {
    if (before_first_ && !images_.front().unfinished.contains(issue.id)) return;
    if (end_ && end_->unfinished.contains(issue.id)) issue.launch.reset();
    writer_.add(issue);
  }
  void copy(RunOperation& run) {
    if (end_ && end_->unfinished.contains(run.id)) return;
    if (before_first_) {
      for (Effect& effect : run.effects) copy(effect);
      return;
    }
    for (Effect& effect : run.effects) store_data(effect);
    writer_.add(run);
  }
  void copy(HostWaits& wait) {
    if (!before_first_) writer_.add(wait);
  }
  void copy(ReadOutput& output) {
    if (!before_first_) writer_.add(output);
  }
  void copy(MemoryImage&) {}

  const CaptureFile::Content& content_;
  gpu::Device& device_;
  config::CaptureSpec part_;
  CaptureWriter writer_;
  std::vector<Mark> images_;
  std::optional<Mark> end_;  // after the last launch; none: the end of the capture
  std::uint64_t last_ = 0;   // the last launch by the host in the part
  std::uint64_t next_image_ = 0;
  std::string device_state_;  // why no image can be stored; empty: nothing
  bool before_first_ = false;
};

}  // namespace

void cut(const CaptureFile& file, gpu::Device& device, const config::CaptureSpec& part) {
  Cutter(file, device, part).run(file);
}

}  // namespace heddle::cuda
