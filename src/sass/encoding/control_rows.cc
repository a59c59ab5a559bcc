// Branches, calls, convergence, barriers and fences.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> control_rows() {
  static constexpr Row rows[] = {
      {"NOP", "918", "", ""},
      {"BRA", "947", ".Depth@86:85 .BranchMode@33:32", "!Pp?, rel@81:34", "sm<90"},
      {"BRA", "947", ".Depth@86:85 .BranchMode@33:32", "!Pp?, rel@81:34+23:16", "sm>=90"},
      // .U: all lanes go one way; with .ANY where any of them wants to.
      {"BRA", "947", ".Depth@86:85 .BranchMode@33:32 .ANY@84", "!Pp?, rel@81:34+23:16",
       "33:32=1 84=1 sm>=90"},
      {"BRA", "1547", ".Depth@86:85 .BranchMode@33:32 .ANY@84",
       "!Pp?, !UP@26:24/27, rel@81:34+23:16", "33:32=1 sm>=90"},
      {"BRA.DIV", "1947", "", "!Pp?, ~UR@29:24/30, rel@81:34", "33:32=2 sm<90"},
      {"BRA.DIV", "1947", "", "!Pp?, ~UR@29:24/30, rel@81:34+23:16", "33:32=2 sm>=90"},
      {"BRA.CONV", "1947", "", "!Pp?, ~UR@29:24/30, rel@81:34", "33:32=3 sm<90"},
      {"BRA.CONV", "1947", "", "!Pp?, ~UR@29:24/30, rel@81:34+23:16", "33:32=3 sm>=90"},
      {"CALL.REL", "944", ".NOINC@86", "!Pp?, rel@81:34", "sm<90"},
      {"CALL.REL", "944", ".NOINC@86", "!Pp?, rel@81:34+23:16", "sm>=90"},
      // Of functions of the system, with the return address in R20 and R21.
      {"CALL.ABS", "343", ".NOINC@86", "!Pp?, R@31:24*2"},
      {"CALL.ABS", "943", ".NOINC@86", "!Pp?, u4@80:34", "sm<90"},
      {"CALL.ABS", "943", ".NOINC@86", "!Pp?, u4@80:34+23:16", "sm>=90"},
      {"CALL.REL", "344", ".NOINC@86", "!Pp?, R@31:24*2, ^rel@81:34", "sm<90"},
      {"CALL.REL", "344", ".NOINC@86", "!Pp?, R@31:24*2, ^rel@81:34+23:16", "sm>=90"},
      {"LEPC", "34e", "", "Rd*2", "sm<90"},
      {"LEPC", "94e", "", "Rd*2, next@81:24", "sm>=90"},
      {"BPT.TRAP", "95c", "", "u@36:34", "85:84=3"},
      {"RET.REL", "950", ".NODEC@86", "!Pp?, R@31:24*2, ^rel@81:34", "85=0 sm<90"},
      {"RET.REL", "950", ".NODEC@86", "!Pp?, R@31:24*2, ^rel@81:34+23:16", "85=0 sm>=90"},
      {"RET.ABS", "950", ".NODEC@86", "!Pp?, R@31:24*2, ^s4@81:34", "85=1 sm<90"},
      {"RET.ABS", "950", ".NODEC@86", "!Pp?, R@31:24*2, ^s4@81:34+23:16", "85=1 sm>=90"},
      {"BRX", "949", ".Depth@86:85", "!Pp?, R@31:24*2, ^s4@81:34?", "sm<90"},
      {"BRX", "949", ".Depth@86:85", "!Pp?, R@31:24*2, ^s4@81:34+23:16?", "sm>=90"},
      {"EXIT", "94d", ".ExitMode@85:84 .NO_ATEXIT@86", "!Pp?"},
      {"BSSY", "945", "", "!Pp?, Bd, rel@63:34"},
      {"BSYNC", "941", "", "!Pp?, B@19:16"},
      {"BREAK", "942", "", "!Pp?, B@19:16"},
      {"BMOV.32", "355", ".CLEAR@84", "Rd, B@27:24", "29:28=0"},
      {"BMOV.32", "356", ".PQUAD@84", "=B@27:24, R@39:32", "29:28=0"},
      // The running lanes; PQUAD: and, until they are written again, the others of their quads.
      {"BMOV.32", "f55", "", "Bd, 'MACTIVE'", "31:24=1a"},
      {"BMOV.32", "f56", ".PQUAD@84", "'MACTIVE', B@19:16", "31:24=1a"},
      {"WARPSYNC", "348", "", "!Pp?, R@39:32", "sm<80"},
      {"WARPSYNC", "348", ".EXCLUSIVE@86", "!Pp?, R@39:32", "sm>=80 sm<90"},
      {"WARPSYNC", "348", ".EXCLUSIVE@85", "!Pp?, R@31:24", "sm>=90"},
      {"WARPSYNC", "948", "", "!Pp?, u@63:32", "sm<90"},
      {"WARPSYNC.ALL", "948", "", "!Pp?", "63:32=0 sm>=90"},
      {"YIELD", "946", "", "!Pp?"},
      {"NANOSLEEP", "95d", ".RAND@86 .WARP@85", "!Pp?, u@63:32", "83=0 sm<90"},
      {"NANOSLEEP", "95d", ".RAND@86 .WARP@85 .SYNCS@84", "!Pp?, u@63:32", "83=0 sm>=90"},
      {"NANOSLEEP", "35d", ".RAND@86 .WARP@85", "!Pp?, R@39:32", "sm<90"},
      {"NANOSLEEP", "35d", ".RAND@86 .WARP@85 .SYNCS@84", "!Pp?, R@39:32", "sm>=90"},
      // A barrier or a number of threads in a register; both in one: bits 3:0 and 27:16.
      {"BAR.SYNC", "b1d", ".DEFER_BLOCKING@80", "u@57:54, u@53:42?", "79:77=0"},
      {"BAR.SYNC", "91d", ".DEFER_BLOCKING@80", "u@57:54, R@39:32", "79:77=0"},
      {"BAR.SYNC", "51d", ".DEFER_BLOCKING@80", "R@39:32, u@53:42?", "79:77=0"},
      {"BAR.SYNC", "31d", ".DEFER_BLOCKING@80", "R@39:32, R@39:32", "79:77=0"},
      {"BAR.ARV", "b1d", "", "u@57:54, u@53:42", "79:77=1"},
      {"BAR.ARV", "91d", "", "u@57:54, R@39:32", "79:77=1"},
      {"BAR.ARV", "51d", "", "R@39:32, u@53:42", "79:77=1"},
      {"BAR.ARV", "31d", "", "R@39:32, R@39:32", "79:77=1"},
      {"BAR.RED", "b1d", ".BarrierReduction@75:74 .DEFER_BLOCKING@80", "u@57:54, u@53:42?, !Pp",
       "79:77=2"},
      {"BAR.RED", "91d", ".BarrierReduction@75:74 .DEFER_BLOCKING@80", "u@57:54, R@39:32, !Pp",
       "79:77=2"},
      {"BAR.RED", "51d", ".BarrierReduction@75:74 .DEFER_BLOCKING@80", "R@39:32, u@53:42?, !Pp",
       "79:77=2"},
      {"BAR.RED", "31d", ".BarrierReduction@75:74 .DEFER_BLOCKING@80", "R@39:32, R@39:32, !Pp",
       "79:77=2"},
      {"B2R.RESULT", "31c", "", "Rd, =P@83:81?", "79:78=1"},
      {"MEMBAR", "992", ".FenceSemantics@80:79 .FenceScope@78:76", ""},
      {"CCTL.IVALL", "98f", "", "", "31:24=ff 90:87=4"},
      {"CCTL", "98f", ".E@72 .CacheLevel@80:78 .CacheLineOp@90:87", "[Ra s@63:32]", "sm>=80"},
      {"ERRBAR", "9ab", "", ""},
      {"PMTRIG", "801", "", "u@47:32", "90:87=7"},
      {"LDGDEPBAR", "9af", "", "", "sm>=80"},
      {"DEPBAR.LE", "91a", "", "SB@46:44, u@43:38, SBs@37:32?", "47=1"},
  };
  return rows;
}

}  // namespace heddle::sass
