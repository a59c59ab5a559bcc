#include "sass/register_ranges.h"

#include <gtest/gtest.h>

#include <vector>

#include "sass/decode.h"
#include "sass/encoding/form.h"

namespace heddle::sass {
namespace {

// First registers and counts of all operands, in their order.
using Ranges = std::vector<std::pair<int, int>>;

Ranges ranges_of(std::uint64_t high, std::uint64_t low, int architecture) {
  const auto i = std::get<Instruction>(decode({low, high}, architecture, 0));
  Ranges all;
  for (std::size_t k = 0; k < i.form->operands.size(); ++k)
    for (const RegisterRange& range : register_ranges(i, k))
      all.emplace_back(range.first, range.count);
  return all;
}

TEST(RegisterRanges, ALoadHasItsDataItsAddressAndItsDescriptor) {
  // LDG.E.128 R4, [R2.64]
  EXPECT_EQ(ranges_of(0x001ea2000c1e1d00, 0x0000000402047981, 80),
            (Ranges{{4, 4}, {2, 2}, {4, 2}}));
}

TEST(RegisterRanges, ASurfaceHasACoordinateForEachAxisAndTheLayer) {
  // SULD.D.BA.2D_ARRAY.STRONG.SM.IGN R12, [R16], UR4, 0x0
  EXPECT_EQ(ranges_of(0x000f6200081ea900, 0x80000400100c7f99, 90),
            (Ranges{{12, 1}, {16, 3}, {4, 1}}));
}

TEST(RegisterRanges, ABulkCopyHasABarrierAndCoordinatesBehindItsPlaceInSharedMemory) {
  // UTMALDG.3D [UR8], [UR4], desc[UR6]
  EXPECT_EQ(ranges_of(0x0001d80008011000, 0x00000608040075b4, 90),
            (Ranges{{8, 5}, {4, 2}, {6, 2}}));
  // UBLKCP.G.S [UR8], [UR4], UR5, desc[UR6]
  EXPECT_EQ(ranges_of(0x0003e20008001405, 0x00000608040073ba, 90),
            (Ranges{{8, 2}, {4, 1}, {5, 1}, {6, 2}}));
}

}  // namespace
}  // namespace heddle::sass
