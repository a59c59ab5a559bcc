// Intrinsics of NVVM IR that LLVM spells otherwise.
#pragma once

#include <array>
#include <string_view>

namespace heddle::nvvm {

// Functions whose names begin with "llvm." cannot be defined, so bitcode_of() calls them
// kIntrinsicPrefix and the rest of their name.
inline constexpr std::string_view kLlvmPrefix = "llvm.", kIntrinsicPrefix = "heddle.";
inline constexpr std::array<const char*, 4> kIntrinsics{
    "llvm.nvvm.shfl.sync.i32", "llvm.nvvm.vote.sync", "llvm.nvvm.match.all.sync.i32",
    "llvm.nvvm.match.all.sync.i64"};

// Their definitions, and those of CUDA's functions that synchronise a grid as
// cooperative_groups.h does. numba launches cooperatively when it finds the name of the first in
// the PTX. The mode of a shuffle or vote is a constant in valid IR.
inline constexpr std::string_view kIntrinsicDefinitions = R"(
define {i32, i1} @heddle.nvvm.shfl.sync.i32(i32 %mask, i32 %mode, i32 %a, i32 %b, i32 %c)
    alwaysinline {
  switch i32 %mode, label %bfly [i32 0, label %idx  i32 1, label %up  i32 2, label %down]
idx:
  %r0 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 %mask, i32 %a, i32 %b, i32 %c)
  ret {i32, i1} %r0
up:
  %r1 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 %mask, i32 %a, i32 %b, i32 %c)
  ret {i32, i1} %r1
down:
  %r2 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 %mask, i32 %a, i32 %b, i32 %c)
  ret {i32, i1} %r2
bfly:
  %r3 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 %mask, i32 %a, i32 %b, i32 %c)
  ret {i32, i1} %r3
}
define {i32, i1} @heddle.nvvm.vote.sync(i32 %mask, i32 %mode, i1 %p) alwaysinline {
  switch i32 %mode, label %ballot [i32 0, label %all  i32 1, label %any  i32 2, label %eq]
all:
  %r0 = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %p)
  br label %end
any:
  %r1 = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %p)
  br label %end
eq:
  %r2 = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %p)
  br label %end
ballot:
  %r3 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %p)
  br label %end
end:
  %word = phi i32 [0, %all], [0, %any], [0, %eq], [%r3, %ballot]
  %bit = phi i1 [%r0, %all], [%r1, %any], [%r2, %eq], [false, %ballot]
  %first = insertvalue {i32, i1} poison, i32 %word, 0
  %both = insertvalue {i32, i1} %first, i1 %bit, 1
  ret {i32, i1} %both
}
define {i32, i1} @heddle.nvvm.match.all.sync.i32(i32 %mask, i32 %a) alwaysinline {
  %r0 = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %a)
  ret {i32, i1} %r0
}
define {i32, i1} @heddle.nvvm.match.all.sync.i64(i32 %mask, i64 %a) alwaysinline {
  %r0 = call {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32 %mask, i64 %a)
  ret {i32, i1} %r0
}
define i64 @cudaCGGetIntrinsicHandle(i32 %scope) noinline optnone {
  ret i64 1
}
define i32 @cudaCGSynchronize(i64 %handle, i32 %flags) convergent noinline optnone {
  call void @llvm.nvvm.barrier0()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %xy = or i32 %x, %y
  %xyz = or i32 %xy, %z
  %thread0 = icmp eq i32 %xyz, 0
  br i1 %thread0, label %arrive, label %end
arrive:
  %high = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()
  %low = call i32 @llvm.nvvm.read.ptx.sreg.envreg2()
  %upper = zext i32 %high to i64
  %shifted = shl i64 %upper, 32
  %lower = zext i32 %low to i64
  %workspace = or i64 %shifted, %lower
  %place = add i64 %workspace, 4
  %count = inttoptr i64 %place to ptr
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %nxy = mul i32 %nx, %ny
  %blocks = mul i32 %nxy, %nz
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %bxy = or i32 %bx, %by
  %bxyz = or i32 %bxy, %bz
  %first = icmp eq i32 %bxyz, 0
  %last = sub i32 -2147483647, %blocks
  %step = select i1 %first, i32 %last, i32 1
  call void @llvm.nvvm.membar.gl()
  %before = atomicrmw add ptr %count, i32 %step monotonic
  br label %wait
wait:
  %now = load volatile i32, ptr %count
  %changed = xor i32 %now, %before
  %arrived = icmp slt i32 %changed, 0
  br i1 %arrived, label %go, label %wait
go:
  call void @llvm.nvvm.membar.gl()
  br label %end
end:
  call void @llvm.nvvm.barrier0()
  ret i32 0
}
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.read.ptx.sreg.envreg1()
declare i32 @llvm.nvvm.read.ptx.sreg.envreg2()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32, i64)
)";

}  // namespace heddle::nvvm
