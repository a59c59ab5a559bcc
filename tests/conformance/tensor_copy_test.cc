// Copies of tensors (cp.async.bulk.tensor) compared with a walk of the box on the host,
// functionally and step by step.
#include <gtest/gtest.h>

#include <cstddef>

#include "exec/state/tensor_map.h"
#include "tests/conformance/kernels.h"
#include "tests/error_message.h"

namespace heddle::conformance {
namespace {

using exec::TensorMap;
using Numbers = std::vector<int>;

constexpr std::uint32_t kOutside = 0;

// Elements of 4 bytes; the innermost dimension first.
struct Box {
  Numbers sizes, box, place, steps = {1, 1, 1, 1, 1};
  std::uint32_t swizzled = 16;
  // im2col: so many pixels of box[0] channels, from `place` on in the bounding box; `offsets` is
  // where the filter is. The corners are relative to the first and to the last pixel.
  std::uint32_t pixels = 0;
  Numbers lower = {0, 0, 0}, upper = {0, 0, 0}, offsets = {0, 0, 0};

  std::size_t rank() const { return sizes.size(); }
  std::uint32_t count(std::size_t d) const {
    return static_cast<std::uint32_t>(d == 0 ? box[0] : (box[d] + steps[d] - 1) / steps[d]);
  }
  std::uint32_t elements() const {
    if (pixels) return pixels * static_cast<std::uint32_t>(box[0]);
    std::uint32_t n = 1;
    for (std::size_t d = 0; d < rank(); ++d) n *= count(d);
    return n;
  }
  std::uint32_t volume() const {
    std::uint32_t n = 1;
    for (const int size : sizes) n *= static_cast<std::uint32_t>(size);
    return n;
  }
  // The coordinates of the n-th pixel without the filter's offsets: all pixels of the bounding
  // boxes of all images in a row, from `place` on.
  Numbers pixel(std::uint32_t n) const {
    std::vector<Numbers> all;
    const std::size_t last = rank() - 1;
    const int images = place[last] + static_cast<int>(pixels);
    const auto end = [&](std::size_t d) { return sizes[d] - 1 + upper[d - 1]; };
    for (int image = place[last]; image < images; ++image)
      for (int z = last > 3 ? lower[2] : 0; z <= (last > 3 ? end(3) : 0);
           z += last > 3 ? steps[3] : 1)
        for (int y = last > 2 ? lower[1] : 0; y <= (last > 2 ? end(2) : 0);
             y += last > 2 ? steps[2] : 1)
          for (int x = lower[0]; x <= end(1); x += steps[1]) {
            Numbers at = {place[0], x};
            if (last > 2) at.push_back(y);
            if (last > 3) at.push_back(z);
            at.push_back(image);
            all.push_back(at);
          }
    return *(std::find(all.begin(), all.end(), place) + n);
  }
  int index_in_columns(std::uint32_t element) const {
    const auto channels = static_cast<std::uint32_t>(box[0]);
    const Numbers at = pixel(element / channels);
    int index = 0, stride = 1;
    for (std::size_t d = 0; d < rank(); ++d) {
      const int offset = d == 0            ? static_cast<int>(element % channels)
                         : d + 1 == rank() ? 0
                                           : offsets[d - 1];
      const int c = at[d] + offset;
      if (c < 0 || c >= sizes[d]) return -1;
      index += c * stride;
      stride *= sizes[d];
    }
    return index;
  }
  // The element's index in the tensor, or -1 outside of it.
  int index(std::uint32_t element) const {
    if (pixels) return index_in_columns(element);
    int index = 0, stride = 1;
    for (std::size_t d = 0; d < rank(); ++d) {
      const int c = place[d] + static_cast<int>(element % count(d)) * (d == 0 ? 1 : steps[d]);
      element /= count(d);
      if (c < 0 || c >= sizes[d]) return -1;
      index += c * stride;
      stride *= sizes[d];
    }
    return index;
  }
  std::uint32_t byte_in_shared(std::uint32_t element) const {
    const std::uint32_t at = element * 4;
    return at ^ (at >> 3 & (swizzled - 16));
  }
  TensorMap map() const {
    TensorMap m;
    m.rank = static_cast<std::uint8_t>(rank());
    m.type = ptx::Type::u32;
    m.swizzled_bytes = static_cast<std::uint8_t>(swizzled);
    std::uint64_t stride = 4;
    for (std::size_t d = 0; d < rank(); ++d) {
      m.last[d] = static_cast<std::uint32_t>(sizes[d] - 1);
      m.box[d] = static_cast<std::uint16_t>(pixels && d > 0 ? 1 : box[d]);
      m.steps[d] = static_cast<std::uint8_t>(steps[d]);
      m.strides[d] = stride;
      stride *= static_cast<std::uint64_t>(sizes[d]);
    }
    m.pixels = static_cast<std::uint16_t>(pixels);
    for (std::size_t d = 0; pixels && d + 2 < rank(); ++d) {
      m.lower[d] = static_cast<std::int16_t>(lower[d]);
      m.upper[d] = static_cast<std::int16_t>(upper[d]);
    }
    return m;
  }
  std::string form(const std::string& from_to) const {
    return "cp.async.bulk.tensor." + std::to_string(rank()) + "d." + from_to;
  }
  std::string list_of_offsets() const {
    std::string text;
    for (std::size_t d = 0; pixels && d + 2 < rank(); ++d)
      text += (d ? ", %h" : ", {%h") + std::to_string(d);
    return text + (pixels ? "}" : "");
  }
  std::string set_offsets() const {
    std::string text;
    for (std::size_t d = 0; pixels && d + 2 < rank(); ++d)
      text += "mov.b16 %h" + std::to_string(d) + ", " + std::to_string(offsets[d]) + ";\n";
    return text;
  }
  std::string coordinates() const {
    std::string text = "{";
    for (const int c : place) text += (text.size() > 1 ? ", " : "") + std::to_string(c);
    return text + "}";
  }
};

// The map, whose address of the tensor the kernel writes, then the tensor.
std::vector<std::uint32_t> input(const TensorMap& map, std::uint32_t volume) {
  std::vector<std::uint32_t> in(TensorMap::kBytes / 4);
  std::memcpy(in.data(), &map, sizeof map);
  for (std::uint32_t i = 0; i < volume; ++i) in.push_back(1000 + i);
  return in;
}
std::string begin(const std::string& tensor) {
  return ".shared .align 1024 .b8 tile[16384]; .shared .align 8 .b64 bar;\n"
         "setp.eq.u32 %p7, %i, 0; mov.u32 %r3, tile; @%p7 mbarrier.init.shared.b64 [bar], 1;\n"
         "add.u64 %rd3, " +
         tensor + "; @%p7 st.global.u64 [%in+" + std::to_string(offsetof(TensorMap, address)) +
         "], %rd3; bar.sync 0;\n";
}

class TensorCopies : public testing::TestWithParam<bool> {
 protected:
  static constexpr std::uint32_t kLanes = 32;
  std::vector<std::uint32_t> run(const std::string& body, std::size_t words, const Box& box) {
    return run_kernel(body, 1, kLanes, words, input(box.map(), box.volume()), GetParam());
  }
  // What is in shared memory after a load of the box.
  std::vector<std::uint32_t> loaded(const Box& box) {
    const std::uint32_t bytes = box.elements() * 4;
    return run(begin("%in, 128") + "@%p7 mbarrier.arrive.expect_tx.shared.b64 _, [bar], " +
                   std::to_string(bytes) + ";\n" + box.set_offsets() + "@%p7 " +
                   box.form(std::string("shared::cluster.global.") +
                            (box.pixels ? "im2col" : "tile") + ".mbarrier::complete_tx::bytes") +
                   " [%r3], [%in, " + box.coordinates() + "], [bar]" + box.list_of_offsets() +
                   ";\nWAIT: mbarrier.try_wait.parity.shared.b64 %p6, [bar], 0; @!%p6 bra "
                   "WAIT;\nmov.u32 %r4, 0; @!%p7 bra END;\nCOPY: add.u32 %r5, %r3, %r4; "
                   "ld.shared.u32 %r6, [%r5]; cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd5, %x; "
                   "st.global.u32 [%rd5], %r6; add.u32 %r4, %r4, 4; setp.lt.u32 %p1, %r4, " +
                   std::to_string(bytes) + "; @%p1 bra COPY;\nEND:",
               box.elements(), box);
  }
  void check_load(const Box& box) {
    SCOPED_TRACE(box.form("") + " " + box.coordinates());
    const auto out = loaded(box);
    for (std::uint32_t i = 0; i < box.elements(); ++i) {
      const int index = box.index(i);
      ASSERT_EQ(out[box.byte_in_shared(i) / 4],
                index < 0 ? kOutside : 1000 + static_cast<std::uint32_t>(index))
          << "element " << i;
    }
  }
  void check_store(const Box& box) {
    SCOPED_TRACE(box.form("") + " " + box.coordinates());
    const std::string fill =
        "mov.u32 %r4, 0;\nFILL: add.u32 %r5, %r3, %r4; add.u32 %r6, %r4, 5; st.shared.u32 [%r5], "
        "%r6; add.u32 %r4, %r4, 4; setp.lt.u32 %p1, %r4, " +
        std::to_string(box.elements() * 4) + "; @%p1 bra FILL;\nfence.proxy.async; bar.sync 0;\n";
    const auto out = run(begin("%rd1, 0") + fill + "@%p7 " +
                             box.form(box.pixels ? "global.shared::cta.im2col_no_offs.bulk_group"
                                                 : "global.shared::cta.bulk_group") +
                             " [%in, " + box.coordinates() +
                             "], [%r3];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                         box.volume(), box);
    std::vector<std::uint32_t> expected(box.volume());
    for (std::uint32_t i = 0; i < box.elements(); ++i)
      if (const int index = box.index(i); index >= 0)
        expected[static_cast<std::size_t>(index)] = box.byte_in_shared(i) + 5;
    EXPECT_EQ(out, expected);
  }
  std::string fault(const Box& box) {
    return message_of<std::exception>([&] { (void)loaded(box); }, "none");
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, TensorCopies, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

TEST_P(TensorCopies, LoadBoxesOfEveryRank) {
  check_load({.sizes = {64}, .box = {32}, .place = {12}});
  check_load({.sizes = {32, 16}, .box = {8, 4}, .place = {16, 5}});
  check_load({.sizes = {16, 6, 4}, .box = {8, 4, 2}, .place = {4, 1, 2}});
  check_load({.sizes = {8, 4, 3, 3}, .box = {4, 2, 2, 2}, .place = {4, 1, 1, 0}});
  check_load({.sizes = {8, 3, 3, 2, 3}, .box = {4, 2, 2, 2, 2}, .place = {0, 1, 0, 0, 1}});
}

TEST_P(TensorCopies, FillWhatIsOutsideOfTheTensorWithZeros) {
  check_load({.sizes = {32, 16}, .box = {8, 4}, .place = {-3, -2}});
  check_load({.sizes = {32, 16}, .box = {8, 4}, .place = {27, 14}});
  check_load({.sizes = {32, 16}, .box = {8, 4}, .place = {40, 3}});
  check_load({.sizes = {12, 5, 2}, .box = {16, 6, 3}, .place = {-1, -1, -1}});
}

TEST_P(TensorCopies, SwizzleTheRows) {
  check_load({.sizes = {64, 40}, .box = {8, 32}, .place = {8, 3}, .swizzled = 32});
  check_load({.sizes = {64, 40}, .box = {16, 32}, .place = {8, 3}, .swizzled = 64});
  check_load({.sizes = {64, 40}, .box = {32, 32}, .place = {8, 3}, .swizzled = 128});
}

TEST_P(TensorCopies, StepOverElements) {
  check_load(
      {.sizes = {16, 16, 9}, .box = {8, 7, 4}, .place = {4, 1, 2}, .steps = {1, 3, 2, 1, 1}});
}

TEST_P(TensorCopies, StoreWhatIsInsideOfTheTensor) {
  check_store({.sizes = {64}, .box = {32}, .place = {12}});
  check_store({.sizes = {32, 16}, .box = {8, 4}, .place = {-3, 14}});
  check_store({.sizes = {64, 40}, .box = {32, 16}, .place = {33, 3}, .swizzled = 128});
  check_store({.sizes = {12, 5, 4}, .box = {8, 2, 3}, .place = {5, -1, 2}});
}

TEST_P(TensorCopies, LoadColumnsOfPixels) {
  // Rows of 9 pixels of 4 channels: a filter of 3 with a border of one pixel.
  check_load({.sizes = {4, 9, 3},
              .box = {4},
              .place = {0, -1, 0},
              .pixels = 20,
              .lower = {-1},
              .upper = {-1},
              .offsets = {2}});
  // 3 x 3 filter on images of 7 x 5: pixels continue in the next row and in the next image.
  for (const int x : {0, 1, 2})
    for (const int y : {0, 2})
      check_load({.sizes = {8, 7, 5, 3},
                  .box = {4},
                  .place = {4, 2, 3, 0},
                  .pixels = 30,
                  .lower = {-1, -1},
                  .upper = {-1, -1},
                  .offsets = {x, y}});
  check_load({.sizes = {4, 5, 4, 3, 2},
              .box = {4},
              .place = {0, 1, 0, 1, 0},
              .pixels = 40,
              .lower = {0, 0, -1},
              .upper = {-1, -2, 0},
              .offsets = {1, 2, 1}});
  // Every second pixel; the images end.
  check_load({.sizes = {32, 8, 6, 2},
              .box = {16},
              .place = {16, 2, 2, 1},
              .steps = {1, 2, 2, 1, 1},
              .swizzled = 64,
              .pixels = 12,
              .lower = {0, 0},
              .upper = {-1, -1},
              .offsets = {1, 0}});
}

TEST_P(TensorCopies, StoreColumnsOfPixels) {
  check_store({.sizes = {8, 7, 5, 3},
               .box = {4},
               .place = {4, 2, 3, 0},
               .pixels = 30,
               .lower = {-1, -1},
               .upper = {-1, -1}});
}

TEST_P(TensorCopies, RefuseAMapOfTheOtherMode) {
  Box columns{.sizes = {8, 7, 3}, .box = {4}, .place = {0, 0, 0}, .pixels = 4};
  const auto run_with = [&](const std::string& form, const std::string& rest) {
    try {
      (void)run(begin("%in, 128") + "mov.b16 %h0, 0;\n@%p7 " + columns.form(form) +
                    " [%r3], [%in, {0, 0, 0}], [bar]" + rest + ";",
                4, columns);
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_NE(run_with("shared::cluster.global.tile.mbarrier::complete_tx::bytes", "")
                .find("a tensor map of im2col in a copy of tiles"),
            std::string::npos);
  columns.pixels = 0, columns.box = {4, 1, 1};
  EXPECT_NE(run_with("shared::cluster.global.im2col.mbarrier::complete_tx::bytes", ", {%h0}")
                .find("a tensor map of tiles in a copy of im2col"),
            std::string::npos);
  columns.pixels = 4;
  EXPECT_NE(run_with("shared::cluster.global.im2col.mbarrier::complete_tx::bytes", ", {%h0, %h0}")
                .find("needs 1 offset"),
            std::string::npos);
}

TEST(TensorMapBytes, AreOnlyThoseThatTheDriverWrites) {
  const TensorMap good = Box{.sizes = {32, 16}, .box = {8, 4}, .place = {0, 0}}.map();
  EXPECT_TRUE(good.is_well_formed());
  const auto refused = [&good](auto change) {
    TensorMap map = good;
    change(map);
    return !map.is_well_formed();
  };
  EXPECT_TRUE(refused([](TensorMap& m) { m.mark = 0; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.rank = 0; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.rank = 6; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.steps[1] = 0; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.box[1] = 257; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.box[0] = 7; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.type = ptx::Type::e4m3; }));
  EXPECT_TRUE(refused([](TensorMap& m) { m.swizzled_bytes = 48; }));
  EXPECT_TRUE(refused([](TensorMap& m) {
    m.rank = 5;
    m.box = {256, 256, 256, 256, 256};
  }));
}

TEST_P(TensorCopies, RefuseOtherMaps) {
  const Box box{.sizes = {32, 16}, .box = {8, 4}, .place = {16, 5}};
  Box narrow = box;
  narrow.swizzled = 128;
  EXPECT_NE(fault(narrow).find("shorter than its swizzle"), std::string::npos);
  EXPECT_THROW((void)run_kernel(
                   begin("%in, 128") + "@%p7 " + box.form("global.shared::cta.bulk_group") +
                       " [%x, {0, 0}], [%r3];",
                   1, kLanes, TensorMap::kBytes / 4, input(box.map(), box.volume()), GetParam()),
               exec::KernelFault)
      << "no tensor map";
}

}  // namespace
}  // namespace heddle::conformance
