#include "cuda/fatbin/fat_binary.h"
#include "cuda/fatbin/ptx_texts.h"

#include <cstring>
#include <fstream>

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class T>
void put(Bytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

constexpr std::uint16_t kPtxKind = 1, kElfKind = 2;

Bytes entry(std::uint16_t kind, std::uint32_t architecture, const Bytes& payload,
            std::uint64_t flags = 0, std::uint64_t text_bytes = 0) {
  Bytes bytes(64);
  const std::size_t padded = (payload.size() + 7) / 8 * 8;
  put<std::uint16_t>(bytes, 0, kind);
  put<std::uint32_t>(bytes, 4, 64);
  put<std::uint64_t>(bytes, 8, padded);
  put<std::uint32_t>(bytes, 16, flags ? static_cast<std::uint32_t>(payload.size()) : 0);
  put<std::uint32_t>(bytes, 28, architecture);
  put<std::uint64_t>(bytes, 40, flags);
  put<std::uint64_t>(bytes, 56, text_bytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  bytes.resize(64 + padded);
  return bytes;
}

Bytes container(const std::vector<Bytes>& entries) {
  Bytes bytes(16);
  for (const Bytes& each : entries) bytes.insert(bytes.end(), each.begin(), each.end());
  put<std::uint32_t>(bytes, 0, kContainerMagic);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  return bytes;
}

Bytes plain(const std::string& text) { return {text.begin(), text.end()}; }

Bytes zstd(const std::string& text) {
  Bytes bytes(ZSTD_compressBound(text.size()));
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

Bytes lz4(const std::string& text) {
  Bytes bytes(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
  bytes.resize(static_cast<std::size_t>(
      LZ4_compress_default(text.data(), reinterpret_cast<char*>(bytes.data()),
                           static_cast<int>(text.size()), static_cast<int>(bytes.size()))));
  return bytes;
}

const std::string kText =
    ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry kernel() { ret; } // again and "
    "again and again\n";

TEST(FatBinary, PlainPtxIsReturnedUnchanged) {
  EXPECT_EQ(select_ptx(container({entry(kPtxKind, 75, plain(kText))}), 75), kText);
}

TEST(FatBinary, ZstdIsDecompressed) {
  EXPECT_EQ(select_ptx(container({entry(kPtxKind, 75, zstd(kText), 0x8000, kText.size())}), 75),
            kText);
}

TEST(FatBinary, Lz4BlocksAreDecompressed) {
  EXPECT_EQ(select_ptx(container({entry(kPtxKind, 75, lz4(kText), 0x2000, kText.size())}), 75),
            kText);
}

TEST(FatBinary, MachineCodeIsSkipped) {
  EXPECT_EQ(select_ptx(container({entry(kElfKind, 75, plain("machine code")),
                                  entry(kPtxKind, 75, plain(kText))}),
                       75),
            kText);
}

TEST(FatBinary, TheNewestPtxThatTheGpuSupportsIsSelected) {
  const Bytes three = container({entry(kPtxKind, 50, plain("50")), entry(kPtxKind, 75, plain("75")),
                                 entry(kPtxKind, 90, plain("90"))});
  EXPECT_EQ(select_ptx(three, 80), "75");
  EXPECT_EQ(select_ptx(three, 90), "90");
}

TEST(FatBinary, AnOldGpuGetsTheOldestPtx) {
  EXPECT_EQ(
      select_ptx(container({entry(kPtxKind, 90, plain("90")), entry(kPtxKind, 75, plain("75"))}),
                 20),
      "75");
}

TEST(FatBinary, MachineCodeWithoutPtxIsAnErrorThatNamesTheRemedy) {
  const std::string message =
      message_of([&] { select_ptx(container({entry(kElfKind, 75, plain("machine code"))}), 75); });
  EXPECT_NE(message.find("no PTX"), std::string::npos) << message;
}

TEST(FatBinary, EveryTruncationIsAnError) {
  for (const Bytes& whole : {container({entry(kPtxKind, 75, plain(kText))}),
                             container({entry(kPtxKind, 75, zstd(kText), 0x8000, kText.size())})}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THROW(select_ptx(std::span(whole).first(length), 75), UserError) << length;
    }
  }
}

TEST(FatBinary, CorruptCompressedDataIsAnError) {
  Bytes broken = zstd(kText);
  broken[broken.size() / 2] ^= 0xff;
  broken[0] ^= 0xff;
  EXPECT_THROW(select_ptx(container({entry(kPtxKind, 75, broken, 0x8000, kText.size())}), 75),
               UserError);
  EXPECT_THROW(
      select_ptx(container({entry(kPtxKind, 75, lz4(kText), 0x2000, kText.size() + 1)}), 75),
      UserError);
  EXPECT_THROW(
      select_ptx(container({entry(kPtxKind, 75, zstd(kText), 0x8000, std::uint64_t{1} << 60)}), 75),
      UserError);
}

TEST(FatBinary, AWrapperMayPointToText) {
  EXPECT_EQ(wrapper_texts({kWrapperMagic, 1, kText.c_str(), nullptr}, 75),
            std::vector<std::string>{kText});
}

TEST(FatBinary, ASeparatelyCompiledProgramListsItsContainers) {
  const Bytes first = container({entry(kPtxKind, 75, plain("first"))}),
              second = container({entry(kPtxKind, 75, plain("second"))});
  const void* list[] = {first.data(), second.data(), nullptr};
  EXPECT_EQ(wrapper_texts({kWrapperMagic, 2, nullptr, list}, 75),
            (std::vector<std::string>{"first", "second"}));
}

// nvcc links machine code only: the wrapper's own container has no PTX.
TEST(FatBinary, ASeparatelyCompiledProgramHasPtxWhenEachOfItsFilesHas) {
  const Bytes linked = container({entry(kElfKind, 90, plain("machine code"))}),
              file = container({entry(kPtxKind, 75, plain("file"))});
  const void *whole[] = {file.data(), file.data(), nullptr},
             *part[] = {file.data(), linked.data(), nullptr};
  EXPECT_TRUE(has_ptx({kWrapperMagic, 2, linked.data(), whole}));
  EXPECT_FALSE(has_ptx({kWrapperMagic, 2, linked.data(), part}));
  EXPECT_FALSE(has_ptx({kWrapperMagic, 1, linked.data(), nullptr}));
}

TEST(FatBinary, AnUnknownWrapperIsAnError) {
  EXPECT_THROW(wrapper_texts({0x12345678, 1, kText.c_str(), nullptr}, 75), UserError);
}

// What ptx_texts_of() finds in a file with these bytes, or its message without the name.
std::string texts_in(const Bytes& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("file");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  std::string all;
  try {
    for (const PtxText& text : ptx_texts_of(path)) all += text.text + "|";
  } catch (const UserError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
    return std::string(error.what()).substr(path.size());
  }
  return all;
}

TEST(Files, GiveTheTextsOfCompressedEntries) {
  Bytes file(40);
  for (const Bytes& one :
       {entry(kPtxKind, 75, zstd(kText), 0x8000, kText.size()),
        entry(kPtxKind, 75, lz4(kText), 0x2000, kText.size()), entry(kPtxKind, 75, plain(kText))}) {
    const Bytes whole = container({one});
    file.insert(file.end(), whole.begin(), whole.end());
  }
  EXPECT_EQ(texts_in(file), kText + "|" + kText + "|" + kText + "|");
}

// 60 bytes that claim to be 200 MiB, and a container in a container, which is data.
TEST(Files, DoNotUnpackBombs) {
  const Bytes bomb = zstd(std::string(std::size_t{200} << 20, ' '));
  EXPECT_NE(texts_in(container({entry(kPtxKind, 75, bomb, 0x8000, std::size_t{200} << 20)}))
                .find(": the program's fat binary is corrupt: an entry claims 209715200 bytes"),
            std::string::npos);
  const Bytes inner = container({entry(kPtxKind, 75, plain(kText))});
  EXPECT_EQ(texts_in(container({entry(kElfKind, 75, inner), entry(kPtxKind, 75, plain(kText))})),
            kText + "|");
}

}  // namespace
}  // namespace heddle::cuda
