// GET requests of a key-value store, as the MEMC program of the CCWS and DAWS papers: a request per
// lane. Every request is a packet in a buffer of its own, as in the public MemcachedGPU. A lane
// reads the key of its packet byte by byte up to the end of the line and hashes it, then compares
// it with the items of the hash table's chain, byte by byte, too. Keys have different lengths and
// chains as well, so that loads and trip counts differ from lane to lane. A line of a packet or an
// item is read in many consecutive trips. An item has its key behind a header.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kNone = -1;
// Headers of Ethernet, IP, UDP and the protocol, and the word "get", before the key of a packet.
constexpr int kPacketHeader = 54, kLeastKey = 16, kLongestKey = 96;
constexpr unsigned char kEndOfLine = '\r';

struct Item {
  int next;
  unsigned hash;
  int length, value;  // length of the key in bytes, which follows
};

__host__ __device__ inline unsigned mixed(unsigned hash, unsigned char byte) {
  hash = (hash ^ byte) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}

__global__ void get(const unsigned char* packets, const int* buckets, const unsigned char* items,
                    int* values, int count, int buffer, int mask) {
  const int request = blockIdx.x * blockDim.x + threadIdx.x;
  if (request >= count) return;
  const unsigned char* key = packets + std::size_t(request) * buffer + kPacketHeader;
  unsigned hash = 0;
  int length = 0;
#pragma unroll 1
  for (unsigned char byte; (byte = key[length]) != kEndOfLine; ++length) hash = mixed(hash, byte);
  int value = kNone;
  for (int at = buckets[hash & mask]; at != kNone;) {
    const Item& item = *reinterpret_cast<const Item*>(items + at);
    at = item.next;
    if (item.hash != hash || item.length != length) continue;
    const unsigned char* stored = reinterpret_cast<const unsigned char*>(&item + 1);
    int i = 0;
#pragma unroll 1
    while (i < length && stored[i] == key[i]) ++i;
    if (i == length) {
      value = item.value;
      break;
    }
  }
  values[request] = value;
}

using Key = std::vector<unsigned char>;

// 16 bytes and more, half as often for each 22 further ones, without an end of line.
static Key random_key(Random& random, bool stored) {
  int length = kLeastKey;
  while (length < kLongestKey && random.below(33) != 0) ++length;
  Key key(length);
  for (unsigned char& byte : key) byte = static_cast<unsigned char>(33 + random.below(93));
  key[0] = stored ? 's' : 'n';
  return key;
}

static unsigned hash_of(const Key& key) {
  unsigned hash = 0;
  for (const unsigned char byte : key) hash = mixed(hash, byte);
  return hash;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "memcached",
      {{"requests", 600, 23040, 131072}, {"items", 500, 40000, 200000}, {"buffer", 256, 256, 256}});
  const int count = sizes[0], stored = sizes[1], buffer = sizes[2];
  if (buffer < kPacketHeader + kLongestKey + 1) {
    std::fprintf(stderr, "memcached: a buffer needs %d bytes\n", kPacketHeader + kLongestKey + 1);
    return 2;
  }
  int buckets = 1;
  while (buckets < stored / 4) buckets *= 2;  // chains of four items
  Random random(98);
  std::vector<int> table(buckets, kNone), places(stored);
  std::vector<Key> keys(stored);
  for (Key& key : keys) key = random_key(random, true);
  for (int i = 0; i < stored; ++i) places[i] = i;
  for (int i = stored - 1; i > 0; --i) std::swap(places[i], places[random.below(i + 1)]);
  std::vector<unsigned char> items;
  for (const int i : places) {  // a slab of items in random order
    const unsigned hash = hash_of(keys[i]);
    int& bucket = table[hash & (buckets - 1)];
    const Item item{bucket, hash, int(keys[i].size()), i};
    bucket = static_cast<int>(items.size());
    const auto* bytes = reinterpret_cast<const unsigned char*>(&item);
    items.insert(items.end(), bytes, bytes + sizeof item);
    items.insert(items.end(), keys[i].begin(), keys[i].end());
    items.resize((items.size() + alignof(Item) - 1) / alignof(Item) * alignof(Item));
  }
  std::vector<unsigned char> packets(std::size_t(count) * buffer);
  std::vector<int> expected(count);
  for (int i = 0; i < count; ++i) {  // one of 16 keys is not stored
    expected[i] = random.below(16) ? random.below(stored) : kNone;
    const Key key = expected[i] == kNone ? random_key(random, false) : keys[expected[i]];
    unsigned char* const line = &packets[std::size_t(i) * buffer + kPacketHeader];
    std::copy(key.begin(), key.end(), line);
    line[key.size()] = kEndOfLine;
  }
  DeviceArray<unsigned char> device_packets(packets), device_items(items);
  DeviceArray<int> device_table(table), values(count);
  get<<<blocks_for(count, kBlock), kBlock>>>(device_packets.get(), device_table.get(),
                                             device_items.get(), values.get(), count, buffer,
                                             buckets - 1);
  finish("get");

  const std::vector<int> found = values.host();
  long wrong = 0;
  for (int i = 0; i < count; ++i) wrong += found[i] != expected[i];
  return verdict(wrong, count);
}
