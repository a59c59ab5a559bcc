// Samplers separate from textures, with the driver API: one texture, read with three samplers;
// values of handles; accesses of 128 bits.
#include <cuda.h>

#include <cstdio>

#include "check.h"

static const char* const kText = R"(
.version 8.3
.target sm_70, texmode_independent
.address_size 64
.global .texref image;
.global .samplerref plain;
.global .samplerref blended = { filter_mode = linear, addr_mode_0 = wrap };
.global .samplerref bordered = { addr_mode_0 = clamp_to_border, force_unnormalized_coords = 1 };

.visible .entry fetch(.param .u64 out) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .f32 %f<8>; .reg .b64 %o, %h; .reg .b128 %q<2>;
  ld.param.u64 %o, [out];
  mov.f32 %f0, 0f3f700000;                                        // 0.9375: texel 7.5 of 8
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, plain, {%f0}];
  st.global.f32 [%o], %f1;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, blended, {0f3f7c0000}];  // 0.984375: 7 * 5/8
  st.global.f32 [%o+4], %f1;
  mov.u64 %h, bordered;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, %h, {0f40600000}];       // texel 3
  st.global.f32 [%o+8], %f1;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, bordered, {0f41200000}]; // outside
  st.global.f32 [%o+12], %f1;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, plain, {%f0}], {-3};
  st.global.f32 [%o+16], %f1;
  txq.addr_mode_0.b32 %r0, [bordered];
  txq.filter_mode.b32 %r1, [blended];
  txq.force_unnormalized_coords.b32 %r2, [%h];
  st.global.u32 [%o+20], %r0;
  st.global.u32 [%o+24], %r1;
  st.global.u32 [%o+28], %r2;
  istypep.samplerref %p, %h;
  selp.u32 %r0, 1, 0, %p;
  istypep.texref %p, image;
  @%p add.u32 %r0, %r0, 2;
  istypep.surfref %p, image;
  @%p add.u32 %r0, %r0, 4;
  st.global.u32 [%o+32], %r0;
  ret;
}
.visible .entry exchange(.param .u64 out) {
  .reg .b64 %o, %a, %b; .reg .b128 %q<3>; .reg .b32 %t;
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  cvt.u64.u32 %a, %t;
  add.u64 %b, %a, 100;
  mov.b128 %q0, {%a, %b};
  atom.global.exch.b128 %q1, [%o], %q0;
  mov.b128 {%a, %b}, %q1;
  mad.wide.u32 %o, %t, 16, %o;
  st.global.b128 [%o+16], %q1;
  ret;
}
)";

static void ok(CUresult result, const char* what) { check(result == CUDA_SUCCESS, what); }

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction fetch, exchange;
  CUtexref reference;
  CUarray array;
  CUdeviceptr out;
  ok(cuInit(0), "cuInit");
  ok(cuDeviceGet(&device, 0), "cuDeviceGet");
  ok(cuDevicePrimaryCtxRetain(&context, device), "a context");
  ok(cuCtxSetCurrent(context), "the context");
  ok(cuModuleLoadData(&module, kText), "a module");
  ok(cuModuleGetFunction(&fetch, module, "fetch"), "a function");
  ok(cuModuleGetFunction(&exchange, module, "exchange"), "another function");
  ok(cuModuleGetTexRef(&reference, module, "image"), "a texture");
  CUDA_ARRAY_DESCRIPTOR shape{};
  shape.Width = 8, shape.Format = CU_AD_FORMAT_FLOAT, shape.NumChannels = 1;
  ok(cuArrayCreate(&array, &shape), "an array");
  const float texels[8] = {10, 20, 30, 40, 50, 60, 70, 90};
  ok(cuMemcpyHtoA(array, 0, texels, sizeof texels), "a copy");
  ok(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT), "binding");
  ok(cuTexRefSetFlags(reference, CU_TRSF_NORMALIZED_COORDINATES), "flags");
  ok(cuMemAlloc(&out, 4096), "memory");
  void* arguments[] = {&out};
  ok(cuLaunchKernel(fetch, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), "a launch");
  struct {
    float values[5];
    unsigned words[4];
  } got;
  ok(cuMemcpyDtoH(&got, out, sizeof got), "the results");
  check(got.values[0] == 90, "a fetch through the plain sampler");
  check(got.values[1] == 90 + (10 - 90) * 0.375f, "a fetch through the blended sampler");
  check(got.values[2] == 40 && got.values[3] == 0, "a fetch through the bordered sampler");
  check(got.values[4] == 50, "an offset");
  check(got.words[0] == 4 && got.words[1] == 1 && got.words[2] == 1, "an answer of a sampler");
  check(got.words[3] == 3, "what handles are");

  // Every thread reads what another thread wrote, both halves.
  unsigned long long cells[2 + 2 * 64] = {1000, 1100};
  ok(cuMemcpyHtoD(out, cells, sizeof cells), "cells");
  ok(cuLaunchKernel(exchange, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr), "another launch");
  ok(cuMemcpyDtoH(cells, out, sizeof cells), "the cells");
  bool seen[65] = {};
  for (int i = 0; i <= 64; ++i) {
    const unsigned long long low = cells[2 * i], number = low == 1000 ? 64 : low;
    check(cells[2 * i + 1] == low + 100 && number <= 64 && !seen[number],
          "an exchange of 128 bits");
    if (number <= 64) seen[number] = true;
  }
  return report();
}
