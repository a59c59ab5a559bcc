// MD5 (RFC 1321) of all windows of a buffer, as STO (storeGPU's sliding-window hashing) of the
// ISPASS 2009 benchmarks: a thread hashes the 64 bytes that begin at its word, in shared memory,
// and stores a word of the digest. CTAs of 128. Arithmetic on 16 loads and a store.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 128, kWords = 16;

__constant__ unsigned constant_sines[64];

struct Digest {
  unsigned a, b, c, d;
};

// 16 steps of a round. The words of the message are taken in the order kFirst + kNext * i.
template <int kFirst, int kNext, class Message, class Mix>
__host__ __device__ inline void add_round(Digest& s, const Message& message, const unsigned* sines,
                                          unsigned shifts, Mix mix) {
#pragma unroll 1
  for (int i = 0; i < 16; ++i) {
    const unsigned sum = s.a + mix(s.b, s.c, s.d) + message((kFirst + kNext * i) % 16) + sines[i],
                   shift = shifts >> 8 * (i % 4) & 255;
    s = {s.d, s.b + (sum << shift | sum >> (32 - shift)), s.b, s.c};
  }
}

struct MixF {
  __host__ __device__ unsigned operator()(unsigned b, unsigned c, unsigned d) const {
    return (b & c) | (~b & d);
  }
};
struct MixG {
  __host__ __device__ unsigned operator()(unsigned b, unsigned c, unsigned d) const {
    return (d & b) | (~d & c);
  }
};
struct MixH {
  __host__ __device__ unsigned operator()(unsigned b, unsigned c, unsigned d) const {
    return b ^ c ^ d;
  }
};
struct MixI {
  __host__ __device__ unsigned operator()(unsigned b, unsigned c, unsigned d) const {
    return c ^ (b | ~d);
  }
};

template <class Message>
__host__ __device__ inline void add_message(Digest& digest, const Message& message,
                                            const unsigned* sines) {
  Digest s = digest;  // the shifts of a round, a byte each, the first in the lowest byte
  add_round<0, 1>(s, message, sines, 0x16110c07u, MixF{});
  add_round<1, 5>(s, message, sines + 16, 0x140e0905u, MixG{});
  add_round<5, 3>(s, message, sines + 32, 0x17100b04u, MixH{});
  add_round<0, 7>(s, message, sines + 48, 0x150f0a06u, MixI{});
  digest = {digest.a + s.a, digest.b + s.b, digest.c + s.c, digest.d + s.d};
}

// After the 64 bytes of the window: a 1 bit, zeros, the length in bits.
struct Padding {
  __host__ __device__ unsigned operator()(int word) const {
    return word == 0 ? 0x80u : word == 14 ? kWords * 32u : 0u;
  }
};

struct SharedMessage {
  const unsigned* words;
  __device__ unsigned operator()(int word) const { return words[word * kBlock]; }
};

__global__ void hash_windows(const unsigned* data, unsigned* hashes) {
  __shared__ unsigned words[kWords * kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
#pragma unroll
  for (int word = 0; word < kWords; ++word) words[word * kBlock + threadIdx.x] = data[i + word];
  __syncthreads();
  Digest digest{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  add_message(digest, SharedMessage{words + threadIdx.x}, constant_sines);
  add_message(digest, Padding{}, constant_sines);
  hashes[i] = digest.a;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "sto", {{"bytes", 3072, 49152, 196608}});
  const int blocks = blocks_for(sizes[0], 4 * kBlock), count = blocks * kBlock;
  unsigned sines[64];
  for (int i = 0; i < 64; ++i) sines[i] = unsigned(std::fabs(std::sin(i + 1.0)) * 4294967296.0);
  check(cudaMemcpyToSymbol(constant_sines, sines, sizeof sines), "sines");
  Random random(112);
  std::vector<unsigned> data(std::size_t(count) + kWords);
  for (unsigned& word : data) word = random.next() << 8 | random.next() % 256;
  DeviceArray<unsigned> device_data(data), hashes(count);
  hash_windows<<<blocks, kBlock>>>(device_data.get(), hashes.get());
  finish("hash_windows");
  const std::vector<unsigned> found = hashes.host();
  long wrong = 0;
  for (int i = 0; i < count; ++i) {
    Digest digest{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    add_message(digest, [&](int word) { return data[i + word]; }, sines);
    add_message(digest, Padding{}, sines);
    wrong += found[i] != digest.a;
  }
  return verdict(wrong, count);
}
