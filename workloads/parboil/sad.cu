// Sums of absolute differences for motion estimation, as Parboil's SAD: for each macroblock of
// 16x16 pixels and each of 33x33 displacements, the differences of its 16 blocks of 4x4 pixels to
// the reference frame (a texture); two further kernels add them to blocks of 8x8 and of 16x16.
#include <algorithm>

#include "../texture.h"

using namespace workload;

constexpr int kRange = 16, kSide = 2 * kRange + 1, kPositions = kSide * kSide, kBlock = 128;

// sads[(macroblock * 16 + block) * kPositions + position]
__global__ void sad_4x4(const unsigned short* frame, cudaTextureObject_t reference,
                        unsigned short* sads, int width, int height) {
  __shared__ unsigned short own[16][16];
  const int macroblock = blockIdx.y * gridDim.x + blockIdx.x, left = blockIdx.x * 16,
            top = blockIdx.y * 16;
  for (int i = threadIdx.x; i < 256; i += kBlock)
    own[i / 16][i % 16] = frame[(top + i / 16) * width + left + i % 16];
  __syncthreads();
  for (int position = threadIdx.x; position < kPositions; position += kBlock) {
    const int dx = position % kSide - kRange, dy = position / kSide - kRange;
#pragma unroll 1
    for (int block = 0; block < 16; ++block) {
      const int x = block % 4 * 4, y = block / 4 * 4;
      unsigned sum = 0;
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const int column = min(max(left + x + i % 4 + dx, 0), width - 1),
                  row = min(max(top + y + i / 4 + dy, 0), height - 1);
        const int other = tex1Dfetch<unsigned short>(reference, row * width + column);
        sum += abs(int(own[y + i / 4][x + i % 4]) - other);
      }
      sads[(macroblock * 16 + block) * kPositions + position] = (unsigned short)(sum);
    }
  }
}

// Adds four blocks to one of twice the size. `across`: blocks of a macroblock's side before. A CTA
// per macroblock.
__global__ void larger_sad(const unsigned short* smaller, unsigned short* larger, int across) {
  const int half = across / 2;
  const unsigned short* from = smaller + blockIdx.x * across * across * kPositions;
  unsigned short* to = larger + blockIdx.x * half * half * kPositions;
  for (int position = threadIdx.x; position < kPositions; position += kBlock) {
    for (int block = 0; block < half * half; ++block) {
      const int first = block / half * 2 * across + block % half * 2;
      to[block * kPositions + position] =
          (unsigned short)(from[first * kPositions + position] +
                           from[(first + 1) * kPositions + position] +
                           from[(first + across) * kPositions + position] +
                           from[(first + across + 1) * kPositions + position]);
    }
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "sad", {{"width", 32, 80, 176}, {"height", 16, 48, 144}});
  const int columns = std::max(sizes[0] / 16, 1), rows = std::max(sizes[1] / 16, 1),
            width = columns * 16, height = rows * 16, macroblocks = columns * rows;
  Random random(94);
  std::vector<unsigned short> frame(std::size_t(width) * height), reference(frame.size());
  for (int y = 0; y < height; ++y) {  // the reference is the frame, moved and with noise
    for (int x = 0; x < width; ++x) {
      const auto at = [](int column, int row) {
        return (column * 7 + row * 13 + column * row) % 200;
      };
      frame[std::size_t(y) * width + x] = (unsigned short)(at(x, y));
      reference[std::size_t(y) * width + x] = (unsigned short)(at(x + 3, y + 2) + random.below(8));
    }
  }
  DeviceArray<unsigned short> device_frame(frame), device_reference(reference),
      small(std::size_t(macroblocks) * 16 * kPositions),
      medium(std::size_t(macroblocks) * 4 * kPositions),
      large(std::size_t(macroblocks) * kPositions);
  sad_4x4<<<dim3(columns, rows), kBlock>>>(device_frame.get(),
                                           linear_texture(device_reference.get(), reference.size()),
                                           small.get(), width, height);
  larger_sad<<<macroblocks, kBlock>>>(small.get(), medium.get(), 4);
  larger_sad<<<macroblocks, kBlock>>>(medium.get(), large.get(), 2);
  finish("larger_sad");

  const std::vector<unsigned short> sums = large.host(), parts = small.host();
  long wrong = 0;
  for (int macroblock = 0; macroblock < macroblocks; ++macroblock) {
    const int left = macroblock % columns * 16, top = macroblock / columns * 16;
    for (int position = 0; position < kPositions; ++position) {
      const int dx = position % kSide - kRange, dy = position / kSide - kRange;
      int expected[16] = {}, total = 0;
      for (int i = 0; i < 256; ++i) {
        const int x = left + i % 16, y = top + i / 16,
                  column = std::min(std::max(x + dx, 0), width - 1),
                  row = std::min(std::max(y + dy, 0), height - 1);
        const int difference = std::abs(int(frame[std::size_t(y) * width + x]) -
                                        reference[std::size_t(row) * width + column]);
        expected[i / 64 * 4 + i % 16 / 4] += difference;
        total += difference;
      }
      bool right = sums[std::size_t(macroblock) * kPositions + position] == total;
      for (int block = 0; block < 16; ++block)
        right &= parts[(std::size_t(macroblock) * 16 + block) * kPositions + position] ==
                 expected[block];
      wrong += !right;
    }
  }
  return verdict(wrong, long(macroblocks) * kPositions);
}
