// Loads and stores. A data register has as many successors as the modifier Width says.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> memory_rows() {
  static constexpr Row rows[] = {
      {"LDG", "381",
       ".E@72 .Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu?, Rd, [Ra s@63:40], !P@~66:64/67?", "sm<80 87=0"},
      {"LDG.E", "1981",
       ".Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu?, Rd, [Ra.64 URb s@63:40], !P@~66:64/67?", "sm<80 87=0 72=1 90=1"},
      {"LDG.E", "1981",
       ".Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu?, Rd, [Ra.U32 URb s@63:40], !P@~66:64/67?", "sm<80 87=0 72=1 90=0"},
      // The descriptor of global memory, which the listing omits.
      {"LDG.E", "1981", ".Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Pu?, Rd, [Ra.64 s@63:40], {UR@37:32}, !P@~66:64/67?", "sm>=80 72=1 90=1 76=1"},
      {"LDG.E", "1981", ".Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Pu?, Rd, desc[URb][Ra.64 s@63:40], !P@~66:64/67?", "101=1 sm>=80 72=1 90=1 76=1"},
      {"LDG.E", "1981", ".Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Pu?, Rd, [Ra.64 URb s@63:40], !P@~66:64/67?", "sm>=80 72=1 90=1 76=0"},
      {"STG", "386",
       ".E@72 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra s@63:40], R@39:32", "sm<80"},
      {"STG.E", "1986", ".Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra.64 URc s@63:40], R@39:32", "sm<80 72=1 90=1"},
      {"STG.E", "1986", ".Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra.U32 URc s@63:40], R@39:32", "sm<80 72=1 90=0"},
      {"STG.E", "1986", ".Evict@86:84 .Width@75:73 .StoreOrder@80:77",
       "[Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=80 72=1 90=1 76=1"},
      {"STG.E", "1986", ".Evict@86:84 .Width@75:73 .StoreOrder@80:77",
       "desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=80 72=1 90=1 76=1"},
      {"STG.E", "1986", ".Evict@86:84 .Width@75:73 .StoreOrder@80:77",
       "[Ra.64 URc s@63:40], R@39:32", "sm>=80 72=1 90=1 76=0"},
      {"LDG", "381", ".E@72 .Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Pu?, Rd, [Ra s@63:40], !P@~66:64/67?", "sm>=80"},
      {"STG", "386", ".E@72 .Evict@86:84 .Width@75:73 .StoreOrder@80:77", "[Ra s@63:40], R@39:32",
       "sm>=80"},
      {"LD.E", "1980", ".Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Rd, [Ra.64 s@63:40], {UR@37:32}, !P@~66:64/67?", "sm>=80 72=1 90=1 76=1"},
      {"LD.E", "1980", ".Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Rd, desc[URb][Ra.64 s@63:40], !P@~66:64/67?", "101=1 sm>=80 72=1 90=1 76=1"},
      {"LD", "980", ".E@72 .Evict@86:84 .Prefetch@69:68 .Width@75:73 .LoadOrder@80:77",
       "Rd, [Ra s@63:32], !P@~66:64/67?", "sm>=80"},
      {"ST.E", "1985", ".Evict@86:84 .Width@75:73 .StoreOrder@80:77",
       "[Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=80 72=1 90=1 76=1"},
      {"ST.E", "1985", ".Evict@86:84 .Width@75:73 .StoreOrder@80:77",
       "desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=80 72=1 90=1 76=1"},
      {"ST", "385", ".E@72 .Evict@86:84 .Width@75:73 .StoreOrder@80:77", "[Ra s@63:32], R@71:64",
       "sm>=80"},
      {"LD.E", "1980",
       ".Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Rd, [Ra.64 URb s@63:40], !P@~66:64/67?", "sm<80 72=1 90=1 87=0"},
      {"LD.E", "1980",
       ".Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Rd, [Ra.U32 URb s@63:40], !P@~66:64/67?", "sm<80 72=1 90=0 87=0"},
      {"ST.E", "1985", ".Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra.64 URc s@63:40], R@39:32", "sm<80 72=1 90=1"},
      {"ST.E", "1985", ".Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra.U32 URc s@63:40], R@39:32", "sm<80 72=1 90=0"},
      {"LD", "980",
       ".E@72 .Evict@86:84 .SmallPrefetch@69:68 .Width@75:73 .LoadSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Rd, [Ra s@63:32], !P@~66:64/67?", "sm<80"},
      {"ST", "385",
       ".E@72 .Evict@86:84 .Width@75:73 .StoreSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "[Ra s@63:32], R@71:64", "sm<80"},
      {"LDGSTS.E", "1fae",
       ".BYPASS@!81 .Evict@86:84 .Prefetch@72:71 .CopyWidth@75:73 .ZFILL@82 .CopyOrder@80:77",
       "[R@23:16 s@63:44], [Ra.64 s@43:32], {UR@69:64}, !Pp?", "70=1 76=1 sm>=80"},
      {"LDGSTS.E", "1fae",
       ".BYPASS@!81 .Evict@86:84 .Prefetch@72:71 .CopyWidth@75:73 .ZFILL@82 .CopyOrder@80:77",
       "[R@23:16 s@63:44], [Ra.64 s@43:32], !Pp?", "70:64=7f 76=0 sm>=80"},
      {"LDGSTS.E", "1fae",
       ".BYPASS@!81 .Evict@86:84 .Prefetch@72:71 .CopyWidth@75:73 .ZFILL@82 .CopyOrder@80:77",
       "[R@23:16 s@63:44], [Ra.64 URc s@43:32], !Pp?", "70=1 76=0 sm>=80"},
      {"LDGSTS.E", "1dae",
       ".BYPASS@!81 .Evict@86:84 .Prefetch@72:71 .CopyWidth@75:73 .ZFILL@82 .CopyOrder@80:77",
       "[R@23:16 URc s@63:44], [Ra.64 s@43:32], !Pp?", "70=1 76=0 sm>=80"},
      {"LDL", "983", ".Evict@86:84 .Width@75:73", "Rd, [Ra s@63:40]"},
      {"LDL", "1983", ".Evict@86:84 .Width@75:73", "Rd, [Ra URb s@63:40]"},
      {"STL", "387", ".Evict@86:84 .Width@75:73", "[Ra s@63:40], R@39:32"},
      {"STL", "1987", ".Evict@86:84 .Width@75:73", "[Ra URc s@63:40], R@39:32"},
      {"LDS", "984", ".U@76 .Width@75:73", "Rd, [Ra.Stride@79:78 s@63:40]", "87=0 sm<80"},
      {"LDS", "1984", ".U@76 .Width@75:73", "Rd, [Ra.Stride@79:78 URb s@63:40]", "87=0 sm<80"},
      {"LDS", "984", ".Width@75:73", "Rd, [Ra.Stride@79:78 s@63:40]", "sm>=80"},
      {"LDS", "1984", ".Width@75:73", "Rd, [Ra.Stride@79:78 URb s@63:40]", "sm>=80"},
      {"STS", "388", ".Width@75:73", "[Ra.Stride@79:78 s@63:40], R@39:32"},
      {"STS", "1988", ".Width@75:73", "[Ra.Stride@79:78 URc s@63:40], R@39:32"},
      {"LDC", "b82", ".ConstantWidth@75:73 .ConstantMode@79:78", "Rd, c[Ra s@53:38]"},
  };
  return rows;
}

}  // namespace heddle::sass
