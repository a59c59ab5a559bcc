// Conversions between formats.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> conversion_rows() {
  static constexpr Row rows[] = {
      {"F2F", "304 904 b04 1d04", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd, -|Sb|:f32", "76:75=1 85:84=2 noreuse"},
      {"F2F", "304 1d04", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd, -|Sb|.Half@60", "76:75=2 85:84=1 noreuse"},
      {"F2F", "310 910 b10 1d10", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd*2, -|Sb|:f32", "76:75=3 85:84=2 noreuse"},
      {"F2F", "310 1d10", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd*2, -|Sb|.Half@60", "76:75=3 85:84=1 noreuse"},
      {"F2F", "310 910 b10 1d10", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd, -|Sb|:f64*2", "76=0 75=1 85:84=3 noreuse"},
      {"F2F", "310 910 b10 1d10", ".FTZ@80 .FloatFormat@76:75 .SourceFormat@85:84 .Rounding@79:78",
       "Rd, -|Sb|:f64*2", "76:75=2 85:84=3 noreuse"},
      {"F2I", "305 905 b05 1d05",
       ".FTZ@80 .SmallInt@76:75+72 .FloatSource@85:84 "
       ".IntRounding@79:78 .NTZ@77",
       "Rd, -|Sb|:f32", "85:84=2 noreuse"},
      {"F2I", "305 1d05",
       ".FTZ@80 .SmallInt@76:75+72 .FloatSource@85:84 "
       ".IntRounding@79:78 .NTZ@77",
       "Rd, -|Sb|.Half@60", "85:84=1 noreuse"},
      {"F2I", "311 911 b11 1d11",
       ".FTZ@80 .IntFormat@76:75+72 .FloatSource@85:84 "
       ".IntRounding@79:78 .NTZ@77",
       "Rd*2, -|Sb|:f32", "76:75=3 85:84=2 noreuse"},
      {"F2I", "311 911 b11 1d11",
       ".FTZ@80 .IntFormat@76:75+72 .FloatSource@85:84 "
       ".IntRounding@79:78 .NTZ@77",
       "Rd, -|Sb|:f64*2", "85:84=3 noreuse"},
      {"I2F", "306 906 b06 1d06", ".SmallFloat@76:75 .IntFormat@85:84+74 .Rounding@79:78", "Rd, Sb",
       "85:84=2 74=1 noreuse"},
      {"I2F", "306 906 b06 1d06", ".SmallFloat@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd, Sb:u32", "85:84=2 74=0 noreuse"},
      {"I2F", "306 1d06", ".SmallFloat@76:75 .IntFormat@85:84+74 .Rounding@79:78", "Rd, Sb.Half@60",
       "85:84=1 noreuse"},
      {"I2F", "306 1d06", ".SmallFloat@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd, Sb.Byte@61:60", "85:84=0 noreuse"},
      {"I2F", "312 912 b12 1d12", ".FloatResult@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd*2, Sb", "76:75=3 85:84=2 74=1 noreuse"},
      {"I2F", "312 912 b12 1d12", ".FloatResult@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd*2, Sb:u32", "76:75=3 85:84=2 74=0 noreuse"},
      {"I2F", "312 b12 1d12", ".FloatResult@76:75 .IntFormat@85:84+74 .Rounding@79:78", "Rd, Sb*2",
       "85:84=3 noreuse"},
      {"I2F", "312 1d12", ".FloatResult@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd*2, Sb.Half@60", "76:75=3 85:84=1 noreuse"},
      {"I2F", "312 1d12", ".FloatResult@76:75 .IntFormat@85:84+74 .Rounding@79:78",
       "Rd*2, Sb.Byte@61:60", "76:75=3 85:84=0 noreuse"},
      {"F2FP", "23e 83e a3e 1c3e", ".SATFINITE@77 .RELU@75 .BF16@76 .PACK_AB@!78", "Rd, Ra, Sb:f32",
       "78=0 71:64=ff sm>=80 sm<89"},
      {"F2FP", "23e 83e a3e 1c3e", ".SATFINITE@77 .RELU@75 .PackFormat@76 .PACK_AB@!78",
       "Rd, Ra, Sb:f32", "78=0 71:64=ff sm>=89"},
      {"FRND", "307 907 b07 1d07", ".FTZ@80 .FloatResult@85:84 .IntRounding@79:78", "Rd, -|Sb|:f32",
       "85:84=2 76:75=2 noreuse"},
      {"FRND", "313 913 b13 1d13", ".FTZ@80 .FloatResult@85:84 .IntRounding@79:78",
       "Rd*2, -|Sb|:f64*2", "85:84=3 76:75=3 noreuse"},
      {"I2FP", "245 a45 1c45", ".FloatFormat@76:75 .IntFormat2@85:84+74 .NearestOrZero@79:78",
       "Rd, Sb", "76:75=2 85:84=2 sm>=86"},
  };
  return rows;
}

}  // namespace heddle::sass
