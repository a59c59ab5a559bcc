// Atomics and reductions in memory.
// Sources: redplait/denvdis data12/sm75_1.txt; sm_80 to sm_90 asked of nvdisasm 11.8.
#include "sass/encoding/row.h"

namespace heddle::sass {

std::span<const Row> atomic_rows() {
  static constexpr Row rows[] = {
      {"RED", "98e",
       ".E@72 .Reduction@89:87 .Evict@86:84 .AtomicType@75:73 .AtomicSemantics@80:79 "
       ".Scope@78:77 .PRIVATE@76",
       "[Ra s@63:40], R@39:32", "sm<80"},
      {"RED.E", "198e",
       ".Reduction@89:87 .Evict@86:84 .AtomicType@75:73 .AtomicSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "[Ra.64 URc s@63:40], R@39:32", "sm<80 72=1 90=1"},
      {"RED.E", "198e", ".Reduction@89:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "[Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=80 sm<90 72=1 90=1 71:70=2"},
      {"RED.E", "198e", ".Reduction@89:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=80 sm<90 72=1 90=1 71:70=2"},
      {"REDG.E", "198e", ".Reduction@89:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "[Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=90 72=1 90=1 71:70=2"},
      {"REDG.E", "198e", ".Reduction@89:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=90 72=1 90=1 71:70=2"},
      {"ATOMG", "3a8",
       ".E@72 .Atomic@90:87 .Evict@86:84 .AtomicType@75:73 .AtomicSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu, Rd, [Ra s@63:40], R@39:32", "sm<80 71:64=ff"},
      {"ATOMG.E", "19a8",
       ".Atomic@90:87 .Evict@86:84 .AtomicType@75:73 .AtomicSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu, Rd, [Ra.64 URc s@63:40], R@39:32", "sm<80 72=1 70=1"},
      {"ATOMG.E", "19a8", ".Atomic@90:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "Pu, Rd, [Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=80 72=1 71:70=3"},
      {"ATOMG.E", "19a8", ".Atomic@90:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "Pu, Rd, desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=80 72=1 71:70=3"},
      {"ATOM.E", "198a",
       ".GenericAtomic@90:87 .Evict@86:84 .AtomicType@75:73 .AtomicSemantics@80:79 .Scope@78:77 "
       ".PRIVATE@76",
       "Pu, Rd, [Ra.64 URc s@63:40], R@39:32", "sm<80 72=1 70=1"},
      {"ATOM.E", "198a", ".GenericAtomic@90:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "Pu, Rd, [Ra.64 s@63:40], R@39:32, {UR@69:64}", "sm>=80 72=1 71:70=3"},
      {"ATOM.E", "198a", ".GenericAtomic@90:87 .Evict@86:84 .AtomicType@76:73 .StoreOrder@80:77",
       "Pu, Rd, desc[URc][Ra.64 s@63:40], R@39:32", "101=1 sm>=80 72=1 71:70=3"},
      {"ATOMS", "38c", ".GenericAtomic@90:87 .SharedType@74:73",
       "Rd, [Ra.Stride@79:78 s@63:40], R@39:32", "71:64=ff"},
      {"ATOMS", "38c", ".GenericAtomic@90:87 .SharedType@74:73",
       "Rd, [Ra.Stride@79:78 s@63:40], R@39:32"},
      {"ATOMS", "198c", ".GenericAtomic@90:87 .SharedType@75:73",
       "Rd, [Ra.Stride@79:78 URc s@63:40], R@39:32"},
      {"ATOM.E.CAS", "38b",
       ".Evict@86:84 .CasType@75:73 .AtomicSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "Pu, Rd, [Ra s@63:40], R@39:32, R@71:64", "sm<80 72=1 88:87=0"},
      {"ATOMG.E.CAS", "3a9",
       ".Evict@86:84 .CasType@75:73 .AtomicSemantics@80:79 .Scope@78:77 .PRIVATE@76",
       "Pu, Rd, [Ra s@63:40], R@39:32, R@71:64", "sm<80 72=1"},
      {"ATOM.E.CAS", "38b", ".Evict@86:84 .CasType@75:73 .StoreOrder@80:77",
       "Pu, Rd, [Ra s@63:40], R@39:32, R@71:64", "72=1 sm>=80"},
      {"ATOMG.E.CAS", "3a9", ".Evict@86:84 .CasType@75:73 .StoreOrder@80:77",
       "Pu, Rd, [Ra s@63:40], R@39:32, R@71:64", "72=1 sm>=80"},
      {"ATOMS.CAS", "38d", ".CasWidth@74:73", "Rd, [Ra.Stride@79:78 s@63:40], R@39:32, R@71:64",
       "88:87=0"},
      {"ATOMS.CAST", "38d", ".SPIN@88 .CasWidth@74:73",
       "Rd, [Ra.Stride@79:78 s@63:40], R@39:32, R@71:64", "87=1"},
      {"ATOMS.POPC.INC.32", "1f8c", "", "Rd, [Ra.Stride@79:78 URc s@63:40]",
       "90:87=a sm>=80 sm<90"},
      {"ATOMS.POPC.INC.32", "1f8c", "", "Rd, [Ra.Stride@79:78 URc s@63:40]", "90:87=b sm>=90"},
      {"REDUX", "3c4", ".WarpReduction@80:78 .S32@73", "URd, R@31:24", "sm>=80"},
      {"QSPC", "3aa", ".E@72 .QuerySpace@74:73", "Pu, Rd, [Ra s@63:40]", "sm<90"},
      {"QSPC.E", "19aa", ".QuerySpace@74:73", "Pu, Rd, [Ra.64 URb s@63:40]", "72=1 90=1 sm<90"},
      {"QSPC.E", "19aa", ".QuerySpace@74:73", "Pu, Rd, [Ra URb s@63:40]",
       "72=1 90=0 31:24=ff sm<90"},
      {"QSPC", "3aa", ".E@72 .ClusterSpace@74:73", "Pu, Rd, [Ra s@63:40]", "sm>=90"},
      {"QSPC.E", "19aa", ".ClusterSpace@74:73", "Pu, Rd, [Ra.64 URb s@63:40]", "72=1 90=1 sm>=90"},
  };
  return rows;
}

}  // namespace heddle::sass
