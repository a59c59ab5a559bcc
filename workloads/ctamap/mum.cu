// Matches DNA queries with a reference, after MUMmerGPU (Schatz et al., BMC Bioinformatics 2007). A
// thread takes a query and finds, for each of its suffixes, the longest prefix that the reference
// contains: it walks down the reference's suffix tree and follows a suffix link to the next suffix.
// The queries are pieces of a genome, the reference is the genome's first part; the sizes are those
// of the input in the benchmarks of Bakhoda et al., ISPASS 2009 (25 of 5,227,293 bases; 20,000).
// All threads share the upper nodes of the tree. The addresses depend on data. Version 1 has the
// tree and the reference in global memory, where the L1 holds them; version 2 has them in textures,
// as the original.
#include "../texture.h"
#include "image.h"
#include "suffix_tree.h"

using namespace workload;

struct GlobalTree {
  const SuffixTreeNode* nodes;
  const unsigned char* text;

  __device__ int child(int node, int symbol) const { return nodes[node].children[symbol]; }
  __device__ int start(int node) const { return nodes[node].start; }
  __device__ int end(int node) const { return nodes[node].end; }
  __device__ int link(int node) const { return nodes[node].link; }
  __device__ int symbol(int i) const { return text[i]; }
};

struct TextureTree {
  cudaTextureObject_t nodes, text;  // a node has 8 elements: children, start, end, link

  __device__ int child(int node, int symbol) const {
    return tex1Dfetch<int>(nodes, node * 8 + symbol);
  }
  __device__ int start(int node) const { return tex1Dfetch<int>(nodes, node * 8 + kSymbols); }
  __device__ int end(int node) const { return tex1Dfetch<int>(nodes, node * 8 + kSymbols + 1); }
  __device__ int link(int node) const { return tex1Dfetch<int>(nodes, node * 8 + kSymbols + 2); }
  __device__ int symbol(int i) const { return tex1Dfetch<unsigned char>(text, i); }
};

// matches[query * suffixes + i]: the length of the longest match of suffix i of a query. Suffixes
// below `shortest` symbols are left out.
template <class Tree>
__global__ void match(Tree tree, const unsigned char* queries, int* matches, int count, int length,
                      int shortest) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= count) return;
  const unsigned char* symbols = queries + query * length;
  const int suffixes = length - shortest + 1;
  int node = kRoot, depth = 0;  // the deepest node on the path, and the symbols that it spells
  int matched = 0;              // symbols of the suffix that match
  for (int i = 0; i < suffixes; ++i) {
    while (i + depth < length) {
      const int child = tree.child(node, symbols[i + depth]);
      if (child == 0) break;
      const int start = tree.start(child), below = depth + tree.end(child) - start;
      while (matched < below && i + matched < length &&
             (matched == depth || tree.symbol(start + matched - depth) == symbols[i + matched]))
        ++matched;
      if (matched < below) break;
      node = child;
      depth = below;
    }
    matches[query * suffixes + i] = matched;
    if (matched > 0) --matched;
    if (node != kRoot) {
      node = tree.link(node);
      --depth;
    }
  }
}

// Pieces of the genome in which one symbol of 20 is replaced.
std::vector<unsigned char> read_pieces(const std::vector<unsigned char>& genome, int count,
                                       int length, Random& random) {
  std::vector<unsigned char> queries;
  queries.reserve(std::size_t(count) * length);
  for (int q = 0; q < count; ++q) {
    const int from = random.below(int(genome.size()) - length);
    for (int i = 0; i < length; ++i)
      queries.push_back(random.below(20) ? genome[from + i] : (unsigned char)(random.below(4)));
  }
  return queries;
}

int main(int argc, char** argv) {
  const char* program = "mum";
  const Sizes sizes(argc, argv, program,
                    {{"queries", 256, 15360, 50000},
                     {"reference", 600, 20000, 20000},
                     {"genome", 1200, 5227293, 5227293},
                     {"length", 16, 25, 25},
                     {"shortest", 8, 20, 20},
                     {"block", 64, 64, 64},
                     {"version", 1, 1, 1}});
  const int count = sizes[0], length = sizes[3], shortest = sizes[4], version = sizes[6],
            suffixes = length - shortest + 1;
  if (version > 2) refuse(program, "version must be 1 (global memory) or 2 (textures)");
  if (shortest > length || length >= sizes[1] || sizes[1] > sizes[2])
    refuse(program, "shortest <= length < reference <= genome is necessary");
  const dim3 block = cta_shape(program, sizes[5], 1), grid(blocks_for(count, sizes[5]));
  Random random(57);
  std::vector<unsigned char> genome(sizes[2]);
  for (unsigned char& symbol : genome) symbol = (unsigned char)(random.below(4));
  const std::vector<unsigned char> queries = read_pieces(genome, count, length, random);
  std::vector<unsigned char> text(genome.begin(), genome.begin() + sizes[1]);
  text.push_back(kTerminator);
  const SuffixTree tree(text);

  DeviceArray<SuffixTreeNode> device_nodes(tree.nodes());
  DeviceArray<unsigned char> device_text(text), device_queries(queries);
  DeviceArray<int> device_matches(std::size_t(count) * suffixes);
  if (version == 1) {
    match<<<grid, block>>>(GlobalTree{device_nodes.get(), device_text.get()}, device_queries.get(),
                           device_matches.get(), count, length, shortest);
  } else {
    const int* numbers = device_nodes.get()->children;
    const TextureTree textures{linear_texture(numbers, tree.nodes().size() * 8),
                               linear_texture(device_text.get(), text.size())};
    match<<<grid, block>>>(textures, device_queries.get(), device_matches.get(), count, length,
                           shortest);
  }
  finish("match");

  const std::vector<int> matches = device_matches.host();
  const SortedSuffixes sorted(text);
  long wrong = 0, checked = 0;
  for (int query = 0; query < count; ++query) {
    const unsigned char* symbols = queries.data() + std::size_t(query) * length;
    for (int i = 0; i < suffixes; ++i, ++checked) {
      wrong += matches[std::size_t(query) * suffixes + i] !=
               sorted.longest_match(symbols + i, symbols + length);
    }
  }
  return verdict(wrong, checked);
}
