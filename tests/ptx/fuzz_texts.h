// The initial texts of fuzzers: four programs, and kernels with many kinds of statements.
#pragma once

#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {

inline const std::string kMany =
    kHeader +
    ".file 1 \"a.cu\"\n.global .align 4 .u32 g[4] = {1, 2, 3, 4};\n.const .f32 c = "
    "0f3f800000;\n.extern .shared .align 16 .b8 s[];\n"
    ".func (.param .b32 o) f(.param .b32 i) { .reg .b32 %a; ld.param.b32 %a, [i]; st.param.b32 "
    "[o], %a; ret; }\n" +
    kernel_text(
        "L: .loc 1 3 4\n mov.u32 %r1, %tid.x; setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3; @%p1 bra L;\n"
        "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call.uni (y), f, (x); ld.param.b32 "
        "%r2, [y]; }\n"
        "T: .branchtargets L, M;\n brx.idx %r1, T;\nM: ld.global.v4.f32 {%f1,_,%f2,%f3}, "
        "[%rd1+-16];\n vadd4.u32.s32.u32 %r1.b20, %r2.b7654, %r3, %r4;\n"
        "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2; cp.async.ca.shared.global [s], [%rd1], 4, "
        "%p1;\n"
        "mov.b64 {%r1, %r2}, %rd2; atom.global.add.f32 %f1, [%rd1], 0f3f800000; bar.red.popc.u32 "
        "%r1, 0, %p1; exit;")
        .substr(kHeader.size());

// mbarrier, bulk copies, clusters, matrices of small elements, long vectors.
inline const std::string kNewer =
    kHeader + ".shared .align 8 .b64 bar;\n.shared .align 16 .b8 tile[256];\n" +
    kernel_text(
        "mbarrier.init.shared::cta.b64 [bar], 3; "
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [bar+0], %r1; "
        "mbarrier.arrive.shared.b64 %rd1, [%r1], 2;\n"
        "W: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [bar], %r2, 100; @!%p1 bra "
        "W; mbarrier.pending_count.b64 %r3, %rd1;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [tile], "
        "[%rd1], %r2, [bar], %rd2; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile+16], 32; "
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n"
        "mapa.shared::cluster.u32 %r1, bar, 0; getctarank.shared::cluster.u32 %r2, %r1; "
        "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
        "fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta; elect.sync _|%p1, "
        "-1;\n"
        "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32 {%r1,%r2,%r3,%r4}, "
        "{%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2,%r3,%r4};\n"
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r1,%r2}, {%r1}, {%r2}, "
        "{%r3,%r4}; ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f1,%f2,%f3,%f4}, [%rd1];\n"
        "st.global.v4.b64 [%rd1], {%rd1,%rd2,%rd1,%rd2}; atom.global.add.v4.f32 {%f1,%f2,%f3,%f4}, "
        "[%rd1], {%f1,%f2,%f3,%f4}; fma.rn.ftz.f32x2 %rd1, %rd1, %rd2, %rd1;\n"
        "max.NaN.abs.f32 %f1, %f2, %f3, %f4; exit;")
        .substr(kHeader.size());

// Names, lists and parameters in registers.
inline const std::string kNames =
    kHeader +
    ".global .u32 g<3>;\n.func (.reg .u32 s, .reg .pred b) f(.reg .v2 .u32 a, .param .b32 c)\n"
    ".func (.reg .u32 s, .reg .pred b) f(.reg .v2 .u32 a, .param .b32 c) { .reg .pred %p; add.u32 "
    "s, a.x, a.y; setp.eq.u32 b, s, 3; @%p ret; mov.u32 s, 1; }\n" +
    kernel_text(
        ".reg .v4 .f32 v<2>; .reg .v2 .u32 w; .global .u64 p[2] = {g1, g2}; .const .u32 c = "
        "1?2:.5>.25; mov.v4.f32 v1, {v0.w, v0.b, 0f00000000, .5}; { .param .b32 q<2>; st.param.b32 "
        "[q0], {7}; call (%r1, _), f, (w, q0); call (_, %p1), f, (w, 5); }\n"
        "P: .callprototype (.reg .u32 _, .reg .pred _) _ (.reg .v2 .u32 _, .param .b32 _); call "
        "(%r1, %p1), %rd1, (w, %r2), P; mov.v4.u32 {%r1, _, %r2, %r3}, %tid; selp.u32 %r1, 1, 2, "
        "0; ld.global.b32 { %r2 }, [p+8]; ret;")
        .substr(kHeader.size());

inline std::vector<std::string> fuzzed_texts() {
  return {program("reduce"),
          program("sgemm"),
          program("spmv"),
          program("vecadd"),
          kMany,
          kMany,
          kNewer,
          kNames,
          kNewer};
}

}  // namespace heddle::ptx
