// What only sm_90 has.
// Sources: cicuvc nvidia-sass-document notes/sm90; asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> hopper_rows() {
  static constexpr Row rows[] = {
      {"CGAERRBAR", "5ab", "", "", "sm>=90"},
      {"UCGABAR_ARV", "19c7", "", "", "@UP sm>=90"},
      {"UCGABAR_WAIT", "1dc7", "", "", "@UP sm>=90"},
      {"PREEXIT", "82d", "", "", "sm>=90"},
      {"ACQBULK", "82e", "", "", "sm>=90"},
      {"USETMAXREG.DEALLOC.CTAPOOL", "19c8", "", "u@41:32", "@UP 74:72=5 83:81=7 sm>=90"},
      {"USETMAXREG.TRY_ALLOC.CTAPOOL", "19c8", "", "UPu, u@41:32", "@UP 74:72=6 sm>=90"},
      {"ELECT", "82f", ".IGNOREKILL@85", "Pu, URd, !Pp", "sm>=90"},
      {"ELECT", "182f", ".IGNOREKILL@85", "Pu, URd, ~UR@29:24/72", "89:87=7 sm>=90"},
      // The first source is read, and the place written, by the lanes of an outlined meeting.
      {"WARPSYNC.COLLECTIVE", "348", "", "!Pp?, R@31:24, rel@81:34+23:16", "86:85=2 sm>=90"},
      {"WARPSYNC.COLLECTIVE.ALL", "948", "", "!Pp?, rel@81:34+23:16", "86:85=2 sm>=90"},
      {"ENDCOLLECTIVE", "91b", "", "!Pp?", "sm>=90"},
      {"RPCMOV.32", "352", "", "'Rpc.LO', R@39:32", "31:24=0 sm>=90"},
      {"RPCMOV.32", "352", "", "'Rpc.HI', R@39:32", "31:24=80 sm>=90"},
      {"RPCMOV.32", "353", "", "Rd, 'Rpc.LO'", "31:24=0 sm>=90"},
      {"RPCMOV.32", "353", "", "Rd, 'Rpc.HI'", "31:24=80 sm>=90"},
      // Barriers in shared memory.
      {"SYNCS.ARRIVE.TRANS64", "19a7", ".ArrivalResult@74:73 .OPTOUT@75 .ArrivalCounts@86:84",
       "Rd*2, [Ra URc s@63:40], R@39:32", "71:70=0 sm>=90"},
      {"SYNCS.PHASECHK.TRANS64", "15a7", ".TRYWAIT@72", "Pu, [Ra URc s@63:40], R@39:32",
       "71:70=1 sm>=90"},
      {"SYNCS.EXCH.64", "15b2", "", "URd*2, [UR@29:24 s@63:40], UR@37:32*2", "@UP 73:72=1 sm>=90"},
      {"SYNCS.CCTL", "19b1", ".BarrierCache@72", "[Ra URc s@63:40]", "73=0 sm>=90"},
      {"ARRIVES.LDGSTSBAR.64", "19b0", ".CopyArrivalCount@71:70", "[Ra URc s@63:40]",
       "75:72=a sm>=90"},
      // Copies of a block of bytes. A destination in shared memory has its barrier in the next
      // register; the size is in 16 bytes.
      {"UBLKCP", "13ba", ".BulkPlace@73 .BulkPlace@74 .MULTICAST@75 .Prefetch@82:81 .SEQUENCED@83",
       "[UR@37:32], [UR@29:24], URc", "@UP 76=0 sm>=90"},
      {"UBLKCP", "13ba", ".BulkPlace@73 .BulkPlace@74 .MULTICAST@75 .Prefetch@82:81 .SEQUENCED@83",
       "[UR@37:32], [UR@29:24], URc, desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UBLKRED", "13bb", ".BulkPlace@73 .BulkSource@74 .Reduction@89:87 .BulkType@84:81",
       "[UR@37:32], [UR@29:24], URc", "@UP 76=0 sm>=90"},
      {"UBLKRED", "13bb", ".BulkPlace@73 .BulkSource@74 .Reduction@89:87 .BulkType@84:81",
       "[UR@37:32], [UR@29:24], URc, desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UBLKPF.L2", "13bc", "", "[UR@29:24], URc", "@UP 76=0 sm>=90"},
      {"UBLKPF.L2", "13bc", "", "[UR@29:24], URc, desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UTMACMDFLUSH", "9b7", "", "", "@UP sm>=90"},
      {"UTMACCTL", "19b9", ".TmaCache@82", "[UR@29:24]", "@UP sm>=90"},
      {"FENCE.VIEW.ASYNC", "3c6", ".AsyncPlace@72", "", "sm>=90"},
      // Copies with tensor maps; their coordinates are behind the first address. And the groups of
      // wgmma.
      {"UTMALDG", "15b4", ".TensorDimensions@81:79", "[UR@37:32], [UR@29:24]", "@UP 76=0 sm>=90"},
      {"UTMALDG", "13b4", ".TensorDimensions@81:79 .IM2COL@82 .MULTICAST@75",
       "[UR@37:32], [UR@29:24], URc", "@UP 76=0 sm>=90"},
      {"UTMASTG", "13b5", ".TensorDimensions@81:79 .IM2COL@82", "[UR@37:32], [UR@29:24]",
       "@UP 76=0 sm>=90"},
      {"UTMAREDG", "13b6", ".TensorDimensions@81:79 .IM2COL@82 .Reduction@89:87",
       "[UR@37:32], [UR@29:24]", "@UP 76=0 sm>=90"},
      {"UTMAPF.L2", "15b8", ".TensorDimensions@81:79", "[UR@37:32], [UR@29:24]", "@UP 76=0 sm>=90"},
      {"UTMAPF.L2", "13b8", ".TensorDimensions@81:79 .IM2COL@82", "[UR@37:32], [UR@29:24], URc",
       "@UP 76=0 82=1 sm>=90"},
      {"UTMALDG", "15b4", ".TensorDimensions@81:79", "[UR@37:32], [UR@29:24], desc[UR@45:40]",
       "@UP 76=1 sm>=90"},
      {"UTMALDG", "13b4", ".TensorDimensions@81:79 .IM2COL@82 .MULTICAST@75",
       "[UR@37:32], [UR@29:24], URc, desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UTMASTG", "13b5", ".TensorDimensions@81:79 .IM2COL@82",
       "[UR@37:32], [UR@29:24], desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UTMAREDG", "13b6", ".TensorDimensions@81:79 .IM2COL@82 .Reduction@89:87",
       "[UR@37:32], [UR@29:24], desc[UR@45:40]", "@UP 76=1 sm>=90"},
      {"UTMAPF.L2", "15b8", ".TensorDimensions@81:79", "[UR@37:32], [UR@29:24], desc[UR@45:40]",
       "@UP 76=1 sm>=90"},
      {"UTMAPF.L2", "13b8", ".TensorDimensions@81:79 .IM2COL@82",
       "[UR@37:32], [UR@29:24], URc, desc[UR@45:40]", "@UP 76=1 82=1 sm>=90"},
      {"WARPGROUP.ARRIVE", "9c5", "", "", "sm>=90"},
      {"WARPGROUP.DEPBAR.LE", "9c5", "", "'gsb0', u@74:72", "80=1 47=1 sm>=90"},
      // Stores to the shared memory of a cluster that notify a barrier, in the next register.
      {"STAS", "1dbd", ".RemoteWidth@75:73", "[Ra.64 s@63:40], R@39:32",
       "90=1 69:64=3f 80:77=0 sm>=90"},
      {"STAS", "1dbd", ".RemoteWidth@75:73", "[Ra.64 URc s@63:40], R@39:32", "90=1 80:77=0 sm>=90"},
      {"REDAS", "1dbe", ".Reduction@89:87 .RemoteType@74:73", "[Ra.64 s@63:40], R@39:32",
       "72=1 69:64=3f sm>=90"},
      {"REDAS", "1dbe", ".Reduction@89:87 .RemoteType@74:73", "[Ra.64 URc s@63:40], R@39:32",
       "72=1 sm>=90"},
      {"STAS", "1dbd", ".RemoteWidth@75:73", "[Ra.U32 URc s@63:40], R@39:32",
       "90=0 80:77=0 sm>=90"},
      {"REDAS", "1dbe", ".Reduction@89:87 .RemoteType@74:73", "[Ra.U32 URc s@63:40], R@39:32",
       "72=0 sm>=90"},
      {"STSM.16", "844", ".MatrixLayout@78 .MatrixCount@73:72", "[Ra s@63:40], R@39:32", "sm>=90"},
      {"STSM.16", "1844", ".MatrixLayout@78 .MatrixCount@73:72", "[Ra URc s@63:40], R@39:32",
       "sm>=90"},
  };
  return rows;
}

}  // namespace heddle::sass
