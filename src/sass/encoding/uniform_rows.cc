// The uniform datapath.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> uniform_rows() {
  static constexpr Row rows[] = {
      {"UIADD3", "1290 1890", "", "URd, UPu?, UPv?, -URa, -UB, -UC", "@UP 74=0 90:87=f 80:77=f"},
      {"UIADD3.64", "1297 1897", "", "URd*2, UPu?, UPv?, -URa*2, -UB*2, -UC*2",
       "@UP 74=0 90:87=f 80:77=f sm>=90"},
      {"UIADD3.X", "1290 1890", "", "URd, UPu?, UPv?, ~URa, ~UB, ~UC, !UPp, !UPq", "@UP 74=1"},
      {"UIMAD", "12a4 14a4 18a4", ".Int32@73", "URd, URa, UB, -UC", "@UP 74=0 90:87=f 83:81=7"},
      {"UIMAD", "12a4 14a4 18a4", ".Int32@73 .X@74", "URd, URa, UB, ~UC, !UPp", "@UP 74=1 83:81=7"},
      {"UIMAD.WIDE", "12a5 18a5", ".Int32@73", "URd*2, UPu?, URa, UB, -UC*2", "@UP 74=0 90:87=f"},
      {"UIMAD.WIDE", "12a5 18a5", ".Int32@73 .X@74", "URd*2, UPu?, URa, UB, ~UC*2, !UPp",
       "@UP 74=1"},
      {"ULEA", "1291 1891", "", "URd, UPu?, -URa, -USb:u32, u@79:75",
       "@UP 80=0 74:73=0 90:87=f 71:64=3f"},
      {"ULEA.HI", "1291 1891", "", "URd, UPu?, -URa, -USb:u32, URc, u@79:75",
       "@UP 80=1 74:73=0 90:87=f"},
      {"ULEA.HI.X", "1291 1891", "", "URd, UPu?, ~URa, ~USb:u32, URc, u@79:75, !UPp",
       "@UP 80=1 74:73=2"},
      {"ULEA.HI.SX32", "1291 1891", "", "URd, UPu?, -URa, -USb:u32, u@79:75",
       "@UP 80=1 74:73=1 90:87=f 71:64=3f"},
      {"ULEA.HI.X.SX32", "1291 1891", "", "URd, UPu?, ~URa, ~USb:u32, u@79:75, !UPp",
       "@UP 80=1 74:73=3 71:64=3f"},
      {"UISETP", "128c 188c", ".Compare@78:76 .Int32@73 .Combine@75:74", "UPu, UPv, URa, USb, !UPp",
       "@UP 72=0 71:68=7"},
      {"UISETP", "128c 188c", ".Compare@78:76 .Int32@73 .Combine@75:74 .EX@72",
       "UPu, UPv, URa, USb, !UPp, !UPr", "@UP 72=1"},
      {"ULOP3.LUT", "1292 1892", ".PAND@80", "UPu?, URd, URa, UB:u32, UC:u32, u@79:72, !UPp",
       "@UP"},
      {"UPLOP3.LUT", "89c", "", "UPu, UPv, !UPp, !UPq, !UPr, u@76:72+66:64, u@23:16", "@UP 67=0"},
      {"USHF", "1299 1499 1899", ".Direction@76 .W@75 .ShiftType@74:73 .HI@80",
       "URd, URa, UB:u32, UC:u32", "@UP"},
      {"USEL", "1287 1887", "", "URd, URa, USb:u32, !UPp", "@UP"},
      {"UPRMT", "1296 1896", "", "URd, URa, UB:u32, UC:u32", "@UP"},
      {"USGXT", "129a 189a", ".W@75 .Int32@73", "URd, URa, USb:u32", "@UP"},
      {"UBMSK", "129b 189b", ".W@75", "URd, URa, USb:u32", "@UP"},
      {"UMOV", "1c82 882", "", "URd, USb:u32", "@UP"},
      {"UFLO", "12bd 18bd", ".Int32@73 .SH@74", "URd, UPu?, ~USb:u32", "@UP"},
      {"UPOPC", "12bf 18bf", "", "URd, ~USb:u32", "@UP"},
      {"UBREV", "12be 18be", "", "URd, USb:u32", "@UP"},
      {"ULDC", "ab9", ".ConstantWidth@75:73", "URd, c[s@53:38]", "@UP"},
      {"ULDC", "1abb", ".ConstantWidth@75:73", "URd, c[URa s@53:38]", "@UP"},
      {"S2UR", "9c3", "", "URd, SR@79:72", "@UP"},
      {"R2UR", "3c2", "", "=P@83:81?, URd, Ra", "84=0 noreuse sm<90"},
      {"R2UR", "2ca", "", "=P@83:81?, URd, Ra", "84=0 sm>=90"},
      {"R2UR.OR", "2ca", "", "=P@83:81, URd, Ra", "84=1 sm>=90"},
      {"VOTEU", "886", ".Vote@73:72", "URd?, UPu, !Pp"},
  };
  return rows;
}

}  // namespace heddle::sass
