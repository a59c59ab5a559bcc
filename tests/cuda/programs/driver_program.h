// Shared by programs of the driver API: checks, and a module to load.
#pragma once

#include <cuda.h>

#include "check.h"

[[maybe_unused]] static const char* const kAddModule = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 amount) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [amount];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd3], %r3;
  ret;
}
.visible .entry idle() { ret; }
)";
