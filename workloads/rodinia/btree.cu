// Look-ups in a B+ tree, as Rodinia's b+tree: a CTA per query, a thread per key of a node. At each
// level the thread whose key begins the query's interval stores the child; two barriers per level.
// find_key returns the record of a key, find_range the first record of a range and their number.
#include "../common.h"

using namespace workload;

constexpr int kOrder = 256, kNone = -1;

struct Node {
  int child[kOrder + 1];  // of an inner node: the node below; of a leaf: the record
  int key[kOrder + 1];    // ascending; the rest has the largest int
};

__device__ inline void descend(const Node* nodes, int key, int* node, int* next) {
  const int thread = threadIdx.x;
  if (nodes[*node].key[thread] <= key && nodes[*node].key[thread + 1] > key)
    *next = nodes[*node].child[thread];
  __syncthreads();
  if (thread == 0) *node = *next;
  __syncthreads();
}

__global__ void find_key(const Node* nodes, int levels, const int* keys, int* node, int* next,
                         int* records) {
  const int query = blockIdx.x;
  for (int level = 1; level < levels; ++level)
    descend(nodes, keys[query], &node[query], &next[query]);
  const Node& leaf = nodes[node[query]];
  if (leaf.key[threadIdx.x] == keys[query]) records[query] = leaf.child[threadIdx.x];
}

__global__ void find_range(const Node* nodes, int levels, const int* starts, const int* ends,
                           int* node, int* next, int* last_node, int* last_next, int* first,
                           int* length) {
  const int query = blockIdx.x, thread = threadIdx.x;
  for (int level = 1; level < levels; ++level) {
    descend(nodes, starts[query], &node[query], &next[query]);
    descend(nodes, ends[query], &last_node[query], &last_next[query]);
  }
  const Node &leaf = nodes[node[query]], &last = nodes[last_node[query]];
  if (leaf.key[thread] == starts[query]) first[query] = leaf.child[thread];
  __syncthreads();
  if (last.key[thread] == ends[query]) length[query] = last.child[thread] - first[query] + 1;
}

// Keys 0, 2, 4 ... with records in the same order. Nodes are half full, as after insertions in
// ascending order. Node 0 is the root.
static std::vector<Node> build_tree(int records, int fill, int& levels) {
  struct Entry {
    int key, child;
  };
  std::vector<std::vector<Node>> rows;
  std::vector<Entry> entries(records);
  for (int i = 0; i < records; ++i) entries[i] = {2 * i, i};
  do {
    std::vector<Node> row;
    std::vector<Entry> above;
    for (std::size_t from = 0; from < entries.size(); from += fill) {
      Node node;
      for (int i = 0; i <= kOrder; ++i) {
        const bool used = i < fill && from + i < entries.size();
        node.key[i] = used ? entries[from + i].key : 0x7fffffff;
        node.child[i] = used ? entries[from + i].child : 0;
      }
      above.push_back({node.key[0], static_cast<int>(row.size())});
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
  for (int& key : wanted) key = random.below(2 * records);  // half of them are in the tree
  for (int i = 0; i < ranges; ++i) {
    starts[i] = 2 * random.below(records);
    ends[i] = starts[i] + 2 * random.below(1000);
    if (ends[i] > 2 * (records - 1)) ends[i] = 2 * (records - 1);
  }
  DeviceArray<Node> tree(nodes);
  DeviceArray<int> device_wanted(wanted), device_starts(starts), device_ends(ends);
  DeviceArray<int> node(keys), next(keys), found(std::vector<int>(keys, kNone));
  find_key<<<keys, kOrder>>>(tree.get(), levels, device_wanted.get(), node.get(), next.get(),
                             found.get());
  finish("find_key");
  DeviceArray<int> range_node(ranges), range_next(ranges), last_node(ranges), last_next(ranges),
      first(ranges), length(ranges);
  find_range<<<ranges, kOrder>>>(tree.get(), levels, device_starts.get(), device_ends.get(),
                                 range_node.get(), range_next.get(), last_node.get(),
                                 last_next.get(), first.get(), length.get());
  finish("find_range");

  long wrong = 0;
  const std::vector<int> records_found = found.host(), firsts = first.host(),
                         lengths = length.host();
  for (int i = 0; i < keys; ++i)
    wrong += records_found[i] != (wanted[i] % 2 ? kNone : wanted[i] / 2);
  for (int i = 0; i < ranges; ++i)
    wrong += firsts[i] != starts[i] / 2 || lengths[i] != (ends[i] - starts[i]) / 2 + 1;
  return verdict(wrong, keys + ranges);
}
