// Floats that do not fit into 8 or 16 bits: they are converted to 32 bits with saturation, and the
// low bits are kept.
#include <cstdio>

struct Narrow {
  unsigned char u8;
  signed char s8;
  unsigned short u16;
  short s16;
};

__global__ void convert(const float* from, Narrow* to, Narrow* of_doubles) {
  const float f = from[threadIdx.x];
  to[threadIdx.x] = Narrow{static_cast<unsigned char>(f), static_cast<signed char>(f),
                           static_cast<unsigned short>(f), static_cast<short>(f)};
  const double d = f;
  of_doubles[threadIdx.x] = Narrow{static_cast<unsigned char>(d), static_cast<signed char>(d),
                                   static_cast<unsigned short>(d), static_cast<short>(d)};
}

bool as(const Narrow& n, int u8, int s8, int u16, int s16) {
  return n.u8 == u8 && n.s8 == s8 && n.u16 == u16 && n.s16 == s16;
}

int main() {
  const float numbers[6] = {-5.7f, 200.9f, 300, 70000, -40000, 3e9f};
  float* from;
  Narrow *to, *of_doubles;
  cudaMallocManaged(&from, sizeof numbers);
  cudaMallocManaged(&to, 6 * sizeof *to);
  cudaMallocManaged(&of_doubles, 6 * sizeof *to);
  for (int i = 0; i < 6; ++i) from[i] = numbers[i];
  convert<<<1, 6>>>(from, to, of_doubles);
  cudaDeviceSynchronize();
  bool right = true;
  for (const Narrow* all : {to, of_doubles}) {
    right = right && as(all[0], 0, -5, 0, -5) && as(all[1], 200, -56, 200, 200) &&
            as(all[2], 44, 44, 300, 300);
    right = right && as(all[3], 112, 112, 4464, 4464) && as(all[4], 0, -64, 0, 25536) &&
            as(all[5], 0, -1, 24064, -1);
  }
  std::puts(right ? "PASS" : "FAIL");
}
