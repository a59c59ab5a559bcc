// GET requests of a key-value store, as the MEMC program of the CCWS and DAWS papers: a request per
// lane. A lane hashes its key, word by word, and compares it with the items of the hash table's
// chain: keys have different lengths and chains as well, so that loads and trip counts differ from
// lane to lane. An item has its key behind a header.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kNone = -1;

// Words of an item: next item of the chain, hash, length of the key in words, value, key.
enum { kNext, kHash, kLength, kValue, kKey };

struct Request {
  int key, length;  // words
};

__host__ __device__ inline unsigned mixed(unsigned hash, unsigned word) {
  hash = (hash ^ word) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}

__global__ void get(const Request* requests, const unsigned* keys, const int* buckets,
                    const int* items, int* values, int count, int mask) {
  const int request = blockIdx.x * blockDim.x + threadIdx.x;
  if (request >= count) return;
  const Request own = requests[request];
  const unsigned* key = keys + own.key;
  unsigned hash = 0;
#pragma unroll 1
  for (int i = 0; i < own.length; ++i) hash = mixed(hash, key[i]);
  int value = kNone;
  for (int item = buckets[hash & mask]; item != kNone; item = items[item + kNext]) {
    if (unsigned(items[item + kHash]) != hash || items[item + kLength] != own.length) continue;
    int i = 0;
#pragma unroll 1
    while (i < own.length && unsigned(items[item + kKey + i]) == key[i]) ++i;
    if (i == own.length) {
      value = items[item + kValue];
      break;
    }
  }
  values[request] = value;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "memcached",
                    {{"requests", 600, 23040, 131072}, {"items", 500, 40000, 200000}});
  const int count = sizes[0], stored = sizes[1];
  int buckets = 1;
  while (buckets < stored / 4) buckets *= 2;  // chains of four items
  Random random(98);
  const auto key_length = [&] {  // four words and more, half as often for each further one
    int length = 4;
    while (length < 24 && random.below(8) != 0) ++length;
    return length;
  };
  std::vector<int> table(buckets, kNone), items;
  std::vector<std::vector<unsigned>> stored_keys(stored);
  std::vector<int> places(stored);
  for (std::vector<unsigned>& key : stored_keys) {
    key.resize(key_length());
    for (unsigned& word : key) word = random.next();
  }
  for (int i = 0; i < stored; ++i) places[i] = i;
  for (int i = stored - 1; i > 0; --i) std::swap(places[i], places[random.below(i + 1)]);
  for (int i : places) {  // a slab of items in random order
    unsigned hash = 0;
    for (unsigned word : stored_keys[i]) hash = mixed(hash, word);
    int& bucket = table[hash & (buckets - 1)];
    const int item = static_cast<int>(items.size());
    items.insert(items.end(), {bucket, int(hash), int(stored_keys[i].size()), i});
    for (unsigned word : stored_keys[i]) items.push_back(int(word));
    bucket = item;
  }
  std::vector<Request> requests(count);
  std::vector<unsigned> keys;
  std::vector<int> expected(count);
  for (int i = 0; i < count; ++i) {  // one of 16 keys is not stored
    std::vector<unsigned> key;
    expected[i] = random.below(16) ? random.below(stored) : kNone;
    if (expected[i] != kNone) {
      key = stored_keys[expected[i]];
    } else {
      key.resize(key_length());
      for (unsigned& word : key) word = 0x80000000u | random.next();
    }
    requests[i] = {static_cast<int>(keys.size()), static_cast<int>(key.size())};
    keys.insert(keys.end(), key.begin(), key.end());
  }
  DeviceArray<Request> device_requests(requests);
  DeviceArray<unsigned> device_keys(keys);
  DeviceArray<int> device_table(table), device_items(items), values(count);
  get<<<blocks_for(count, kBlock), kBlock>>>(device_requests.get(), device_keys.get(),
                                             device_table.get(), device_items.get(), values.get(),
                                             count, buckets - 1);
  finish("get");

  const std::vector<int> found = values.host();
  long wrong = 0;
  for (int i = 0; i < count; ++i) wrong += found[i] != expected[i];
  return verdict(wrong, count);
}
