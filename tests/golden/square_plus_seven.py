"""Computes i * i + 7 on the GPU: an interpreter opens the driver when it runs."""
import ctypes

PTX = b"""
.version 7.0
.target sm_50
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .u64 %rd<4>;
  .reg .u32 %r<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  mad.lo.u32 %r2, %r1, %r1, 7;
  st.global.u32 [%rd3], %r2;
  ret;
}
"""

cuda = ctypes.CDLL("libcuda.so.1")


def check(result):
    if result != 0:
        raise RuntimeError(f"CUDA error {result}")


context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
memory = ctypes.c_uint64()
check(cuda.cuInit(0))
check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
check(cuda.cuModuleLoadData(ctypes.byref(module), PTX + b"\0"))
check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k"))
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), 128))
arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(memory), ctypes.c_void_p))
check(cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None))
values = (ctypes.c_uint32 * 32)()
check(cuda.cuMemcpyDtoH_v2(values, memory, 128))
print("PASS" if list(values) == [i * i + 7 for i in range(32)] else "FAIL")
