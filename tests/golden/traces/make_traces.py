#!/usr/bin/env python3
"""Writes traces of a small program into a folder, as Accel-Sim's tracer does.

make_traces.py FOLDER. Two streams add and scale vectors, the scaling with a barrier, shared memory
and divergence."""

import lzma
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
CTAS, WARPS = 24, 4
SHARED, LOCAL = 0x7FB139000000, 0x7FB137000000


def head(name, number, stream, version):
    lines = [
        f"-kernel name = {name}", f"-kernel id = {number}", f"-grid dim = ({CTAS},1,1)",
        f"-block dim = ({WARPS * 32},1,1)", "-shmem = 2048", "-nregs = 16", "-binary version = 86",
        f"-cuda stream id = {stream}", f"-shmem base_addr = {SHARED:#018x}",
        f"-local mem base_addr = {LOCAL:#018x}", "-nvbit version = 1.7",
        f"-accelsim tracer version = {version}"]
    if version >= 5:
        lines.append("-enable lineinfo = 0")
    return "\n".join(lines) + "\n\n#traces format = PC mask dest_num ...\n\n"


def add(cta, warp):
    at = 4 * 32 * (cta * WARPS + warp)
    return [
        "0000 ffffffff 1 R1 MOV 0 0 ", "0010 ffffffff 1 R6 S2R 0 0 ",
        "0020 ffffffff 1 R4 IMAD.WIDE 2 R6 R7 0 ",
        f"0030 ffffffff 1 R4 LDG.E 1 R4 4 1 {0x7FB0FC400000 + at:#x} 4 ",
        f"0040 ffffffff 1 R3 LDG.E 1 R2 4 1 {0x7FB0FC430E00 + at:#x} 4 ",
        "0050 ffffffff 1 R9 FADD 2 R4 R3 0 ",
        f"0060 ffffffff 0 STG.E 2 R6 R9 4 1 {0x7FB0FC461C00 + at:#x} 4 ",
        "0070 ffffffff 0 EXIT 0 0 "]


def scale(cta, warp):
    at = 16 * 32 * (cta * WARPS + warp)
    shared = SHARED + 512 * warp
    lines = [
        "0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal",
        f"0010 ffffffff 1 R4 LDG.E.128 1 R2 16 1 {0x7FB0FC500000 + at:#x} 16 0 0 NoVal",
        f"0020 ffffffff 0 STS.128 2 R0 R4 16 1 {shared:#x} 16 0 0 NoVal",
        "0030 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal"]
    for _ in range(2):
        lines += [
            "0040 0000ffff 0 BRA 0 0 0 0 NoVal",
            "0050 ffff0000 1 R5 FMUL 2 R4 R5 0 0 0 NoVal",
            "0060 0000ffff 1 R5 FFMA 3 R4 R5 R6 0 0 0 NoVal",
            "0070 ffffffff 0 BRA 0 0 0 0 NoVal"]
    return lines + [
        f"0080 ffffffff 0 RED.E.ADD.STRONG.GPU 2 R2 R5 4 1 {0x7FB0FC600000:#x} 0 0 0 NoVal",
        "0090 ffffffff 0 EXIT 0 0 0 0 NoVal"]


def kernel(name, number, stream, version, of_warp):
    text = head(name, number, stream, version)
    for cta in range(CTAS):
        text += f"#BEGIN_TB\n\nthread block = {cta},0,0\n"
        if version >= 5:
            text += f"cluster id = {cta},0,0\ncluster cta = 0,0,0\ncluster rank = 0\n"
        for warp in range(WARPS):
            lines = of_warp(cta, warp)
            text += f"\nwarp = {warp}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n"
        text += "\n#END_TB\n\n"
    return text


(folder / "kernel-1.traceg").write_text(kernel("_Z3addPf", 1, 0, 3, add))
for number in (2, 3):
    text = kernel("_Z5scalePf", number, 94000 + number, 6, scale)
    (folder / f"kernel-{number}.traceg.xz").write_bytes(lzma.compress(text.encode()))
(folder / "kernelslist.g").write_text(
    "MemcpyHtoD,0x00007fb0fc400000,12288\nkernel-1.traceg\nkernel-2.traceg.xz\n"
    "kernel-3.traceg.xz\n")
