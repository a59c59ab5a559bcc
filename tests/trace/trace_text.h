// Traces as Accel-Sim's tracer writes them.
#pragma once

#include <lzma.h>
#include <zstd.h>

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/temporary_folder.h"

namespace heddle::trace {

inline std::string head(int version, const std::string& grid = "(1,1,1)",
                        const std::string& block = "(32,1,1)") {
  return fmt::format(
      "-kernel name = _Z3addPf\n-kernel id = 1\n-grid dim = {}\n-block dim = {}\n-shmem = 512\n"
      "-nregs = 12\n-binary version = 80\n-cuda stream id = 0\n"
      "-shmem base_addr = 0x00007fb139000000\n-local mem base_addr = 0x00007fb137000000\n"
      "-nvbit version = 1.7\n-accelsim tracer version = {}\n{}\n"
      "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] ...\n\n",
      grid, block, version, version >= 5 ? "-enable lineinfo = 0\n" : "");
}

using Lines = std::vector<std::string>;

inline std::string warp(int number, const Lines& lines) {
  std::string text = fmt::format("warp = {}\ninsts = {}\n", number, lines.size());
  for (const std::string& line : lines) text += line + "\n";
  return text + "\n";
}

inline std::string cta(const std::string& place, const std::string& warps) {
  return "#BEGIN_TB\n\nthread block = " + place + "\n\n" + warps + "#END_TB\n\n";
}

// One warp of one CTA. Its last instruction is an EXIT.
inline std::string launch_of(Lines lines, int version = 4) {
  lines.push_back("0ff0 ffffffff 0 EXIT 0 0 ");
  return head(version) + cta("0,0,0", warp(0, lines));
}

inline std::string write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

inline std::string xz(const std::string& text) {
  std::string out(text.size() + 1024, '\0');
  std::size_t used = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &used, out.size());
  out.resize(used);
  return out;
}

// A binary trace of one CTA with one warp, in pieces of two instructions.
inline std::string binary(const std::string& kernel_head, const Lines& lines) {
  std::string file = kernel_head + '\0';
  const auto put = [&](auto value) {
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(std::uint32_t{0});  // no dictionary
  put(std::uint32_t{2});
  const std::uint64_t begin = file.size();
  const auto pieces = static_cast<std::uint32_t>((lines.size() + 1) / 2);
  put(static_cast<std::uint32_t>(lines.size()));
  put(pieces);
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    const std::string text = lines[i] + (i + 1 < lines.size() ? "\n" + lines[i + 1] : "");
    std::string stored(ZSTD_compressBound(text.size()), '\0');
    stored.resize(ZSTD_compress(stored.data(), stored.size(), text.data(), text.size(), 3));
    put(static_cast<std::uint32_t>(stored.size()));
    file += stored;
  }
  const std::uint64_t index = file.size();
  put(std::uint32_t{1});
  for (int i = 0; i < 10; ++i) put(std::uint32_t{0});
  put(std::uint32_t{1});
  put(static_cast<std::uint32_t>(lines.size()));
  put(pieces);
  put(begin);
  for (std::uint32_t i = 0; i < pieces; ++i) put(std::uint32_t{2});
  put(index);
  return file;
}

}  // namespace heddle::trace
