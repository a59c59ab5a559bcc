#include "cuda/capture/cut.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cuda/capture/effects.h"
#include "cuda/capture/format.h"
#include "cuda/capture/player.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

// A place between two records at which the earlier work has run.
struct Mark {
  std::size_t records = 0;                              // before it
  std::set<std::uint64_t> unfinished;                   // operations that were issued before it
  std::map<std::uint64_t, std::size_t> branches_taken;  // by conditional nodes that run
  std::vector<WriteMemory> contents;                    // of memory, where it is not zero
  std::uint64_t launch = 0;                             // the next one
  gpu::DeviceState device;
};
// What the device allocated in a launch.
struct Allocated {
  Mark launch;  // before it
  AllocateMemory allocation;
};

// Calls allocated(allocation, address) for allocations as long as it lives.
template <class Use>
class AllocationObserver final : public exec::MappingObserver {
 public:
  AllocationObserver(exec::Allocations& allocations, Use use)
      : allocations_(allocations), use_(std::move(use)) {
    allocations_.set_observer(this);
  }
  ~AllocationObserver() override { allocations_.set_observer(nullptr); }
  AllocationObserver(const AllocationObserver&) = delete;
  AllocationObserver& operator=(const AllocationObserver&) = delete;
  void allocated(const exec::Allocation& allocation, Address address) override {
    use_(allocation, address);
  }
  void freed(Address) override {}
  void host_address_accepted(Address, std::uint64_t, std::uint64_t) override {}
  void reserved(Address, std::uint64_t, std::uint64_t) override {}
  void released(Address, std::uint64_t) override {}
  void created(std::uint64_t, std::uint64_t) override {}
  void ended(std::uint64_t) override {}
  void mapped(Address, std::uint64_t, std::uint64_t, std::uint64_t) override {}
  void unmapped(Address, std::uint64_t) override {}
  void allowed(Address, std::uint64_t, bool) override {}
  void written(Address, std::uint64_t) override {}

 private:
  exec::Allocations& allocations_;
  Use use_;
};

class Cutter {
 public:
  Cutter(const CaptureFile& file, gpu::Device& device, const config::CaptureSpec& part)
      : content_(file.content()), device_(device), part_(part), writer_(part.path) {
    // A part of a part begins with an image, too.
    part_.first = std::max(part_.first, content_.info.first_launch);
    if (part_.first > 1)
      next_image_ = part_.first;
    else if (part_.images_every)
      next_image_ = 1 + part_.images_every;
  }

  void run(const CaptureFile& file) {
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
    bool device_runs = false;
    const AllocationObserver observer(
        device_.memory().allocations(), [&](const exec::Allocation& allocation, Address address) {
          if (!device_runs) return;  // by the program
          allocated_.push_back(
              {mark(*player, last_),
               {AllocateMemory::Kind::device, address, allocation.bytes, 0, allocation.what}});
        });
    options.launch_begins = [&](const gpu::LaunchRequest&) {
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
    };
    options.device_runs = [&](bool runs) { device_runs = runs; };
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
    return {player.records_read(),
            {unfinished.begin(), unfinished.end()},
            player.branches_taken(),
            {},
            launch,
            {}};
  }

  void store_memory(Mark& mark) {
    mark.device = device_.state();
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
    for (std::size_t count = 0; !content_.at_end(at); ++count) {
      Record record = content_.read(at);
      const auto* const run = std::get_if<RunOperation>(&record);
      const auto* const branch = std::get_if<TakeBranch>(&record);
      const std::size_t earlier_branches = branch ? branches_read_[branch->operation]++ : 0;
      // What ran in the wait of a mark before its launch follows the wait.
      const auto after = [&](const Mark& mark) {
        if (count < mark.records) return false;
        if (run) return mark.unfinished.contains(run->id);
        if (!branch || !mark.unfinished.contains(branch->operation)) return !branch;
        const auto taken = mark.branches_taken.find(branch->operation);
        return taken == mark.branches_taken.end() || earlier_branches >= taken->second;
      };
      if (end_ && after(*end_)) break;
      add_images(after);
      if (const auto* const waits = std::get_if<HostWaits>(&record)) wait_ = *waits;
      before_first_ = images_added_ == 0 && part_.first > 1;
      std::visit([this](auto& e) { copy(e); }, record);
    }
    add_images([](const Mark&) { return true; });
    if (end_) writer_.add(HostWaits{});
  }

  // The images whose place is reached. What earlier launches allocated precedes them: these
  // launches are not repeated when a run begins with an image.
  template <class Reached>
  void add_images(const Reached& reached) {
    while (images_added_ < images_.size()) {
      const Mark& image = images_[images_added_];
      const Allocated* const made =
          allocated_added_ < allocated_.size() ? &allocated_[allocated_added_] : nullptr;
      const bool before = made && made->launch.launch < image.launch;
      if (!reached(before ? made->launch : image)) return;
      if (before) {
        writer_.add(AllocateForDevice{made->allocation});
        ++allocated_added_;
        continue;
      }
      if (images_added_ == 0 && part_.first > 1) writer_.add(wait_);
      writer_.add(MemoryImage{image.launch,
                              {image.unfinished.begin(), image.unfinished.end()},
                              image.contents,
                              image.device});
      ++images_added_;
    }
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
  // At the end of the part, operations that have not run only wait.
  void end_part(IssueOperation& issue) const {
    if (!end_ || !end_->unfinished.contains(issue.id)) return;
    issue.launch.reset();
    issue.graph_end = 0;
  }
  void copy(IssueOperation& issue) {
    if (before_first_ && !images_.front().unfinished.contains(issue.id)) return;
    end_part(issue);
    writer_.add(issue);
  }
  void copy(TakeBranch& branch) {
    if (before_first_ && !images_.front().unfinished.contains(branch.operation)) return;
    for (IssueOperation& node : branch.nodes) end_part(node);
    writer_.add(branch);
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
  void copy(MemoryImage& image) { at_own_image_ |= image.launch == content_.info.first_launch; }
  // What was allocated after the image with which this capture begins has been allocated again.
  void copy(AllocateForDevice& made) {
    if (content_.info.first_launch > 1 && !at_own_image_) writer_.add(made);
  }

  const CaptureFile::Content& content_;
  gpu::Device& device_;
  config::CaptureSpec part_;
  CaptureWriter writer_;
  std::vector<Mark> images_;
  std::optional<Mark> end_;  // after the last launch; none: the end of the capture
  std::uint64_t last_ = 0;   // the last launch by the host in the part
  std::uint64_t next_image_ = ~std::uint64_t{0};
  std::vector<Allocated> allocated_;
  std::size_t images_added_ = 0, allocated_added_ = 0;
  std::map<std::uint64_t, std::size_t> branches_read_;  // TakeBranch by operation
  HostWaits wait_;                                      // the last one
  bool before_first_ = false;
  bool at_own_image_ = false;  // the image with which this capture begins has been read
};

}  // namespace

void cut(const CaptureFile& file, gpu::Device& device, const config::CaptureSpec& part) {
  Cutter(file, device, part).run(file);
}

}  // namespace heddle::cuda
