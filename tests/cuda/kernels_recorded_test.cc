// What damaged descriptions of kernels and their data mean stays what it is.
#include <gtest/gtest.h>

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/fnv.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "cuda/kernels/buffer_data.h"
#include "cuda/kernels/description.h"
#include "tests/damaged_text.h"
#include "tests/recorded.h"

namespace heddle::cuda {
namespace {

std::string text_of(const Dim3& d) { return fmt::format("{},{},{}", d.x, d.y, d.z); }
std::string text_of(const Content& c) {
  return fmt::format("{} {} {} {} {} {}", static_cast<int>(c.kind), c.file, c.data_offset,
                     static_cast<double>(c.first), static_cast<double>(c.second), c.seed);
}
std::string text_of(const KernelDescription& d) {
  std::string text;
  for (const KernelModule& m : d.modules) text += m.path + (m.triton ? " of Triton\n" : "\n");
  for (const KernelBuffer& b : d.buffers) {
    text += fmt::format("{} {} {} {} ", b.name, static_cast<int>(b.type), b.shape.text(), b.save) +
            text_of(b.content);
    if (b.expected)
      text +=
          fmt::format(" {} {} ", b.expected->rtol, b.expected->atol) + text_of(b.expected->content);
    if (b.content.kind != Content::Kind::file && b.bytes() < 1 << 16)
      text += fmt::format(" {:016x}", fnv64(make_content(b.content, b.type, b.shape)));
    text += "\n";
  }
  for (const KernelLaunch& l : d.launches) {
    text +=
        fmt::format("{} {} {} {} {} {} {}:", l.module, l.kernel, text_of(l.grid), text_of(l.block),
                    l.shared_bytes, l.cooperative, l.cluster ? text_of(*l.cluster) : "");
    for (const KernelArgument& a : l.arguments)
      text +=
          fmt::format(" {}+{} {}", a.buffer ? static_cast<int>(*a.buffer) : -1, a.offset, a.value);
    text += "\n";
  }
  return text + fmt::format("{}", d.files);
}

template <class Read>
std::string or_refusal(const std::string& path, Read read) {
  try {
    return without(read(), path);
  } catch (const UserError& refusal) {
    return without(refusal.what(), path);
  }
}

class KernelsRecorded : public testing::Test {
 protected:
  KernelsRecorded() {
    for (const auto& entry : std::filesystem::directory_iterator(kCorpus))
      std::filesystem::copy(entry.path(), folder / entry.path().filename());
  }
  void check(const std::string& name, const Fnv64& hash) {
    check_recorded_text("cuda/recorded_kernels.txt", name, fmt::format("{:016x}", hash.value()));
  }

  static constexpr const char* kCorpus = HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/kernels";
  const TemporaryFolder own;
  const std::filesystem::path folder = own.path();
};

TEST_F(KernelsRecorded, DescriptionsThatAreDamaged) {
  const std::string path = (folder / "damaged.toml").string();
  for (const char* name : {"arguments.toml", "saxpy.toml"}) {
    std::map<std::size_t, Fnv64> lines;
    for_each_damage(
        read_file((folder / name).string()), [&](std::size_t line, const std::string& damaged) {
          write_file_atomically(path, damaged);
          lines[line].add(
              without(or_refusal(path, [&] { return text_of(read_kernel_description(path)); }),
                      folder.string()));
        });
    for (const auto& [line, hash] : lines) check(fmt::format("{}, line {:02}", name, line), hash);
  }
}

TEST_F(KernelsRecorded, NumpyFilesAndTritonsJsonThatAreDamaged) {
  const std::string path = (folder / "damaged.npy").string();
  for (const char* name : {"columns.npy", "rows.npy"}) {
    const std::string bytes = read_file((folder / name).string());
    Fnv64 hash;
    for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 128); ++at)
      for (const char change : {1, 0x10}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        write_file_atomically(path, damaged);
        hash.add(or_refusal(path, [&] {
          const NpyHeader header = read_npy_header(path);
          return fmt::format("{} {} {} {:016x}", static_cast<int>(header.type), header.shape.text(),
                             header.data_offset, fnv64(read_npy_data(path, header)));
        }));
      }
    check(name, hash);
  }
  Fnv64 hash;
  for_each_damage(read_file((folder / "scaled_sum.json").string()),
                  [&](std::size_t /*line*/, const std::string& damaged) {
                    hash.add(or_refusal(path, [&] {
                      const TritonKernel k = parse_triton_json(damaged, path);
                      std::string text =
                          fmt::format("{} {} {} {} {} {}", k.name, k.threads, k.shared_bytes,
                                      k.cooperative, k.global_scratch, k.profile_scratch);
                      for (const auto& type : k.signature)
                        text += fmt::format(" {}", type ? static_cast<int>(*type) : -1);
                      return text;
                    }));
                  });
  check("scaled_sum.json", hash);
}

}  // namespace
}  // namespace heddle::cuda
