// Captures with right checksums and impossible contents: every verb refuses them with one message
// that names the file, the chunk and the byte.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "cuda/capture/cut.h"
#include "tests/fuzz/capture_bytes.h"

namespace heddle::fuzz {
namespace {

using namespace cuda;

struct Crafted {
  const char* name;
  const char* message;  // a part of it
  std::function<CaptureParts()> make;
  bool in_kernels = false;  // found when the capture is played, so `heddle ptx` accepts it
};

CaptureInfo small_info() {
  CaptureInfo info;
  info.memory_bytes = std::uint64_t{1} << 30;
  return info;
}
CaptureParts parts_with(const std::vector<Record>& records,
                        const CaptureInfo& info = small_info()) {
  CaptureParts parts;
  for (const Record& record : records) parts.records.push_back(encoded(record));
  parts.info = encoded(info);
  return parts;
}
Record allocate(std::uint64_t address, std::uint64_t bytes) {
  return Effect{AllocateMemory{AllocateMemory::Kind::device, Address{address}, bytes, 0, "x"}};
}
// The small capture with a record in place of the first one of its kind.
template <class Kind>
CaptureParts small_with(const std::function<void(Kind&)>& change) {
  CaptureParts parts = small_capture();
  for (Bytes& bytes : parts.records) {
    Record record;
    Decoder decoder(bytes);
    decoder(record);
    auto* kind = std::get_if<Kind>(&record);
    if (!kind) continue;
    change(*kind);
    bytes = encoded(record);
    break;
  }
  return parts;
}

const std::uint64_t kTop = ~std::uint64_t{0};

const std::vector<Crafted> kCrafted{
    {"memory_bytes_wraps", "the size of the device's memory is",
     [] {
       CaptureInfo info = small_info();
       info.memory_bytes = kTop - (std::uint64_t{64} << 30) + (60 << 10);
       return parts_with({allocate(kHeapBase, 16 << 20)}, info);
     }},
    {"read_width_wraps", "the width of a copy is 18446744073709551608",
     [] {
       return parts_with(
           {allocate(kHeapBase, 4096),
            Effect{ReadMemory{{Address{kHeapBase + 16}, 0, 0}, {kTop - 7, 1, 1}, 0}}});
     }},
    {"branch_before_module", "a launch is of module 0, but 0 were loaded before it",
     [] {
       IssueOperation node, launch;
       node.id = 1, launch.id = 2;
       launch.launch = CapturedLaunch{0, "fill", {1, 1, 1}, {1, 1, 1}, 0, {}};
       LoadModule module;
       module.texts = {{"m", {{'x'}, {}}}};
       return parts_with({allocate(kHeapBase, 4096), node, HostWaits{}, module,
                          TakeBranch{1, Address{kHeapBase}, 0, {launch}}});
     }},
    {"texture_of_99_channels", "the number of a texture's channels is 99, which is none of 1, 2, 4",
     [] {
       return small_with<SetTexture>(
           [](SetTexture& set) { set.texture.image.format.channels = 99; });
     }},
    {"texture_of_other_memory", "is not inside the device's memory",
     [] {
       return small_with<SetTexture>([](SetTexture& set) {
         set.texture.image.slice_bytes = 1 << 20, set.texture.image.depth = 1 << 20;
       });
     },
     true},
    {"texture_before_memory", "is not inside the device's memory",
     [] {
       return small_with<SetTexture>(
           [](SetTexture& set) { set.texture.image.base = Address{4096}; });
     },
     true},
    {"rows_overlap", "the rows of a copy overlap",
     [] {
       return parts_with(
           {allocate(kHeapBase, 4096),
            Effect{FillMemory{{Address{kHeapBase}, 0, 0}, {1, 1 << 30, 1 << 30}, 1, 1}}});
     }},
    {"extent_wraps", "a copy ends after the last device address",
     [] {
       const std::uint64_t most = kAddresses.most;
       return parts_with({allocate(kHeapBase, 4096),
                          Effect{FillMemory{{Address{kHeapBase}, most, most}, {1, 2, 1}, 1, 1}}});
     }},
    {"fill_after_the_end", "it fills 8 bytes at 0xc0000ffc",
     [] {
       return parts_with({allocate(kHeapBase, 4096),
                          Effect{FillMemory{{Address{kHeapBase + 4092}, 0, 0}, {8, 1, 1}, 1, 1}}});
     },
     true},
    {"larger_than_memory", "the device's memory cannot hold x",
     [] { return parts_with({allocate(kHeapBase, kAddresses.most)}); }, true},
    {"grid_of_nothing", "the grid's size along x is 0; it can be 1 to 2147483647",
     [] {
       return small_with<IssueOperation>([](IssueOperation& issue) { issue.launch->grid.x = 0; });
     }},
    {"block_of_1048576", "has more than 1024 threads",
     [] {
       return small_with<IssueOperation>(
           [](IssueOperation& issue) { issue.launch->block = {1024, 1024, 1}; });
     },
     true},
    {"parameters_elsewhere", "the state of the device in the image of its memory is impossible",
     [] {
       MemoryImage image;
       image.launch = 2;
       image.device.runtime.parameters = {std::uint64_t{1} << 39, 4096, {}};
       CaptureInfo info = small_info();
       info.first_launch = 2;
       info.images = {2};
       return parts_with({image}, info);
     },
     true},
    {"missing_image", "the end chunk names other memory images than the records hold",
     [] {
       CaptureInfo info = small_info();
       info.images = {2};
       return parts_with({ReadOutput{}}, info);
     }},
    {"text_of_missing_data", "a module refers to missing data",
     [] {
       return small_with<LoadModule>(
           [](LoadModule& module) { module.texts.front().second.chunks = {7}; });
     }},
};

struct Said {
  int exit_code;
  std::string text;
};

Said run_heddle(const std::string& arguments, const std::filesystem::path& folder) {
  const std::string log = (folder / "log").string();
  const int status =
      std::system(("cd " + folder.string() + " && exec " HEDDLE_BINARY_DIR "/bin/heddle " +
                   arguments + " >" + log + " 2>&1")
                      .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(log)};
}

class CraftedCaptures : public testing::TestWithParam<std::size_t> {};

TEST_P(CraftedCaptures, AreRefusedByEveryVerb) {
  const Crafted& crafted = kCrafted.at(GetParam());
  const TemporaryFolder folder;
  std::ofstream(folder.file("base.hcap"), std::ios::binary) << bytes_of(small_capture());
  std::ofstream(folder.file("crafted.hcap"), std::ios::binary) << bytes_of(crafted.make());
  for (const std::string verb : {"run", "run --functional", "check", "analyze", "ptx",
                                 "capture -o x.hcap", "corun --share spatial base.hcap --"}) {
    if (crafted.in_kernels && verb == "ptx") continue;
    const Said said = run_heddle(verb + " crafted.hcap", folder.path());
    EXPECT_EQ(said.exit_code, 2) << crafted.name << ", " << verb << ": " << said.text;
    EXPECT_NE(said.text.find(crafted.message), std::string::npos) << verb << ": " << said.text;
    EXPECT_NE(said.text.find("crafted.hcap: offset "), std::string::npos) << said.text;
    EXPECT_EQ(said.text.find("host code cannot"), std::string::npos) << said.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CraftedCaptures, testing::Range<std::size_t>(0, kCrafted.size()),
                         [](const auto& which) { return kCrafted.at(which.param).name; });

// An effect that is refused is named by the place of its record, behind those before it.
TEST(CraftedCapture, IsRefusedWithThePlaceOfTheRecord) {
  const TemporaryFolder folder;
  const auto crafted = std::find_if(kCrafted.begin(), kCrafted.end(), [](const Crafted& c) {
    return std::string_view(c.name) == "fill_after_the_end";
  });
  std::ofstream(folder.file("crafted.hcap"), std::ios::binary) << bytes_of(crafted->make());
  const Said said = run_heddle("run crafted.hcap", folder.path());
  EXPECT_EQ(said.text.find("byte 0:"), std::string::npos) << said.text;
}

TEST(SmallCapture, IsReplayed) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("small.hcap"), std::ios::binary) << bytes_of(small_capture());
  EXPECT_EQ(run_heddle("run --quiet small.hcap", folder.path()).text, "");
  EXPECT_EQ(run_heddle("ptx small.hcap", folder.path()).exit_code, 0);
}

// The memory would report to it what the refused program frees at its end.
TEST(Capture, ThatIsRefusedWhileItIsCutLosesTheObserverOfItsMemory) {
  const auto crafted = std::find_if(kCrafted.begin(), kCrafted.end(), [](const Crafted& c) {
    return std::string_view(c.name) == "block_of_1048576";
  });
  ASSERT_NE(crafted, kCrafted.end());
  const TemporaryFolder folder;
  const std::string path = folder.file("crafted.hcap");
  std::ofstream(path, std::ios::binary) << bytes_of(crafted->make());
  const CaptureFile file(path);
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.memory_bytes = file.info().memory_bytes;
  spec.scheduler = "lrr";
  spec.cta_scheduler = "rr";
  spec.share = "leftover";
  spec.threads = 1;
  spec.functional = true;
  gpu::Device device(spec);
  config::CaptureSpec part;
  part.path = folder.file("part.hcap");
  part.cut = true;
  EXPECT_THROW(cut(file, device, part), UserError);
  EXPECT_EQ(device.memory().allocations().observer(), nullptr);
}

// 600 MiB of records in 60 KB: no memory is given for them.
TEST(Capture, WithTooManyRecordsIsRefused) {
  CaptureParts parts = small_capture();
  const Bytes many(kMaxRecordBytes, encoded(Record{ReadOutput{}}).front());
  parts.records.assign(9, many);
  parts.split = true;
  const TemporaryFolder folder;
  std::ofstream(folder.file("bomb.hcap"), std::ios::binary) << bytes_of(parts);
  EXPECT_LT(std::filesystem::file_size(folder.file("bomb.hcap")), 100'000U);
  const Said said = run_heddle("run bomb.hcap", folder.path());
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_NE(said.text.find("the records have more than 512 MiB"), std::string::npos) << said.text;
}

}  // namespace
}  // namespace heddle::fuzz
