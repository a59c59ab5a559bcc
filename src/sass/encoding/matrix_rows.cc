// Tensor cores, and the loads that feed them.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8, which does
// not know QMMA: its fields are those that ptxas 13.0 writes.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> matrix_rows() {
  static constexpr Row rows[] = {
      {"HMMA.1688", "23c", ".HalfAccumulator@76", "Rd, -R@31:24/72, -R@39:32/63/-/123, R@71:64",
       "78=0 75=0 83:82=0 sm<80"},
      {"HMMA", "23c", ".HalfShape@75 .HalfAccumulator@76",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64", "78=0 83:82=0 sm>=80"},
      {"HMMA", "23c", ".HalfShape@75 .HalfAccumulator@76 .BF16@82",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64", "78=0 83:82=1 sm>=80"},
      {"HMMA", "23c", ".Tf32Shape@75 .HalfAccumulator@76 .TF32@83",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64", "78=0 83:82=2 sm>=80"},
      {"HMMA.1684", "23c", ".HalfAccumulator@76 .TF32@83",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64", "78=1 75=0 83:82=2 sm>=80"},
      {"IMMA.8816", "237", ".MatrixInt@76 .MatrixInt@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "86:85=0 75=0 77=0 79=0 83=0 84=0 sm<80"},
      {"IMMA.8832", "237", ".MatrixInt4@76 .MatrixInt4@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "86:85=1 75=0 77=0 79=0 83=1 84=1 sm<80"},
      {"BMMA.88128", "23d", ".BitOp@78 .POPC@80",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "76:75=0 78=0 80=1 sm<80"},
      {"BMMA", "23d", ".BitShape@76:75 .BitOp@78 .POPC@80",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "80=1 sm>=80 sm<90"},
      {"BMMA", "23d", ".BitShape@76:75 .BitOp@78 .POPC@80",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "78=1 80=1 sm>=90"},
      {"IMMA", "237", ".IntShape@86:85+75 .MatrixInt@76 .MatrixInt@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "77=0 79=0 83=0 84=0 sm>=80"},
      {"IMMA", "237", ".IntShape4@86:85+75 .MatrixInt4@76 .MatrixInt4@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64",
       "77=0 79=0 83=1 84=1 sm>=80 sm<90"},
      // A has two of four elements, which the last register names.
      {"HMMA.SP", "23c", ".SparseShape@78+75 .HalfAccumulator@76",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64, R@47:40/-/-/50, u@49:48",
       "73=1 83:82=0 sm>=80"},
      {"HMMA.SP", "23c", ".SparseShape@78+75 .HalfAccumulator@76 .BF16@82",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64, R@47:40/-/-/50, u@49:48",
       "73=1 83:82=1 sm>=80"},
      {"HMMA.SP", "23c", ".SparseShape@78+75 .HalfAccumulator@76 .TF32@83",
       "Rd, -R@31:24/72/-/122, -R@39:32/63/-/123, R@71:64, R@47:40/-/-/50, u@49:48",
       "73=1 83:82=2 sm>=80"},
      {"IMMA.SP", "237", ".SparseIntShape@86:85+75 .MatrixInt@76 .MatrixInt@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64, R@47:40/-/-/50, "
       "u@49:48",
       "72=1 77=0 79=0 83=0 84=0 sm>=80"},
      {"IMMA.SP", "237", ".SparseIntShape@86:85+75 .MatrixInt4@76 .MatrixInt4@78 .SAT@82",
       "Rd, R@31:24/-/-/122.RowMajor@73, R@39:32/-/-/123.ColumnMajor@74, R@71:64, R@47:40/-/-/50, "
       "u@49:48",
       "72=1 77=0 79=0 83=1 84=1 sm>=80 sm<90"},
      {"QMMA", "27a", ".EighthShape@76:75 .HalfAccumulator@77 .EighthFloat@78 .EighthFloat@79",
       "Rd, R@31:24/-/-/122, R@39:32/-/-/123, R@71:64", "74=1 sm>=89 sm<90"},
      {"QMMA.SP", "27a",
       ".SparseEighthShape@76:75 .HalfAccumulator@77 .EighthFloat@78 .EighthFloat@79",
       "Rd, R@31:24/-/-/122, R@39:32/-/-/123, R@71:64, R@47:40/-/-/50, u@49:48",
       "74=1 80=1 sm>=89 sm<90"},
      {"DMMA.884", "23f", ".Rounding@79:78", "Rd*2, -|Ra|*2, -|Rb|*2, -|R@71:64/75/74|*2",
       "sm>=80 sm<90"},
      {"DMMA", "23f", ".DoubleShape@77:76 .Rounding@79:78",
       "Rd*2, -|Ra|*2, -|Rb|*2, -|R@71:64/75/74|*2", "sm>=90"},
      {"MOVM.16.MT88", "23a", "", "Rd, Ra", "noreuse"},
      {"LDSM.16", "83b", ".MatrixLayout@79:78 .MatrixCount@73:72", "Rd, [Ra s@63:40]", "sm<80"},
      {"LDSM.16", "83b", ".MatrixLayout@79:78 .MatrixCount@73:72", "Rd, [Ra s@63:40]", "sm>=80"},
      {"LDSM.16", "183b", ".MatrixLayout@79:78 .MatrixCount@73:72", "Rd, [Ra URb s@63:40]",
       "sm<80"},
      {"LDSM.16", "183b", ".MatrixLayout@79:78 .MatrixCount@73:72", "Rd, [Ra URb s@63:40]",
       "sm>=80"},
  };
  return rows;
}

}  // namespace heddle::sass
