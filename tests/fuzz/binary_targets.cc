// Fuzz targets of readers of executables and fat binaries.
#include <sys/stat.h>

#include <cstring>

#include <lz4.h>
#include <zstd.h>

#include "cuda/fatbin/cubins.h"
#include "cuda/fatbin/fat_binary.h"
#include "cuda/fatbin/ptx_texts.h"
#include "lab/program.h"
#include "lab/ptx_survey.h"
#include "report/machine_code.h"
#include "tests/fuzz/target.h"
#include "tests/ptx/fuzz_texts.h"
#include "tests/sass/cubin_text.h"

namespace heddle::fuzz {
namespace {

enum class Packing { none, lz4, zstd };

template <class Number>
void put(std::string& bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string packed(const std::string& text, Packing packing) {
  if (packing == Packing::none) return text;
  std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
  const std::size_t size = packing == Packing::zstd
                               ? ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1)
                               : static_cast<std::size_t>(LZ4_compress_default(
                                     text.data(), out.data(), static_cast<int>(text.size()),
                                     static_cast<int>(out.size())));
  out.resize(size);
  return out;
}

// An entry of a container, as src/cuda/fatbin/fat_binary.cc describes it.
std::string entry(const std::string& text, Packing packing, std::uint32_t architecture,
                  std::uint16_t kind = 1) {
  std::string payload = packed(text, packing);
  const std::size_t used = payload.size();
  payload.resize((used + 7) / 8 * 8);
  std::string header(64, '\0');
  put(header, 0, kind);
  put(header, 4, static_cast<std::uint32_t>(header.size()));
  put(header, 8, std::uint64_t{payload.size()});
  put(header, 16, static_cast<std::uint32_t>(packing == Packing::none ? 0 : used));
  put(header, 28, architecture);
  put(header, 40,
      std::uint64_t{packing == Packing::lz4    ? 0x2000U
                    : packing == Packing::zstd ? 0x8000U
                                               : 0U});
  put(header, 56, std::uint64_t{packing == Packing::none ? 0 : text.size()});
  return header + payload;
}

std::string container(const std::vector<std::string>& entries) {
  std::string body;
  for (const std::string& one : entries) body += one;
  std::string header(16, '\0');
  put(header, 0, cuda::kContainerMagic);
  put(header, 4, std::uint16_t{1});
  put(header, 6, static_cast<std::uint16_t>(header.size()));
  put(header, 8, std::uint64_t{body.size()});
  return header + body;
}

std::vector<std::string> containers() {
  const std::string small = ptx::program("vecadd"), large = ptx::program("sgemm");
  const std::string all =
      container({entry(small, Packing::none, 52), entry(large, Packing::lz4, 75),
                 entry(large, Packing::zstd, 90)});
  return {container({entry(small, Packing::none, 75)}), container({entry(small, Packing::lz4, 75)}),
          container({entry(small, Packing::zstd, 75)}), all,
          std::string(40, '\0') + all + std::string(24, '\0') + container({}) + small + '\0'};
}

class FatBinaries final : public PlainTarget {
 public:
  FatBinaries() : PlainTarget(containers()) {}
  std::string name() const override { return "fat_binaries"; }
  std::string meaning() const override { return "fat binaries with PTX of several kinds"; }
  std::string damaged(Random& random) const override {
    std::string bytes = random.of(all());
    // Headers more often than texts.
    if (random.one_in(2)) {
      const std::uint64_t number = odd_number(random);
      const std::size_t at = random.below(std::min<std::size_t>(bytes.size() - 8, 160));
      std::memcpy(bytes.data() + at, &number, std::size_t{1} << random.below(4));
    }
    for (std::size_t n = random.below(4); n > 0; --n) damage_bytes(bytes, random);
    return bytes;
  }
  void read(const std::string& path) const override {
    for (const cuda::PtxText& text : cuda::ptx_texts_of(path))
      lab::survey_ptx(text.name, text.text);
  }
};

// A cubin, and the same in a container.
// An ELF file with at most `most` odd numbers in its header or elsewhere.
std::string damaged_elf(std::string bytes, std::size_t most, Random& random) {
  for (std::size_t n = random.below(most) + 1; n-- > 0;) {
    const std::uint64_t number = odd_number(random);
    const std::size_t at = random.below(bytes.size() - 8);
    std::memcpy(bytes.data() + (random.one_in(3) ? at % 64 : at), &number,
                std::size_t{1} << random.below(4));
  }
  if (random.one_in(8)) damage_bytes(bytes, random);
  return bytes;
}

class Cubins final : public PlainTarget {
 public:
  Cubins()
      : PlainTarget(
            {sass::small_cubin(), container({entry(sass::small_cubin(), Packing::zstd, 80, 2),
                                             entry(sass::small_cubin(), Packing::none, 80, 2)})}) {}
  std::string name() const override { return "cubins"; }
  std::string meaning() const override { return "cubins, alone and in fat binaries, listed"; }
  std::string damaged(Random& random) const override {
    return damaged_elf(random.of(all()), 4, random);
  }
  void read(const std::string& path) const override {
    std::vector<report::MachineCode> files;
    for (const cuda::CubinImage& image : cuda::cubins_of(path))
      files.push_back({image.name, image.read()});
    report::machine_code_text(files, "");
    report::machine_code_json(files, "");
  }
};

class Programs final : public PlainTarget {
 public:
  // A small library of the system: every reader of ELF files reads its tables.
  Programs() : PlainTarget({}) { add("/lib/x86_64-linux-gnu/libdl.so.2"); }
  std::string name() const override { return "programs"; }
  std::string meaning() const override { return "executables, whose tables are read, not run"; }
  std::string damaged(Random& random) const override {
    return damaged_elf(random.of(all()), 6, random);
  }
  void read(const std::string& path) const override {
    ::chmod(path.c_str(), 0700);
    // It uses no CUDA, which is a refusal.
    if (lab::read_elf(path).valid) return;
    lab::inspect_program(path);
  }
};

}  // namespace

std::unique_ptr<Target> fat_binaries() { return std::make_unique<FatBinaries>(); }
std::unique_ptr<Target> cubins() { return std::make_unique<Cubins>(); }
std::unique_ptr<Target> programs() { return std::make_unique<Programs>(); }

}  // namespace heddle::fuzz
