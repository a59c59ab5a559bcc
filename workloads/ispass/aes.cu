// Encryption of 16-byte blocks by AES with a key of 128 bits, as AES of the ISPASS 2009 benchmarks:
// a thread per word of a block, CTAs of 256. The tables and the round keys are read from constant
// memory to shared memory; threads of a block exchange words through shared memory in each round.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kRounds = 10, kKeyWords = 4 * (kRounds + 1);

__constant__ unsigned constant_table[256];  // of round 1 to 9, for the first byte of a word
__constant__ unsigned constant_keys[kKeyWords];
__constant__ unsigned char constant_box[256];

__host__ __device__ inline unsigned rotated(unsigned word, int bits) {
  return word << bits | word >> (-bits & 31);  // also by 0
}

__global__ void encrypt(const unsigned* input, unsigned* output, int words) {
  __shared__ unsigned table[256], keys[kKeyWords], words_of_block[2][kBlock];
  __shared__ unsigned char box[256];
  const int thread = threadIdx.x, i = blockIdx.x * kBlock + thread;
  const int column = thread % 4, first = thread - column;
  table[thread] = constant_table[thread];
  box[thread] = constant_box[thread];
  if (thread < kKeyWords) keys[thread] = constant_keys[thread];
  __syncthreads();
  words_of_block[0][thread] = (i < words ? input[i] : 0) ^ keys[column];
  __syncthreads();
#pragma unroll
  for (int round = 1; round <= kRounds; ++round) {
    const unsigned* now = words_of_block[(round + 1) % 2] + first;
    const unsigned bytes[4] = {now[column] & 255, now[(column + 1) % 4] >> 8 & 255,
                               now[(column + 2) % 4] >> 16 & 255, now[(column + 3) % 4] >> 24};
    unsigned next = keys[4 * round + column];
    if (round < kRounds) {
#pragma unroll
      for (int k = 0; k < 4; ++k) next ^= rotated(table[bytes[k]], 8 * k % 32);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) next ^= unsigned(box[bytes[k]]) << 8 * k;
    }
    words_of_block[round % 2][thread] = next;
    __syncthreads();
  }
  if (i < words) output[i] = words_of_block[kRounds % 2][thread];
}

static unsigned doubled(unsigned byte) { return (byte << 1 ^ (byte & 0x80 ? 0x1b : 0)) & 255; }

static unsigned product(unsigned a, unsigned b) {
  unsigned result = 0;
  for (; b; b >>= 1, a = doubled(a))
    if (b & 1) result ^= a;
  return result;
}

// The substitution of AES: the inverse in GF(256), then an affine map.
static unsigned substituted(unsigned byte) {
  unsigned inverse = 0;
  for (unsigned other = 1; byte && other < 256; ++other)
    if (product(byte, other) == 1) inverse = other;
  unsigned result = 0x63;
  for (int shift = 0; shift < 5; ++shift)
    result ^= (inverse << shift | inverse >> (8 - shift)) & 255;
  return result;
}

// A block byte by byte, as FIPS 197 describes it. Byte r + 4 c is in row r, column c.
static void encrypt_block(const unsigned char (&box)[256], const unsigned char* keys,
                          unsigned char* state) {
  for (int i = 0; i < 16; ++i) state[i] ^= keys[i];
  for (int round = 1; round <= kRounds; ++round) {
    unsigned char shifted[16];
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column)
        shifted[row + 4 * column] = box[state[row + 4 * ((column + row) % 4)]];
    for (int column = 0; column < 4; ++column) {
      const unsigned char* s = shifted + 4 * column;
      for (int row = 0; row < 4; ++row) {
        unsigned value = s[row];
        if (round < kRounds) {
          value = product(s[row], 2) ^ product(s[(row + 1) % 4], 3) ^ s[(row + 2) % 4] ^
                  s[(row + 3) % 4];
        }
        state[row + 4 * column] = (unsigned char)(value ^ keys[16 * round + row + 4 * column]);
      }
    }
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "aes", {{"bytes", 2064, 65552, 262160}});
  const int words = blocks_for(sizes[0], 16) * 4;
  unsigned char box[256];
  unsigned table[256], keys[kKeyWords];
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned s = substituted(i);
    box[i] = (unsigned char)(s);
    table[i] = product(s, 2) | s << 8 | s << 16 | product(s, 3) << 24;
  }
  Random random(108);
  for (int i = 0; i < 4; ++i) keys[i] = random.next() << 8 | random.next() % 256;
  for (unsigned i = 4, constant = 1; i < kKeyWords; ++i) {
    unsigned word = keys[i - 1];
    if (i % 4 == 0) {
      const unsigned turned = rotated(word, 24);
      word = box[turned & 255] | box[turned >> 8 & 255] << 8 | box[turned >> 16 & 255] << 16 |
             unsigned(box[turned >> 24]) << 24;
      word ^= constant;
      constant = doubled(constant);
    }
    keys[i] = keys[i - 4] ^ word;
  }
  std::vector<unsigned> plain(words);
  for (unsigned& word : plain) word = random.next() << 8 | random.next() % 256;
  check(cudaMemcpyToSymbol(constant_table, table, sizeof table), "table");
  check(cudaMemcpyToSymbol(constant_keys, keys, sizeof keys), "keys");
  check(cudaMemcpyToSymbol(constant_box, box, sizeof box), "box");
  DeviceArray<unsigned> input(plain), output(words);
  encrypt<<<blocks_for(words, kBlock), kBlock>>>(input.get(), output.get(), words);
  finish("encrypt");

  const std::vector<unsigned> found = output.host();
  unsigned char key_bytes[4 * kKeyWords];
  std::memcpy(key_bytes, keys, sizeof keys);
  long wrong = 0;
  for (int i = 0; i < words; i += 4) {
    unsigned char state[16];
    std::memcpy(state, &plain[i], 16);
    encrypt_block(box, key_bytes, state);
    wrong += std::memcmp(state, &found[i], 16) != 0;
  }
  return verdict(wrong, words / 4);
}
