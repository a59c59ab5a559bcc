// Integer arithmetic, comparison, logic and shifts.
// Sources: fields of sm_75 redplait/denvdis data12/sm75_1.txt; what sm_80 to sm_90 add or change
// was asked of nvdisasm 11.8, one field at a time; VIADD, VIADDMNMX and VIMNMX: cicuvc
// nvidia-sass-document notes/sm90.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> integer_rows() {
  static constexpr Row rows[] = {
      {"IADD3", "210 810 a10 1c10", "", "Rd, Pu?, Pv?, -Ra, -B, -C", "74=0 90:87=f 80:77=f"},
      {"IADD3.X", "210 810 a10 1c10", "", "Rd, Pu?, Pv?, ~Ra, ~B, ~C, !Pp, !Pq", "74=1"},
      // An IMAD that only moves, adds or shifts has a name of its own.
      {"IMAD.MOV", "224 424 624 824 a24", ".Int32@73", "Rd, Ra, B, -C",
       "74=0 90:87=f 83:81=7 31:24=ff"},
      {"IMAD.MOV", "224", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 39:32=ff"},
      {"IMAD.MOV", "424 624", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 71:64=ff"},
      {"IMAD.MOV", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 63:32=1 71:64=ff"},
      {"IMAD.MOV", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 63:32=0"},
      {"IMAD.IADD", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 63:32=1"},
      {"IMAD", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 63:32=10000"},
      {"IMAD", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 63:32=80000000"},
      {"IMAD.SHL", "824", ".Int32@73", "Rd, Ra, B, -C", "74=0 90:87=f 83:81=7 71:64=ff pow2@63:32"},
      {"IMAD", "224 424 624 824 a24 1c24 1e24", ".Int32@73", "Rd, Ra, B, -C",
       "74=0 90:87=f 83:81=7"},
      {"IMAD", "224 424 624 824 a24 1c24 1e24", ".Int32@73 .X@74", "Rd, Ra, B, ~C, !Pp",
       "74=1 83:81=7"},
      {"IMAD.WIDE", "225 625 825 a25 1c25 1e25", ".Int32@73", "Rd*2, Pu?, Ra, B, -C*2",
       "74=0 90:87=f"},
      {"IMAD.WIDE", "225 625 825 a25 1c25 1e25", ".Int32@73 .X@74", "Rd*2, Pu?, Ra, B, ~C*2, !Pp",
       "74=1"},
      {"IMAD.HI", "227 627 827 a27 1c27 1e27", ".Int32@73", "Rd, Pu?, Ra, B, -C*2", "74=0 90:87=f"},
      {"IMAD.HI", "227 627 827 a27 1c27 1e27", ".Int32@73 .X@74", "Rd, Pu?, Ra, B, ~C*2, !Pp",
       "74=1"},
      {"LEA", "211 811 a11 1c11", "", "Rd, Pu?, -Ra, -Sb:u32, u@79:75",
       "80=0 74:73=0 71:64=ff 90:87=f"},
      {"LEA.X", "211 811 a11 1c11", "", "Rd, Pu?, ~Ra, ~Sb:u32, u@79:75, !Pp",
       "80=0 74:73=2 71:64=ff"},
      {"LEA.HI", "211 811 a11 1c11", "", "Rd, Pu?, -Ra, -Sb:u32, Rc, u@79:75",
       "80=1 74:73=0 90:87=f"},
      {"LEA.HI.X", "211 811 a11 1c11", "", "Rd, Pu?, ~Ra, ~Sb:u32, Rc, u@79:75, !Pp",
       "80=1 74:73=2"},
      {"LEA.HI", "411", "", "Rd, Pu?, -Ra, R@71:64/-/-/123, Sc:u32, u@79:75",
       "80=1 74:73=0 90:87=f"},
      {"LEA.HI.X", "411", "", "Rd, Pu?, ~Ra, R@71:64/-/-/123, Sc:u32, u@79:75, !Pp",
       "80=1 74:73=2"},
      {"LEA.HI.SX32", "211 811 a11 1c11", "", "Rd, Pu?, -Ra, -Sb:u32, u@79:75",
       "80=1 74:73=1 71:64=ff 90:87=f"},
      {"LEA.HI.X.SX32", "211 811 a11 1c11", "", "Rd, Pu?, ~Ra, ~Sb:u32, u@79:75, !Pp",
       "80=1 74:73=3 71:64=ff"},
      {"ISETP", "20c 80c a0c 1c0c", ".Compare@78:76 .Int32@73 .Combine@75:74",
       "Pu, Pv, Ra, Sb, !Pp", "72=0 71:68=7"},
      {"ISETP", "20c 80c a0c 1c0c", ".Compare@78:76 .Int32@73 .Combine@75:74 .EX@72",
       "Pu, Pv, Ra, Sb, !Pp, !Pr?", "72=1 sm<80"},
      {"ISETP", "20c 80c a0c 1c0c", ".Compare@78:76 .Int32@73 .Combine@75:74 .EX@72",
       "Pu, Pv, Ra, Sb, !Pp, !Pr", "72=1 sm>=80"},
      {"IMNMX", "217 817 a17 1c17", ".Int32@73", "Rd, Ra, Sb, !Pp", "sm<90"},
      {"VIADD", "236 836 a36 1c36", ".Packed@73", "Rd, Ra, -Sb", "sm>=90"},
      {"VIADDMNMX", "246 446 646 846 a46 1c46 1e46", ".Int32@72 .RELU@76", "Rd, Ra, -B, C, !Pp",
       "73=0 sm>=90"},
      {"VIMNMX", "248 848 a48 1c48", ".Int32@72 .RELU@76", "Rd, Ra, Sb, !Pp",
       "73=0 86:81=3f sm>=90"},
      {"VIMNMX", "248 848 a48 1c48", ".HalfInts@72 .RELU@76", "Rd, Ra, Sb, !Pp",
       "73=1 86:81=3f sm>=90"},
      // What ptxas 13 makes of two minima or two maxima.
      {"VIMNMX3", "20f 80f 1c0f", ".Int32@72", "Rd, Ra, B, C, !Pp", "sm>=90"},
      {"IABS", "213 813 a13 1c13", "", "Rd, Sb"},
      {"LOP3.LUT", "212 812 a12 1c12", ".PAND@80", "Pu?, Rd, Ra, B:u32, C:u32, u@79:72, !Pp"},
      {"PLOP3.LUT", "81c", "", "Pu, Pv, !Pp, !Pq, !Pr, u@76:72+66:64, u@23:16", "67=0"},
      {"PLOP3.LUT", "81c", "", "Pu, Pv, !Pp, !Pq, !UPr, u@76:72+66:64, u@23:16", "67=1"},
      {"PLOP3.LUT", "21f", "",
       "Pu, Pv, Ra.SIGN@9, R@39:32/-/-/123.SIGN@9, R@71:64/-/-/124.SIGN@9, u@79:72, u@23:16"},
      {"SHF", "219 419 619 819 a19 1c19 1e19", ".Direction@76 .W@75 .ShiftType@74:73 .HI@80",
       "Rd, Ra, B:u32, C:u32"},
      {"BMSK", "21b 81b a1b 1c1b", ".W@75", "Rd, Ra, Sb:u32"},
      {"SGXT", "21a 81a a1a 1c1a", ".W@75 .Int32@73", "Rd, Ra, Sb:u32"},
      {"PRMT", "216 416 616 816 a16 1c16 1e16", ".Permute@74:72", "Rd, Ra, B:u32, C:u32"},
      {"POPC", "309 909 b09 1d09", "", "Rd, ~Sb:u32", "noreuse"},
      {"FLO", "300 900 b00 1d00", ".Int32@73 .SH@74", "Rd, Pu?, ~Sb:u32", "noreuse"},
      {"BREV", "301 901 b01 1d01", "", "Rd, Sb:u32", "noreuse"},
      {"IDP.4A", "226 a26 1c26", ".Byte8@73 .Byte8@74", "Rd, Ra, B, -C", "77:76=0"},
      {"IDP.2A.LO", "226 a26 1c26", ".Half16@73 .Byte8@74", "Rd, Ra, B, -C", "77:76=1"},
      {"IDP.2A.HI", "226 a26 1c26", ".Half16@73 .Byte8@74", "Rd, Ra, B, -C", "77:76=3"},
      {"VABSDIFF", "214 414 614 814 a14 1c14 1e14", ".Int32@73", "Rd, Pu?, Ra, B:u32, C:u32"},
  };
  return rows;
}

}  // namespace heddle::sass
