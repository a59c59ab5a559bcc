#include "cuda/fatbin/cubins.h"

#include <fstream>

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "cuda/fatbin/fat_binary.h"
#include "tests/sass/cubin_text.h"

namespace heddle::cuda {
namespace {

using sass::number;

constexpr std::uint64_t kPlain = 0, kLz4Flag = 0x2000, kZstdFlag = 0x8000;

std::string packed(const std::string& cubin, std::uint64_t flags) {
  if (flags == kPlain) return cubin;
  std::string out(ZSTD_compressBound(cubin.size()) + 64, '\0');
  const std::size_t size =
      flags == kZstdFlag ? ZSTD_compress(out.data(), out.size(), cubin.data(), cubin.size(), 1)
                         : static_cast<std::size_t>(LZ4_compress_default(
                               cubin.data(), out.data(), static_cast<int>(cubin.size()),
                               static_cast<int>(out.size())));
  out.resize(size);
  return out;
}

// An entry of kind 2: a cubin.
std::string entry_of(const std::string& cubin, std::uint64_t flags) {
  std::string payload = packed(cubin, flags);
  const auto used = static_cast<std::uint32_t>(payload.size());
  payload.resize((payload.size() + 7) / 8 * 8);
  std::string header = number(std::uint16_t{2}) + number(std::uint16_t{0}) +
                       number(std::uint32_t{64}) + number(std::uint64_t{payload.size()}) +
                       number(flags == kPlain ? 0U : used);
  header.resize(28, '\0');
  header += number(std::uint32_t{80});
  header.resize(40, '\0');
  header += number(flags);
  header.resize(56, '\0');
  return header + number(std::uint64_t{cubin.size()}) + payload;
}

std::string container_of(const std::string& body) {
  return number(kContainerMagic) + number(std::uint16_t{1}) + number(std::uint16_t{16}) +
         number(std::uint64_t{body.size()}) + body;
}

std::vector<CubinImage> cubins_in(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("file");
  std::ofstream(path, std::ios::binary) << content;
  return cubins_of(path);
}

TEST(CubinsOfAFile, ArePlainOrCompressed) {
  const std::string cubin = sass::small_cubin();
  const auto found =
      cubins_in("before" + container_of(entry_of(cubin, kPlain) + entry_of(cubin, kLz4Flag) +
                                        entry_of(cubin, kZstdFlag)));
  ASSERT_EQ(found.size(), 3U);
  for (const CubinImage& image : found)
    EXPECT_EQ(image.content.substr(0, cubin.size()), cubin) << image.name;
  EXPECT_TRUE(found[2].name.ends_with("file#3"));
}

TEST(CubinsOfAFile, MayBeTheFileItself) {
  const auto found = cubins_in(sass::small_cubin());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].name.ends_with("file"));
}

TEST(CubinsOfAFile, AreRefusedWhenOneIsDamaged) {
  const std::string cubin = sass::small_cubin();
  for (const std::uint64_t flags : {kLz4Flag, kZstdFlag}) {
    std::string damaged = entry_of(cubin, flags);
    for (std::size_t at = 64; at < 72; ++at) damaged[at] = '\x7f';
    EXPECT_THROW(cubins_in(container_of(entry_of(cubin, kPlain) + damaged)), UserError) << flags;
  }
}

TEST(CubinsOfAFile, AreRefusedWhenThereAreNone) {
  EXPECT_THROW(cubins_in("nothing"), UserError);
  EXPECT_THROW(cubins_of("/nowhere"), UserError);
}

}  // namespace
}  // namespace heddle::cuda
