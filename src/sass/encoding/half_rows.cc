// Pairs of half precision.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> half_rows() {
  static constexpr Row rows[] = {
      {"HFMA2", "231", ".Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|Rb|.HalfPair@61:60, -|R@71:64/84/83/124|.HalfPair@82:81",
       "85=0"},
      {"HFMA2", "231", ".BF16_V2@85 .Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|Rb|.HalfPair@61:60, -|R@71:64/84/83/124|.HalfPair@82:81",
       "85=1 sm>=80"},
      {"HFMA2", "831", ".Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, Sb:h2, -|R@71:64/84/83/124|.HalfPair@82:81", "85=0"},
      {"HFMA2", "831", ".BF16_V2@85 .Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, Sb:b2, -|R@71:64/84/83/124|.HalfPair@82:81", "85=1 sm>=80"},
      {"HFMA2", "431", ".Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|R@71:64/84/83/123|.HalfPair@82:81, Sc:h2", "85=0"},
      {"HFMA2", "431", ".BF16_V2@85 .Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|R@71:64/84/83/123|.HalfPair@82:81, Sc:b2", "85=1 sm>=80"},
      // The form that ptxas moves constants with.
      {"HFMA2.MMA", "435", ".Denormals@80+76", "Rd, -Ra, -R@71:64/84, Sc:h2", "sm>=80"},
      {"HFMA2.MMA", "235", ".Denormals@80+76", "Rd, -Ra, -Rb, -R@71:64/84/-/124", "sm>=80"},
      {"HFMA2.MMA", "835", ".Denormals@80+76", "Rd, -Ra, Sb:h2, -R@71:64/84/-/124", "sm>=80"},
      {"HADD2", "230", ".HalfResult@78 .FTZ@80 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|Sc|.HalfPair@61:60"},
      {"HADD2", "430", ".FTZ@80 .SAT@77", "Rd, -|Ra|.HalfPair@75:74, Sc:h2"},
      {"HMUL2", "232", ".Denormals@80+76 .SAT@77",
       "Rd, -|Ra|.HalfPair@75:74, -|Sb|.HalfPair@61:60"},
      {"HMUL2", "832", ".Denormals@80+76 .SAT@77", "Rd, -|Ra|.HalfPair@75:74, Sb:h2"},
      {"HSETP2", "234", ".FloatCompare@79:76 .H_AND@71 .FTZ@80 .Combine@70:69",
       "Pu, Pv, -|Ra|.HalfPair@75:74, -|Sc|.HalfPair@61:60, !Pp"},
      {"HSETP2", "434", ".FloatCompare@79:76 .H_AND@71 .FTZ@80 .Combine@70:69",
       "Pu, Pv, -|Ra|.HalfPair@75:74, Sc:h2, !Pp"},
  };
  return rows;
}

}  // namespace heddle::sass
