#include "tests/conformance/images.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>

namespace heddle::conformance {
namespace {

void expand_choices(const std::string& text, std::vector<std::string>& out) {
  const std::size_t first = text.find('{'), last = text.find('}', first);
  if (first == std::string::npos) return out.push_back(text);
  std::istringstream list(text.substr(first + 1, last - first - 1));
  for (std::string choice; std::getline(list, choice, ',');)
    expand_choices(text.substr(0, first) + choice + text.substr(last + 1), out);
}

ImageCase image_case(const std::string& line, const std::string& place) {
  const std::size_t colon = line.find(" : ");
  std::istringstream words(line.substr(0, colon));
  ImageCase c;
  std::string format, levels, filter, coordinates, read;
  words >> c.geometry >> format >> levels >> filter >> c.address >> coordinates >> read;
  if (colon == std::string::npos || read.empty())
    throw std::runtime_error(place + ": a case is seven words, ':' and an instruction");
  c.kind = format.substr(0, 1);
  c.bits = static_cast<unsigned>(std::stoul(format.substr(1, format.find('x') - 1)));
  c.channels = static_cast<unsigned>(std::stoul(format.substr(format.find('x') + 1)));
  c.levels = static_cast<unsigned>(std::stoul(levels));
  c.blends = levels.ends_with("blend");
  c.linear = filter == "linear";
  c.normalized = coordinates == "normalized";
  c.fraction = read == "fraction";
  c.instruction = line.substr(colon + 3);
  c.place = place;
  return c;
}

void put(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// The coordinates from `first` on, after the layer, in braces.
std::string vector_text(const ImageCase& c, unsigned first, unsigned axes, bool layer) {
  std::vector<std::string> parts;
  if (layer && c.layered()) parts.push_back("%w3");
  for (unsigned a = 0; a < axes; ++a) parts.push_back("%w" + std::to_string(first + a));
  if (parts.size() == 3) parts.push_back(parts.back());  // padding
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "{" : ", ") + part;
  return text + "}";
}

std::uint32_t bits_of(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

// First combinations of borders, then random positions in and around the image.
float coordinate(const ImageCase& c, unsigned axis, std::size_t thread, unsigned size,
                 std::mt19937& random) {
  const float n = static_cast<float>(size), one = c.normalized ? 1.0f : n,
              texel = c.normalized ? 1.0f / n : 1.0f;
  const float infinity = std::numeric_limits<float>::infinity();
  const float edges[] = {0,
                         -0.0f,
                         texel / 2,
                         one,
                         one - texel / 2,
                         -texel / 2,
                         one + texel / 2,
                         texel,
                         -one,
                         2 * one,
                         1e30f,
                         -1e30f,
                         infinity,
                         -infinity,
                         std::numeric_limits<float>::quiet_NaN(),
                         1e-40f,
                         one / 2,
                         3 * one + texel / 4,
                         -2.5f * one,
                         16777216.0f};
  const std::size_t count = std::size(edges);
  if (thread < 100) return edges[(axis == 0 ? thread : thread / 5 + axis * thread) % count];
  const float anywhere = static_cast<float>(random() % 65536) / 65536.0f;
  return (anywhere * 4 - 1.5f) * one;
}

}  // namespace

const std::vector<std::string>& image_families() {
  static const std::vector<std::string> all = {"textures", "surfaces", "queries"};
  return all;
}

std::vector<ImageCase> read_images(const std::string& folder, const std::string& family) {
  const std::string path = folder + "/" + family + ".txt";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<ImageCase> cases;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> lines;
    expand_choices(line, lines);
    for (const std::string& one : lines)
      cases.push_back(image_case(one, family + ".txt:" + std::to_string(number)));
  }
  return cases;
}

Extent extent_of(const ImageCase& c, unsigned level) {
  const bool power = c.levels > 1;
  Extent e{power ? 8u : 7u, power ? 4u : 5u, power ? 2u : 3u, 1};
  if (c.cube()) e.width = e.height = power ? 8 : 5;
  if (c.dimensions() < 2) e.height = 1;
  if (c.dimensions() < 3) e.depth = 1;
  e.layers = c.cube() ? (c.layered() ? 12 : 6) : c.layered() ? 3 : 1;
  for (unsigned* size : {&e.width, &e.height, &e.depth}) *size = std::max(1u, *size >> level);
  return e;
}

std::vector<std::uint8_t> image_bytes(const ImageCase& c, unsigned level) {
  std::mt19937 random(1 + level);
  std::vector<std::uint8_t> bytes(extent_of(c, level).texels() * c.texel_bytes());
  for (std::size_t at = 0; at < bytes.size(); at += c.bits / 8) {
    std::uint32_t word = random();
    if (c.kind == "f" && c.bits == 32)
      word = bits_of(static_cast<float>(static_cast<int>(word % 4001) - 2000) / 16);
    if (c.kind == "f" && c.bits == 16)
      word = (word & 0x8000) | (0x3000 + word % 0x2400);  // 0.125 to 64
    std::memcpy(&bytes[at], &word, c.bits / 8);
  }
  return bytes;
}

long surface_place(const ImageCase& c, const ImageOperands& o, bool clamps) {
  const Extent e = extent_of(c, 0);
  const long row = c.instruction.find("%b") == std::string::npos
                       ? static_cast<long>(e.width)
                       : static_cast<long>(e.width * c.texel_bytes());
  const auto x = static_cast<std::int32_t>(
      c.instruction.find("%b") == std::string::npos ? o[0] : o[0] * c.texel_bytes());
  const long access =
      c.instruction.find("%b") == std::string::npos ? 1 : static_cast<long>(c.texel_bytes());
  const long places[] = {x, static_cast<std::int32_t>(o[1]), static_cast<std::int32_t>(o[2]),
                         static_cast<std::int32_t>(o[3])};
  const long ends[] = {row - access + 1, e.height, e.depth, e.layers};
  const bool counts[] = {true, c.dimensions() > 1, c.dimensions() > 2, c.layered()};
  long at[4] = {};
  for (int a = 0; a < 4; ++a) {
    if (!counts[a]) continue;
    at[a] = std::min(std::max(places[a], 0l), ends[a] - 1);
    if (at[a] != places[a] && !clamps) return -1;
  }
  return ((at[3] * e.depth + at[2]) * e.height + at[1]) * e.width + at[0] / access;
}

std::vector<ImageOperands> image_operands(const ImageCase& c) {
  std::mt19937 random(5);
  const Extent e = extent_of(c, 0);
  const unsigned sizes[] = {e.width, e.height, e.depth};
  const bool integers = c.is_surface() || c.instruction.find("%n") != std::string::npos;
  std::vector<ImageOperands> all(kImageThreads);
  for (std::size_t t = 0; t < all.size(); ++t) {
    ImageOperands& o = all[t];
    for (unsigned a = 0; a < 3; ++a) {
      if (integers)
        o[a] = static_cast<std::uint32_t>(static_cast<int>(random() % (sizes[a] + 4)) - 2);
      else if (c.cube())
        o[a] = bits_of(static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 1024);
      else
        o[a] = bits_of(coordinate(c, a, t, sizes[a], random));
      o[5 + a] = bits_of(static_cast<float>(random() % 1000) / 4096);
      o[8 + a] = bits_of(static_cast<float>(random() % 1000) / 1024);
    }
    if (integers && t % 61 == 60) o[t % 3] = t % 2 ? 0x7fffffff : 0x80000000;
    const unsigned layers = c.cube() ? e.layers / 6 : e.layers;
    o[3] = c.layered() ? random() % (layers + 2) : 0;
    if (c.layered() && t % 50 == 49) o[3] = 0xffff;
    o[4] = bits_of(static_cast<float>(random() % 1400) / 256 - 1);
    // The value depends only on the position, so the order of the stores does not matter.
    std::mt19937 data(c.begins("sust") ? static_cast<std::uint32_t>(surface_place(c, o, true))
                                       : random());
    for (unsigned w = 12; w < 16; ++w) o[w] = data();
    if (c.begins("sust.p") && c.kind == "f")
      for (unsigned w = 12; w < 16; ++w)
        o[w] = bits_of(static_cast<float>(static_cast<int>(o[w] % 65536) - 32768) / 512);
    if (c.begins("sust.p") && c.kind != "f" && o[12] % 2)
      for (unsigned w = 12; w < 16; ++w)
        o[w] = o[w] % 600 - 300;  // some are in the range of a narrow channel
  }
  return all;
}

std::string image_module(const ImageCase& c) {
  std::string text = c.instruction;
  const unsigned axes = c.cube() ? 3 : c.dimensions();
  put(text, "%G", c.geometry);
  put(text, "%T", c.reads_floats() ? "f32" : c.kind + "32");
  put(text, "%h", "%handle");
  put(text, "%d01", "{%o0, %o1}");
  put(text, "%d0", "%o0");
  put(text, "%d", "{%o0, %o1, %o2, %o3}");
  put(text, "%c", vector_text(c, 0, axes, true));
  put(text, "%n", vector_text(c, 0, axes, true));
  put(text, "%b", vector_text(c, 0, axes, true));
  put(text, "%x", vector_text(c, 0, axes, true));
  put(text, "%l", "%w4");
  put(text, "%g", vector_text(c, 5, axes, false) + ", " + vector_text(c, 8, axes, false));
  std::string offsets;
  for (unsigned a = 0; a < (axes == 3 ? 4 : axes); ++a)
    offsets += (a ? ", " : "{") + std::to_string(kOffsets[a % 3]);
  put(text, "%e", offsets + "}");
  put(text, "%v0", "%w12");
  put(text, "%v", "{%w12, %w13, %w14, %w15}");
  std::ostringstream out;
  out << ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 h, .param "
         ".u64 in, .param .u64 out) {\n"
         "  .reg .b32 %t<4>, %w<16>, %o<4>;\n  .reg .b64 %handle, %x<5>;\n  ld.param.u64 %handle, "
         "[h];\n  ld.param.u64 %x0, [in];\n  ld.param.u64 %x1, [out];\n"
         "  mov.u32 %t0, %tid.x;\n  mul.wide.u32 %x2, %t0, 64;\n  add.u64 %x0, %x0, %x2;\n  "
         "mul.wide.u32 %x3, %t0, 16;\n  add.u64 %x1, %x1, %x3;\n";
  for (int w = 0; w < 16; ++w) out << "  ld.global.u32 %w" << w << ", [%x0+" << 4 * w << "];\n";
  for (int w = 0; w < 4; ++w) out << "  mov.u32 %o" << w << ", 0;\n";
  if (c.is_surface() && c.instruction.find("%b") != std::string::npos)
    out << "  mul.lo.u32 %w0, %w0, " << c.texel_bytes() << ";\n";
  out << "  " << text << "\n";
  for (int w = 0; w < 4; ++w) out << "  st.global.u32 [%x1+" << 4 * w << "], %o" << w << ";\n";
  out << "  ret;\n}\n";
  return out.str();
}

}  // namespace heddle::conformance
