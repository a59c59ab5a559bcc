// Products of a warpgroup (wgmma): of halves and tf32 (H), 8-bit integers (I), bits (B) and 8-bit
// floats (Q), with A in shared memory or in registers; .SP: with a sparse A. `gsb0` ends a group.
// Sources: cicuvc nvidia-sass-document notes/sm90; asked of nvdisasm 11.8, which does not know
// QGMMA: its fields are those that ptxas 13.0 writes.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> warpgroup_rows() {
  static constexpr Row rows[] = {
      {"HGMMA", "19f0", ".HalfGroupShape@58:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, gdesc [UR@29:24].negA@72.negB@63.tnspA@61.tnspB@62, R@71:64, !UP@~89:87/90?, 'gsb0'",
       "86:84=0 sm>=90"},
      {"HGMMA", "19f0", ".HalfGroupShape@58:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, gdesc [UR@29:24].negA@72.negB@63.tnspA@61.tnspB@62, R@71:64, !UP@~89:87/90?",
       "86:84=7 sm>=90"},
      {"HGMMA.SP", "19f0", ".SparseHalfGroupShape@59+57:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, gdesc [UR@29:24].negA@72.negB@63.tnspA@61.tnspB@62, R@71:64, !UP@~89:87/90?, R@47:40, "
       "u@49:48, 'gsb0'",
       "86:84=0 73=1 sm>=90"},
      {"HGMMA.SP", "19f0", ".SparseHalfGroupShape@59+57:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, gdesc [UR@29:24].negA@72.negB@63.tnspA@61.tnspB@62, R@71:64, !UP@~89:87/90?, R@47:40, "
       "u@49:48",
       "86:84=7 73=1 sm>=90"},
      {"HGMMA", "1df0", ".HalfGroupShape@58:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, -R@31:24/72, gdesc [UR@37:32].negB@63.tnspB@62, R@71:64, !UP@~89:87/90?, 'gsb0'",
       "86:84=0 sm>=90"},
      {"HGMMA", "1df0", ".HalfGroupShape@58:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, -R@31:24/72, gdesc [UR@37:32].negB@63.tnspB@62, R@71:64, !UP@~89:87/90?",
       "86:84=7 sm>=90"},
      {"HGMMA.SP", "1df0", ".SparseHalfGroupShape@59+57:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, -R@31:24/72, gdesc [UR@37:32].negB@63.tnspB@62, R@71:64, !UP@~89:87/90?, R@47:40, "
       "u@49:48, 'gsb0'",
       "86:84=0 73=1 sm>=90"},
      {"HGMMA.SP", "1df0", ".SparseHalfGroupShape@59+57:53 .HalfAccumulator@75 .GroupSource@77:76",
       "Rd, -R@31:24/72, gdesc [UR@37:32].negB@63.tnspB@62, R@71:64, !UP@~89:87/90?, R@47:40, "
       "u@49:48",
       "86:84=7 73=1 sm>=90"},
      {"IGMMA", "19f1", ".IntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?, 'gsb0'", "86:84=0 sm>=90"},
      {"IGMMA", "19f1", ".IntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?", "86:84=7 sm>=90"},
      {"IGMMA.SP", "19f1", ".SparseIntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?, R@47:40, u@49:48?, 'gsb0'",
       "86:84=0 73=1 sm>=90"},
      {"IGMMA.SP", "19f1", ".SparseIntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?, R@47:40, u@49:48?", "86:84=7 73=1 sm>=90"},
      {"IGMMA", "1df1", ".IntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?, 'gsb0'", "86:84=0 sm>=90"},
      {"IGMMA", "1df1", ".IntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?", "86:84=7 sm>=90"},
      {"IGMMA.SP", "1df1", ".SparseIntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?, R@47:40, u@49:48?, 'gsb0'",
       "86:84=0 73=1 sm>=90"},
      {"IGMMA.SP", "1df1", ".SparseIntGroupShape@58:53 .Byte8@76 .Byte8@82 .SAT@75",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?, R@47:40, u@49:48?",
       "86:84=7 73=1 sm>=90"},
      {"BGMMA", "19f2", ".BitGroupShape@57:53 .BitOp@78 .POPC@80",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?, 'gsb0'", "86:84=0 78=1 80=1 sm>=90"},
      {"BGMMA", "19f2", ".BitGroupShape@57:53 .BitOp@78 .POPC@80",
       "Rd, gdesc[UR@29:24], R@71:64, !UP@~89:87/90?", "86:84=7 78=1 80=1 sm>=90"},
      {"BGMMA", "1df2", ".BitGroupShape@57:53 .BitOp@78 .POPC@80",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?, 'gsb0'", "86:84=0 78=1 80=1 sm>=90"},
      {"BGMMA", "1df2", ".BitGroupShape@57:53 .BitOp@78 .POPC@80",
       "Rd, R@31:24, gdesc[UR@37:32], R@71:64, !UP@~89:87/90?", "86:84=7 78=1 80=1 sm>=90"},
      {"QGMMA", "19f3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, gdesc[UR@29:24].negA@72.negB@63, R@71:64, !UP@~89:87/90?, 'gsb0'",
       "86:84=0 58=0 sm>=90"},
      {"QGMMA", "19f3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, gdesc[UR@29:24].negA@72.negB@63, R@71:64, !UP@~89:87/90?", "86:84=7 58=0 sm>=90"},
      {"QGMMA.SP", "19f3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, gdesc[UR@29:24].negA@72.negB@63, R@71:64, !UP@~89:87/90?, R@47:40, u@49:48, 'gsb0'",
       "86:84=0 73=1 58=1 sm>=90"},
      {"QGMMA.SP", "19f3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, gdesc[UR@29:24].negA@72.negB@63, R@71:64, !UP@~89:87/90?, R@47:40, u@49:48",
       "86:84=7 73=1 58=1 sm>=90"},
      {"QGMMA", "1df3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, -R@31:24/72, gdesc[UR@37:32].negB@63, R@71:64, !UP@~89:87/90?, 'gsb0'",
       "86:84=0 58=0 sm>=90"},
      {"QGMMA", "1df3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, -R@31:24/72, gdesc[UR@37:32].negB@63, R@71:64, !UP@~89:87/90?", "86:84=7 58=0 sm>=90"},
      {"QGMMA.SP", "1df3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, -R@31:24/72, gdesc[UR@37:32].negB@63, R@71:64, !UP@~89:87/90?, R@47:40, u@49:48, "
       "'gsb0'",
       "86:84=0 73=1 58=1 sm>=90"},
      {"QGMMA.SP", "1df3",
       ".EighthGroupShape@58:53 .HalfAccumulator@75 .EighthFloat@76 .EighthFloat@77",
       "Rd, -R@31:24/72, gdesc[UR@37:32].negB@63, R@71:64, !UP@~89:87/90?, R@47:40, u@49:48",
       "86:84=7 73=1 58=1 sm>=90"},
  };
  return rows;
}

}  // namespace heddle::sass
