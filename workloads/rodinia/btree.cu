// Look-ups in a B+ tree, as Rodinia's b+tree: a CTA per query, a thread per key of a node. At each
// level the thread whose key begins the query's interval stores the child; two barriers per level.
// find_key returns the record of a key, find_range the first record of a range and their number; it
// descends to both ends of the range between the same barriers. Numbers of nodes have 64 bits, and
// nodes have the original's members, because both determine which lines are read.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kOrder = 256, kRange = 3000, kNone = -1;

struct Node {
  int number;
  int child[kOrder + 1];  // of an inner node: the node below; of a leaf: the record
  int key[kOrder + 1];    // ascending from the smallest int; the rest has the largest
  bool is_leaf;
  int keys;
};

__device__ inline bool begins_interval(const Node& node, int thread, int key) {
  return node.key[thread] <= key && node.key[thread + 1] > key;
}

__global__ void find_key(const Node* nodes, long count, long levels, const int* keys, long* node,
                         long* next, const int* values, int* records) {
  const int query = blockIdx.x, thread = threadIdx.x;
  for (long level = 1; level < levels; ++level) {
    if (begins_interval(nodes[node[query]], thread, keys[query])) {
      const int child = nodes[next[query]].child[thread];
      if (child < count) next[query] = child;
    }
    __syncthreads();
    if (thread == 0) node[query] = next[query];
    __syncthreads();
  }
  const Node& leaf = nodes[node[query]];
  if (leaf.key[thread] == keys[query]) records[query] = values[leaf.child[thread]];
}

__global__ void find_range(const Node* nodes, long count, long levels, const int* starts,
                           const int* ends, long* node, long* next, long* last_node,
                           long* last_next, int* first, int* length) {
  const int query = blockIdx.x, thread = threadIdx.x;
  for (long level = 1; level < levels; ++level) {
    if (begins_interval(nodes[node[query]], thread, starts[query])) {
      const int child = nodes[node[query]].child[thread];
      if (child < count) next[query] = child;
    }
    if (begins_interval(nodes[last_node[query]], thread, ends[query])) {
      const int child = nodes[last_node[query]].child[thread];
      if (child < count) last_next[query] = child;
    }
    __syncthreads();
    if (thread == 0) {
      node[query] = next[query];
      last_node[query] = last_next[query];
    }
    __syncthreads();
  }
  const Node& leaf = nodes[node[query]];
  if (leaf.key[thread] == starts[query]) first[query] = leaf.child[thread];
  __syncthreads();
  const Node& last = nodes[last_node[query]];
  if (last.key[thread] == ends[query]) length[query] = last.child[thread] - first[query] + 1;
}

// Keys 0, 1, 2 ... with records in the same order. Nodes are half full, as after insertions in
// ascending order. Node 0 is the root. The first key of a node is the smallest int: in an inner
// node that of its first child, in a leaf one more key.
static std::vector<Node> build_tree(int records, int fill, int& levels) {
  constexpr int kSmallest = -0x7fffffff - 1, kLargest = 0x7fffffff;
  struct Entry {
    int key, child;
  };
  std::vector<std::vector<Node>> rows;
  std::vector<Entry> entries(records);
  for (int i = 0; i < records; ++i) entries[i] = {i, i};
  do {
    std::vector<Node> row;
    std::vector<Entry> above;
    const bool is_leaf = rows.empty();
    for (std::size_t from = 0; from < entries.size(); from += fill) {
      const int used = static_cast<int>(std::min(entries.size() - from, std::size_t(fill)));
      Node node{};
      std::fill(std::begin(node.key), std::end(node.key), kLargest);
      for (int i = 0; i < used; ++i) {
        node.key[i + is_leaf] = entries[from + i].key;
        node.child[i + is_leaf] = entries[from + i].child;
      }
      node.key[0] = kSmallest;
      node.is_leaf = is_leaf;
      node.keys = used + is_leaf;
      above.push_back({entries[from].key, static_cast<int>(row.size())});
      row.push_back(node);
    }
    rows.push_back(row);
    entries = above;
  } while (entries.size() > 1);
  levels = static_cast<int>(rows.size());
  std::vector<Node> nodes;
  for (int level = levels - 1; level >= 0; --level) {  // children follow the nodes of their row
    const int below = static_cast<int>(nodes.size() + rows[level].size());
    for (Node node : rows[level]) {
      if (level > 0)
        for (int& child : node.child) child += below;
      node.number = static_cast<int>(nodes.size());
      nodes.push_back(node);
    }
  }
  return nodes;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "btree",
      {{"records", 5000, 100000, 1000000}, {"keys", 20, 600, 10000}, {"ranges", 12, 360, 6000}});
  const int records = sizes[0], keys = sizes[1], ranges = sizes[2];
  int levels = 0;
  const std::vector<Node> nodes = build_tree(records, kOrder / 2, levels);
  Random random(73);
  std::vector<int> wanted(keys), starts(ranges), ends(ranges);
  for (int& key : wanted) key = random.below(records);
  const int range = std::min(kRange, records / 2);
  for (int i = 0; i < ranges; ++i) {
    starts[i] = std::min(random.below(records), records - 1 - range);
    ends[i] = starts[i] + range;
  }
  const long count = static_cast<long>(nodes.size());
  std::vector<int> numbers(records);
  for (int i = 0; i < records; ++i) numbers[i] = i;
  DeviceArray<Node> tree(nodes);
  DeviceArray<int> device_wanted(wanted), device_starts(starts), device_ends(ends), values(numbers);
  DeviceArray<long> range_node(ranges), range_next(ranges), last_node(ranges), last_next(ranges);
  DeviceArray<int> first(ranges), length(ranges);
  find_range<<<ranges, kOrder>>>(tree.get(), count, levels, device_starts.get(), device_ends.get(),
                                 range_node.get(), range_next.get(), last_node.get(),
                                 last_next.get(), first.get(), length.get());
  finish("find_range");
  DeviceArray<long> node(keys), next(keys);
  DeviceArray<int> found(std::vector<int>(keys, kNone));
  find_key<<<keys, kOrder>>>(tree.get(), count, levels, device_wanted.get(), node.get(), next.get(),
                             values.get(), found.get());
  finish("find_key");

  long wrong = 0;
  const std::vector<int> records_found = found.host(), firsts = first.host(),
                         lengths = length.host();
  for (int i = 0; i < keys; ++i) wrong += records_found[i] != wanted[i];
  for (int i = 0; i < ranges; ++i)
    wrong += firsts[i] != starts[i] || lengths[i] != ends[i] - starts[i] + 1;
  return verdict(wrong, keys + ranges);
}
