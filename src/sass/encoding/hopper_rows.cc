// What only sm_90 has.
// Sources: cicuvc nvidia-sass-document notes/sm90; asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> hopper_rows() {
  static constexpr Row rows[] = {
      {"CGAERRBAR", "5ab", "", "", "sm>=90"},
  };
  return rows;
}

}  // namespace heddle::sass
