// Textures and surfaces. The image is named in a constant bank, by a handle in a uniform register,
// or, with .B, in a register.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> texture_rows() {
  static constexpr Row rows[] = {
      // The second result, the result, coordinates, what else is given, the image, its shape and
      // the
      // mask of the components.
      {"TEX", "b60",
       ".SCR@60 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61", "75:72=f 59=0"},
      {"TEX", "b60",
       ".SCR@60 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61, u@75:72", "59=0"},
      {"TEX", "1f60",
       ".SCR@60 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61", "75:72=f 59=0"},
      {"TEX", "1f60",
       ".SCR@60 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61, u@75:72", "59=0"},
      {"TEX", "361",
       ".SCR@60 .B@59 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, shape@63:61", "75:72=f 59=1"},
      {"TEX", "361",
       ".SCR@60 .B@59 .Texel@80:79 .TextureLevel@89:87 .AOFFI@76 .DC@78 .Evict@86:84 .NDV@77 "
       ".NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, shape@63:61, u@75:72", "59=1"},
      {"TLD", "b66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, flat@63:61", "75:72=f 59=0"},
      {"TLD", "b66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, flat@63:61, u@75:72", "59=0"},
      {"TLD", "1f66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, flat@63:61", "75:72=f 59=0"},
      {"TLD", "1f66",
       ".SCR@60 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, flat@63:61, u@75:72", "59=0"},
      {"TLD", "367",
       ".SCR@60 .B@59 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, flat@63:61", "75:72=f 59=1"},
      {"TLD", "367",
       ".SCR@60 .B@59 .Texel@80:79 .Level@89:87 .AOFFI@76 .Evict@86:84 .MS@78 .CL@77 .NODEP@90 "
       ".Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, flat@63:61, u@75:72", "59=1"},
      {"TLD4", "b63",
       ".SCR@60 .TextureChannel@88:87 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61", "75:72=f 61=1 59=0"},
      {"TLD4", "b63",
       ".SCR@60 .TextureChannel@88:87 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, u@58:54, u@53:40, shape@63:61, u@75:72", "61=1 59=0"},
      {"TLD4", "1f63",
       ".SCR@60 .TextureChannel@88:87 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61", "75:72=f 61=1 59=0"},
      {"TLD4", "1f63",
       ".SCR@60 .TextureChannel@88:87 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32?, UR@45:40, u@53:46, shape@63:61, u@75:72",
       "61=1 59=0"},
      {"TLD4", "364",
       ".SCR@60 .TextureChannel@88:87 .B@59 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, shape@63:61", "75:72=f 59=1 61=1"},
      {"TLD4", "364",
       ".SCR@60 .TextureChannel@88:87 .B@59 .Texel@80:79 .TextureOffset@77:76 .DC@78 "
       ".Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, shape@63:61, u@75:72", "59=1 61=1"},
      {"TXD", "b6c", ".Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, u@58:54, u@53:40, flat@63:61", "75:72=f 62=0 59=0"},
      {"TXD", "b6c", ".Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, u@58:54, u@53:40, flat@63:61, u@75:72", "62=0 59=0"},
      {"TXD", "1f6c", ".Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, UR@45:40, u@53:46, flat@63:61", "75:72=f 62=0 59=0"},
      {"TXD", "1f6c", ".Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, UR@45:40, u@53:46, flat@63:61, u@75:72", "62=0 59=0"},
      {"TXD", "36d", ".B@59 .Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, flat@63:61", "75:72=f 59=1 62=0"},
      {"TXD", "36d", ".B@59 .Texel@80:79 .LC@87 .AOFFI@76 .Evict@86:84 .NODEP@90 .Batch@124:122",
       "Pu?, =R@71:64, Rd, R@31:24, R@39:32, flat@63:61, u@75:72", "59=1 62=0"},
      {"TXQ", "b6f", ".NODEP@90 .Batch@124:122",
       "=R@71:64, Rd, R@31:24, 'TEX_HEADER_DIMENSION', u@58:54, u@53:40, u@75:72", "63:62=0 59=0"},
      {"TXQ", "1f6f", ".NODEP@90 .Batch@124:122",
       "=R@71:64, Rd, R@31:24, 'TEX_HEADER_DIMENSION', UR@45:40, u@53:46, u@75:72", "63:62=0 59=0"},
      {"TXQ", "370", ".B@59 .NODEP@90 .Batch@124:122",
       "=R@71:64, Rd, R@31:24, 'TEX_HEADER_DIMENSION', u@75:72", "63:62=0 59=1"},
      {"SULD.D", "b99",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], u@58:54, u@53:40", "sm<80"},
      {"SULD.D", "1f99",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], UR@45:40, u@53:46", "sm<80"},
      {"SULD.D", "99a",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], R@71:64", "sm<80"},
      {"SULD.D", "b99",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .LoadOrder@80:77 "
       ".SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], u@58:54, u@53:40", "sm>=80"},
      {"SULD.D", "1f99",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .LoadOrder@80:77 "
       ".SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], UR@45:40, u@53:46", "sm>=80"},
      {"SULD.D", "99a",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .LoadOrder@80:77 "
       ".SurfaceOutside@60:59",
       "Pu?, Rd, [R@31:24], R@71:64", "sm>=80"},
      {"SUST.D", "b9d",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm<80"},
      {"SUST.D", "1f9d",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm<80"},
      {"SUST.D", "99e",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm<80"},
      {"SUST.D", "b9d",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreOrder@80:77 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm>=80"},
      {"SUST.D", "1f9d",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreOrder@80:77 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm>=80"},
      {"SUST.D", "99e",
       ".BA@72 .SurfaceShape@63:61 .Evict@86:84 .Width@75:73 .StoreOrder@80:77 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm>=80"},
      {"SUST.P", "b9b",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76 "
       ".SurfaceChannels@75:72 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm<80"},
      {"SUST.P", "1f9b",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76 "
       ".SurfaceChannels@75:72 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm<80"},
      {"SUST.P", "99c",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76 "
       ".SurfaceChannels@75:72 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm<80"},
      {"SUST.P", "b9b",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreOrder@80:77 .SurfaceChannels@75:72 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm>=80"},
      {"SUST.P", "1f9b",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreOrder@80:77 .SurfaceChannels@75:72 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm>=80"},
      {"SUST.P", "99c",
       ".SurfaceShape@63:61 .Evict@86:84 .StoreOrder@80:77 .SurfaceChannels@75:72 "
       ".SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm>=80"},
      {"SURED.D", "59f",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".AtomicSemantics@80:79 .Scope@78:77 .PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm<80"},
      {"SURED.D", "1f9f",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".AtomicSemantics@80:79 .Scope@78:77 .PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm<80"},
      {"SURED.D", "3a0",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".AtomicSemantics@80:79 .Scope@78:77 .PRIVATE@76 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm<80"},
      {"SURED.D", "59f",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".StoreOrder@80:77 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, u@58:54, u@53:40", "sm>=80"},
      {"SURED.D", "1f9f",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".StoreOrder@80:77 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, UR@45:40, u@53:46", "sm>=80"},
      {"SURED.D", "3a0",
       ".BA@72 .SurfaceShape@63:61 .Reduction@89:87 .Evict@86:84 .SurfaceType@75:73 "
       ".StoreOrder@80:77 .SurfaceOutside@60:59",
       "[R@31:24], R@39:32, R@71:64", "sm>=80"},
  };
  return rows;
}

}  // namespace heddle::sass
