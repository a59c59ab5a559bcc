// The file of a captured program: what is written is read, and every damage is found.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "cuda/capture/format.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

class CaptureFiles : public testing::Test {
 protected:
  CaptureFiles() : folder_(fs::temp_directory_path() / ("heddle." + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    path = (folder_ / "a.hcap").string();
  }
  ~CaptureFiles() override { fs::remove_all(folder_); }

  std::string content() const { return read_file(path); }
  void replace(const std::string& text) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
  // The diagnostic of reading the file; empty when it is accepted.
  std::string problem() const {
    try {
      const CaptureFile file(path);
      return {};
    } catch (const UserError& error) {
      return error.what();
    }
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  std::string path;

 private:
  fs::path folder_;
};

Bytes encoded(const Record& record) {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(record);
  return bytes;
}

Bytes encoded_info(const CaptureInfo& info) {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(info);
  return bytes;
}

CaptureInfo small_info() {
  CaptureInfo info;
  info.heddle_version = "test";
  info.gpu = "gtx480";
  info.program = {"./program", "argument"};
  info.memory_bytes = 1 << 20;
  info.launches = 1;
  return info;
}
// Of a file with all_records().
CaptureInfo info_of_all() {
  CaptureInfo info = small_info();
  info.images = {1};
  return info;
}

// One record of every kind. `large`: data that have a chunk of their own.
std::vector<Record> all_records(CaptureWriter& writer, const Bytes& large) {
  const CopyRegion row{large.size(), 1, 1};
  SetTexture texture;
  texture.texture.image.width = 7;
  texture.texture.sampling.border[2] = -1.5F;
  texture.texture.smaller.resize(2);
  LoadModule module;
  module.texts = {{"a (PTX)", {{'x'}, {}}}};
  module.addresses = {{"v", Address{256}}};
  module.kernels = {"k"};
  IssueOperation launch;
  launch.id = 1;
  launch.place = {77, false, -3, 2};
  launch.launch =
      CapturedLaunch{0, "k", {2, 3, 4}, {32, 1, 1}, 16, {1, 2, 3}, true, analysis::Direction::y};
  IssueOperation copy;
  copy.id = 2;
  copy.after = {1};
  gpu::DeviceState state;
  state.heap = {512, 64, {{512, 16}, {544, 16}}};
  state.grid_workspace = Address{1024};
  state.runtime.parameters = {2048, 4096, {{2048, 32}}};
  state.runtime.buffers = {{2048, 77, {1, 2, 3}, {4, 5, 6}, 7}};
  state.runtime.streams = {{0x10010, 3}};
  state.runtime.events = {0x10020};
  state.runtime.texts = {{-1, true, 4096}};
  state.runtime.last_handle = 0x10030;
  return {
      Effect{AllocateMemory{AllocateMemory::Kind::shared, Address{4096}, 12, 0, "cudaMalloc #1"}},
      Effect{FreeMemory{Address{4096}}},
      Effect{ChangeMapping{ChangeMapping::Act::map, Address{1}, 2, 3, 4, 5}},
      Effect{NotifyAllocation{Address{4096}, 12}},
      Effect{WriteMemory{{Address{4096}, 8, 8}, {2, 2, 1}, {{1, 2, 3, 4}, {}}, true}},
      Effect{WriteMemory{{Address{9}, 0, 0}, row, writer.store(large.data(), large.size()), false}},
      Effect{CopyMemory{{Address{1}, 8, 64}, {Address{4}, 9, 72}, {7, 8, 9}, true, false, 10}},
      Effect{ReadMemory{{Address{1}, 8, 64}, {4, 5, 6}, ~std::uint64_t{0}}},
      Effect{FillMemory{{Address{1}, 8, 64}, {4, 5, 6}, 0xffffffff, 4}},
      texture,
      SetLimits{1024, 8 << 20, 1 << 20, 2048, 2},
      module,
      launch,
      copy,
      RunOperation{
          2, {Effect{ReadMemory{{Address{1}, 8, 64}, {4, 5, 6}, 7}}}, EngineCopy{true, false, 9}},
      HostWaits{HostWaits::For::stream, 0, {77, true, 3, 1}},
      ReadOutput{},
      TakeBranch{2, Address{8}, 1, {IssueOperation{3, {}, true, false, {}, {}}}},
      MemoryImage{1, {1, 2}, {WriteMemory{{Address{1}, 1, 1}, {1, 1, 1}, {{9}, {}}, false}}, state},
      AllocateForDevice{{AllocateMemory::Kind::device, Address{512}, 64, 0, "heap"}}};
}

// Data that cannot be compressed.
Bytes noise(std::size_t bytes) {
  std::mt19937_64 random(1);
  Bytes data(bytes);
  for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

void write_small_file(const std::string& path) {
  CaptureWriter writer(path);
  for (const Record& record : all_records(writer, Bytes(kInlineBytes))) writer.add(record);
  writer.finish(info_of_all());
}

TEST_F(CaptureFiles, ReturnEveryRecordAsItWasWritten) {
  const Bytes large = noise(3 * kDataChunkBytes / 2);
  CaptureWriter writer(path);
  const std::vector<Record> records = all_records(writer, large);
  for (const Record& record : records) writer.add(record);
  writer.finish(info_of_all());

  const CaptureFile file(path);
  CaptureFile::Content::Position at;
  for (const Record& record : records) EXPECT_EQ(encoded(file.content().read(at)), encoded(record));
  EXPECT_TRUE(file.content().at_end(at));
  EXPECT_EQ(file.info().program, small_info().program);
  Bytes read;
  file.content().append(std::get<WriteMemory>(std::get<Effect>(records[5])).data, read);
  EXPECT_EQ(read, large);
}

TEST_F(CaptureFiles, SayWhatTheyHoldWithoutACheckOfAll) {
  write_small_file(path);
  std::string damaged = content();
  EXPECT_EQ(encoded_info(read_info(path)), encoded_info(info_of_all()));
  damaged[sizeof(CaptureHeader) + sizeof(ChunkHeader)] ^= 1;  // the first chunk's content
  replace(damaged);
  EXPECT_NE(problem(), "");
  EXPECT_EQ(encoded_info(read_info(path)), encoded_info(info_of_all()));
  damaged.back() ^= 1;
  replace(damaged);
  EXPECT_THROW(read_info(path), UserError);
  replace(damaged.substr(0, damaged.size() / 2));
  EXPECT_THROW(read_info(path), UserError);
}

TEST_F(CaptureFiles, HoldIdenticalDataOnce) {
  const Bytes large = noise(kDataChunkBytes);
  CaptureWriter writer(path);
  const Blob first = writer.store(large.data(), large.size());
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(writer.store(large.data(), large.size()).chunks, first.chunks);
  writer.finish(small_info());
  EXPECT_LT(content().size(), large.size() * 11 / 10);
}

TEST_F(CaptureFiles, HaveNoNameBeforeTheyAreComplete) {
  {
    CaptureWriter writer(path);
    writer.add(ReadOutput{});
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(CaptureFiles, ReplaceAnEarlierFileAsAWhole) {
  replace("earlier");
  CaptureWriter writer(path);
  writer.add(ReadOutput{});
  writer.finish(small_info());
  EXPECT_EQ(problem(), "");
  const std::string first = content();
  writer.add(ReadOutput{});
  EXPECT_EQ(content(), first);
  writer.finish(small_info());
  EXPECT_EQ(problem(), "");
  EXPECT_GT(content().size(), first.size());
  EXPECT_EQ(files(), 1u);
}

TEST_F(CaptureFiles, AreRefusedWithAnOffsetWhereverTheyAreCutOff) {
  write_small_file(path);
  const std::string whole = content();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    replace(whole.substr(0, bytes));
    EXPECT_NE(problem().find(path + ": offset "), std::string::npos) << bytes << " bytes";
  }
}

TEST_F(CaptureFiles, SayHowMuchOfTheirLastChunkIsThere) {
  write_small_file(path);
  const std::string whole = content();
  // The end chunk begins where its header is found last; its content is cut off after 5 bytes.
  ChunkHeader end;
  std::size_t at = sizeof(CaptureHeader);
  for (; at < whole.size(); at += sizeof end + end.stored_bytes) {
    std::memcpy(&end, whole.data() + at, sizeof end);
    if (end.type == ChunkType::end) break;
  }
  replace(whole.substr(0, at + sizeof end + 5));
  EXPECT_NE(problem().find("it is cut off: 5 of " + std::to_string(end.stored_bytes) +
                           " bytes are there"),
            std::string::npos)
      << problem();
}

TEST_F(CaptureFiles, AreRefusedWithAnOffsetWhicheverByteIsWrong) {
  write_small_file(path);
  const std::string whole = content();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    replace(damaged);
    EXPECT_NE(problem().find(path + ": offset "), std::string::npos) << "byte " << at;
  }
}

TEST_F(CaptureFiles, OfOtherVersionsAndOtherFilesAreRefusedByName) {
  replace(std::string(64, 'x'));
  EXPECT_NE(problem().find("offset 0: this is no capture file"), std::string::npos);
  EXPECT_FALSE(is_capture(path));
  write_small_file(path);
  EXPECT_TRUE(is_capture(path));
  std::string newer = content();
  newer[8] = 3;
  replace(newer);
  EXPECT_NE(problem().find("the capture file has version 3; this Heddle reads version 4"),
            std::string::npos);
  newer[8] = 4;
  replace(newer + "x");
  EXPECT_NE(problem().find("1 bytes follow the end chunk"), std::string::npos);
  EXPECT_FALSE(is_capture(path + ".missing"));
}

TEST_F(CaptureFiles, HaveTheSameContentHoweverFastTheyAreWritten) {
  std::string first;
  for (int run = 0; run < 3; ++run) {
    CaptureWriter writer(path);
    for (std::uint8_t i = 0; i < 100; ++i) {
      Bytes data(kDataChunkBytes / 4, i);
      data[i] = 200;
      writer.add(
          WriteMemory{{}, {data.size(), 1, 1}, writer.store(data.data(), data.size()), false});
      if (run == 1) std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    writer.finish(small_info());
    if (run == 0) first = content();
    EXPECT_EQ(content(), first);
  }
}

// A file that may not grow is like one on a full disk.
TEST_F(CaptureFiles, ReportAFullDiskAtTheNextCall) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{64 << 10, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string problem;
  try {
    CaptureWriter writer(path);
    const Bytes data = noise(kDataChunkBytes);
    writer.store(data.data(), data.size());
    writer.finish(small_info());
  } catch (const UserError& error) {
    problem = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(problem.find("cannot write the capture file " + path + ": File too large"),
            std::string::npos)
      << problem;
  EXPECT_EQ(files(), 0u);
}

// A forked process has no thread that writes; it neither waits for one nor writes.
TEST_F(CaptureFiles, AreWrittenByTheProcessThatBeganThemOnly) {
  CaptureWriter writer(path);
  const Bytes data = noise(kDataChunkBytes);
  writer.add(WriteMemory{{}, {data.size(), 1, 1}, writer.store(data.data(), data.size()), false});
  const pid_t child = ::fork();
  if (child == 0) {
    const Bytes other = noise(3 * kDataChunkBytes);
    writer.store(other.data() + 1, 2 * kDataChunkBytes);
    writer.finish(small_info());
    ::_exit(fs::exists(path) ? 1 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  writer.finish(small_info());
  EXPECT_EQ(problem(), "");
}

TEST_F(CaptureFiles, InAMissingFolderOrInPlaceOfADeviceAreAnError) {
  EXPECT_THROW(CaptureWriter(path + "/missing/a.hcap"), UserError);
  EXPECT_THROW(CaptureWriter("/dev/full"), UserError);
}

// The bytes of a record whose last number is out of range, and how reading it ends.
std::string problem_of(const Bytes& bytes) {
  Record record;
  Decoder decoder(bytes);
  try {
    decoder(record);
  } catch (const Decoder::Damage& damage) {
    return std::to_string(damage.offset) + ": " + damage.what;
  }
  return {};
}

TEST(Records, NameTheByteOfANumberOutOfRange) {
  const Effect fill = FillMemory{{Address{1}, 0, 0}, {1, 1, 1}, 9, 4};
  Bytes bytes = encoded(fill);
  EXPECT_EQ(problem_of(bytes), "");
  bytes.back() = 3;
  EXPECT_EQ(problem_of(bytes), "9: the size of a fill's elements is 3, which is none of 1, 2, 4");
  EXPECT_EQ(problem_of(encoded(Effect{FreeMemory{Address{~std::uint64_t{0}}}})),
            "2: the address of an allocation is 18446744073709551615; it can be 0 to "
            "1099511627775");
  EXPECT_EQ(problem_of({99}), "1: an entry has an unknown type");
  bytes = encoded(SetLimits{1024, 1, 1, 1, 2});
  bytes.back() = 0x80;
  EXPECT_EQ(problem_of(bytes), "6: the data are cut off");
}

// An image with `count` writes, as many bytes as that, all 0.
Bytes image_of(std::size_t count) {
  Bytes bytes = encoded(MemoryImage{1, {}, {}, {}});
  bytes.resize(3);  // the kind, the launch, and no unfinished operation
  for (std::size_t rest = count; rest != 0; rest >>= 7)
    bytes.push_back(static_cast<std::uint8_t>(rest >= 0x80 ? rest | 0x80 : rest));
  bytes.resize(bytes.size() + count);
  return bytes;
}

TEST(Records, LimitTheMemoryOfTheirLists) {
  Bytes bytes = image_of(1000);
  bytes.resize(200);
  EXPECT_EQ(problem_of(bytes), "3: a list is longer than its chunk");
  EXPECT_EQ(problem_of(image_of(std::size_t{1} << 25)),
            "3: the lists of a record need more than 1 GiB");
}

}  // namespace
}  // namespace heddle::cuda
