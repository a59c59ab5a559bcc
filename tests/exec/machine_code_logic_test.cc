#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

__extension__ using S128 = __int128;
using sass::Int32;

constexpr MachineHandler kLogic = logic_handler;

U64 table_of(int table, U64 a, U64 b, U64 c) {
  U64 result = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const U64 index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= static_cast<U64>(table >> index & 1) << bit;
  }
  return result;
}
TEST(MachineLogic, Lop3LooksUpEveryTable) {
  for (int table = 0; table < 256; ++table) {
    MachineCode code = MachineCode("LOP3.LUT", 0x212).immediate(3, table);
    const auto expected = [table](LaneValues& l) {
      l.out = table_of(table, l.in[0], l.in[1], l.in[2]);
      l.out_predicate[0] = l.out != 0 || l.in_predicate[0];
    };
    check_lanes(kLogic, code, expected);
    code.predicate(true, 0).index = sass::kTruePredicate;
    check_lanes(kLogic, code, expected);
  }
  check_lanes(kLogic, MachineCode("LOP3.LUT", 0x212).immediate(3, 0x80).flag("PAND"),
              [](LaneValues& l) {
                l.out = l.in[0] & l.in[1] & l.in[2];
                l.out_predicate[0] = l.out != 0 && l.in_predicate[0];
              });
  check_lanes(kLogic, MachineCode("ULOP3.LUT", 0x1292).immediate(3, 0x3c), [](LaneValues& l) {
    l.out = l.in[0] ^ l.in[1];
    l.out_predicate[0] = l.out != 0 || l.in_predicate[0];
  });
}

TEST(MachineLogic, ShfShiftsAPairAndClampsOrWraps) {
  using sass::ShiftType;
  for (int n = 0; n < 32; ++n) {
    const bool right = n & 1, high = n & 2, wrap = n & 4;
    const auto type = static_cast<ShiftType>(n >> 3);
    const bool is_signed = type == ShiftType::S64 || type == ShiftType::S32;
    const U64 width = type == ShiftType::S64 || type == ShiftType::U64 ? 64 : 32;
    MachineCode code("SHF", 0x219);
    code.set(static_cast<sass::Direction>(right)).set(type);
    if (high) code.flag("HI");
    if (wrap) code.flag("W");
    check_lanes(kLogic, code, [=](LaneValues& l) {
      const U64 by = wrap ? l.in[1] % width : std::min(l.in[1], width);
      const U64 pair = l.in[2] << 32 | l.in[0];
      const S128 value = is_signed ? S128{static_cast<std::int64_t>(pair)}
                                   : static_cast<S128>(static_cast<unsigned __int128>(pair));
      const U64 result = static_cast<U64>(
          right ? value >> by : static_cast<S128>(static_cast<unsigned __int128>(value) << by));
      l.out = high ? result >> 32 : word(result);
    });
  }
}

TEST(MachineLogic, PrmtSelectsBytes) {
  const auto select = [](U64 a, U64 c, U64 selectors) {
    U64 result = 0;
    for (int n = 0; n < 4; ++n) {
      const U64 s = selectors >> (4 * n) & 0xf;
      U64 byte = (c << 32 | a) >> (8 * (s & 7)) & 0xff;
      if (s & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * n);
    }
    return result;
  };
  check_lanes(kLogic, MachineCode("PRMT", 0x216),
              [&](LaneValues& l) { l.out = select(l.in[0], l.in[2], l.in[1]); });
  for (const int selectors : {0x3210, 0x7654, 0x0123, 0x9180, 0xfedc, 0x4444, 0x5410})
    check_lanes(kLogic, MachineCode("PRMT", 0x816).immediate(1, selectors), [&](LaneValues& l) {
      l.out = select(l.in[0], l.in[2], static_cast<U64>(selectors));
    });
  check_lanes(kLogic, MachineCode("PRMT", 0x816).set(sass::Permute::F4E).immediate(1, 1),
              [&](LaneValues& l) { l.out = select(l.in[0], l.in[2], 0x4321); });
}

TEST(MachineLogic, SgxtExtendsAndBmskMakesMasks) {
  for (const bool wrap : {false, true}) {
    for (const bool is_signed : {false, true}) {
      MachineCode code = MachineCode("SGXT", 0x21a).set(static_cast<Int32>(is_signed));
      if (wrap) code.flag("W");
      check_lanes(kLogic, code, [=](LaneValues& l) {
        const U64 n = std::min<U64>(wrap ? l.in[1] % 32 : l.in[1], 32);
        l.out = l.in[0] & ((U64{1} << n) - 1);
        if (is_signed && n > 0 && l.in[0] >> (n - 1) & 1) l.out |= word(~U64{0} << n);
      });
    }
    MachineCode code = MachineCode("BMSK", 0x21b);
    if (wrap) code.flag("W");
    check_lanes(kLogic, code, [=](LaneValues& l) {
      const U64 first = std::min<U64>(wrap ? l.in[0] % 32 : l.in[0], 32),
                count = std::min<U64>(wrap ? l.in[1] % 32 : l.in[1], 32);
      l.out = word(((U64{1} << count) - 1) << first);
    });
  }
}

TEST(MachineLogic, CountsAndFindsBits) {
  for (const bool inverted : {false, true}) {
    MachineCode ones("POPC", 0x309);
    ones.source(0).inverted = inverted;
    check_lanes(kLogic, ones, [inverted](LaneValues& l) {
      l.out = 0;
      for (int bit = 0; bit < 32; ++bit) l.out += (l.in[0] >> bit & 1) != U64{inverted};
    });
    for (const bool is_signed : {false, true})
      for (const bool shift : {false, true}) {
        MachineCode code = MachineCode("FLO", 0x300).set(static_cast<Int32>(is_signed));
        code.predicate(true, 0).index = sass::kTruePredicate;
        code.source(0).inverted = inverted;
        if (shift) code.flag("SH");
        check_lanes(kLogic, code, [=](LaneValues& l) {
          const U64 x = inverted ? word(~l.in[0]) : l.in[0];
          const U64 sign = is_signed ? x >> 31 : 0;
          int at = 31;
          while (at >= 0 && (x >> at & 1) == sign) --at;
          l.out = word(static_cast<U64>(at < 0 ? -1 : shift ? 31 - at : at));
        });
      }
  }
  check_lanes(kLogic, MachineCode("BREV", 0x301), [](LaneValues& l) {
    l.out = 0;
    for (int bit = 0; bit < 32; ++bit) l.out |= (l.in[0] >> bit & 1) << (31 - bit);
  });
  DecodedInstruction r;
  EXPECT_EQ(kLogic(MachineCode("FLO", 0x300).instruction, r), nullptr);
}

}  // namespace
}  // namespace heddle::exec::machine_test
