// Moves between registers, predicates, special registers and lanes.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> move_rows() {
  static constexpr Row rows[] = {
      {"MOV", "202 802 a02 1c02", "", "Rd, Sb:u32", "75:72=f"},
      {"MOV", "202 802 a02 1c02", "", "Rd, Sb:u32, u@75:72"},
      {"SEL", "207 807 a07 1c07", "", "Rd, Ra, Sb:u32, !Pp"},
      {"P2R", "203 803 a03 1c03", ".Byte@77:76", "Rd, 'PR', Ra, Sb", "sm<90"},
      {"P2R", "203 803 a03 1c03", ".Byte@77:76", "Rd, 'PR', Ra, Sb:u32", "sm>=90"},
      {"R2P", "804", "", "'PR', Ra.Byte@77:76", "63:32=ff"},
      {"R2P", "204 804 a04 1c04", "", "'PR', Ra.Byte@77:76, Sb:u32"},
      {"CS2R", "805", ".RegisterWidth@80", "Rd, SR@79:72"},
      {"S2R", "919", "", "Rd, SR@79:72"},
      {"VOTE", "806", ".Vote@73:72", "Rd?, Pu, !Pp"},
      {"SHFL", "389", ".Shuffle@59:58", "Pu, Rd, Ra, R@39:32, R@71:64", "noreuse"},
      {"SHFL", "589", ".Shuffle@59:58", "Pu, Rd, Ra, R@39:32, u@52:40", "noreuse"},
      {"SHFL", "989", ".Shuffle@59:58", "Pu, Rd, Ra, u@57:53, R@71:64", "noreuse"},
      {"SHFL", "f89", ".Shuffle@59:58", "Pu, Rd, Ra, u@57:53, u@52:40", "noreuse"},
      {"MATCH", "3a1", ".Match@79 .MatchWidth@73", "Rd, Ra", "79=1 83:81=7 noreuse"},
      {"MATCH", "3a1", ".Match@79 .MatchWidth@73", "Pu, Rd, Ra", "79=0 noreuse"},
  };
  return rows;
}

}  // namespace heddle::sass
