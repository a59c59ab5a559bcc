// Single and double precision.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> float_rows() {
  static constexpr Row rows[] = {
      {"FADD", "221 421 621 1e21", ".FTZ@80 .Rounding@79:78 .SAT@77", "Rd, -|Ra|, -|Sc|:f32"},
      // The terms of the four lanes of a quad: PP both, ZP the second. These two masks are those of
      // gradients.
      {"FSWZADD", "822", ".NDV@77", "Rd, Ra, R@71:64, 'ZPPPZPPP'", "39:32=cc"},
      {"FSWZADD", "822", ".NDV@77", "Rd, Ra, R@71:64, 'ZPZPPPPP'", "39:32=f0"},
      {"FMUL", "220 820 a20 1c20", ".Denormals@80+76 .Scale@86:84 .Rounding@79:78 .SAT@77",
       "Rd, -|Ra|, -|Sb|:f32"},
      {"FFMA", "223 423 623 823 a23 1c23 1e23", ".Denormals@80+76 .Rounding@79:78 .SAT@77",
       "Rd, -|Ra|, -|B|:f32, -|C|:f32"},
      {"FSEL", "208 808 a08 1c08", ".FTZ@80", "Rd, -|Ra|, -|Sb|:f32, !Pp"},
      {"FMNMX", "209 809 a09 1c09", ".FTZ@80", "Rd, -|Ra|, -|Sb|:f32, !Pp", "sm<80"},
      {"FMNMX", "209 809 a09 1c09", ".FTZ@80 .NAN@81", "Rd, -|Ra|, -|Sb|:f32, !Pp", "sm>=80 sm<86"},
      {"FMNMX", "209 809 a09 1c09", ".FTZ@80 .NAN@81 .XORSIGN@82", "Rd, -|Ra|, -|Sb|:f32, !Pp",
       "sm>=86"},
      {"FSETP", "20b 80b a0b 1c0b", ".FloatCompare@79:76 .FTZ@80 .Combine@75:74",
       "Pu, Pv, -|Ra|, -|Sb|:f32, !Pp"},
      {"FSET.BF", "20a 80a a0a 1c0a", ".FloatCompare@79:76 .FTZ@80 .Combine@75:74",
       "Rd, -|Ra|, -|Sb|:f32, !Pp"},
      {"MUFU", "908", ".Function@77:74", "Rd, Sb:f64", "77:75=3 noreuse"},
      {"MUFU", "308 908 b08 1d08", ".Function@77:74", "Rd, -|Sb|:f32", "noreuse"},
      // Of one half.
      {"MUFU", "308", ".Function@77:74 .F16@73", "Rd, -|Sb|.Half@60", "77:74=2 73=1 sm<90 noreuse"},
      {"MUFU", "308", ".Function@77:74 .F16@73", "Rd, -|Sb|.Half@60", "77:74=9 73=1 sm<90 noreuse"},
      {"MUFU", "308", ".Function@77:74 .F16@72", "Rd, -|Sb|.Half@60",
       "77:74=2 72=1 sm>=90 noreuse"},
      {"MUFU", "308", ".Function@77:74 .F16@72", "Rd, -|Sb|.Half@60",
       "77:74=9 72=1 sm>=90 noreuse"},
      {"MUFU", "308", ".Function@77:74 .BF16@73", "Rd, -|Sb|.Half@60",
       "77:74=2 73=1 sm>=90 noreuse"},
      {"MUFU", "308", ".Function@77:74 .BF16@73", "Rd, -|Sb|.Half@60",
       "77:74=9 73=1 sm>=90 noreuse"},
      {"FCHK", "302 902 b02 1d02", "", "Pu, -|Ra|, -|Sb|:f32", "noreuse"},
      {"DADD", "229 429 629 1e29", ".Rounding@79:78", "Rd*2, -|Ra|*2, -|C|:f64*2"},
      {"DMUL", "228 828 a28 1c28", ".Rounding@79:78", "Rd*2, -|Ra|*2, -|Sb|:f64*2"},
      {"DFMA", "22b 42b 62b 82b a2b 1c2b 1e2b", ".Rounding@79:78",
       "Rd*2, -|Ra|*2, -|B|:f64*2, -|C|:f64*2"},
      {"DSETP", "22a 42a 62a 1e2a", ".DoubleCompare@79:76 .Combine@75:74",
       "Pu, Pv, -|Ra|*2, -|Sc|:f64*2, !Pp"},
  };
  return rows;
}

}  // namespace heddle::sass
