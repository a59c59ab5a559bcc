// Textures.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> texture_rows() {
  static constexpr Row rows[] = {
      // A load of texels: the second result, the result, coordinates, the texture, its shape and
      // the
      // mask of the components.
      {"TLD", "b66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61", "75:72=f"},
      {"TLD", "b66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61, u@75:72"},
      {"TLD", "1f66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61", "75:72=f sm>=90"},
      {"TLD", "1f66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61, u@75:72", "sm>=90"},
  };
  return rows;
}

}  // namespace heddle::sass
