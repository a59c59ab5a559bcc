// Breadth-first search, level by level. Two kernels per level: the nodes of the frontier visit
// their neighbours; then the nodes that were reached become the next frontier. Each thread reads an
// edge list: divergent loads and branches.
#include <algorithm>

#include "common.h"

using namespace workload;

constexpr int kBlock = 512;

struct Node {
  int first_edge, edges;
};
struct Graph {
  std::vector<Node> nodes;
  std::vector<int> target;
};

// As in Rodinia's program, every trip of the loop reads its end and the distance again, because the
// stores in the loop might have changed them. These loads hit on lines of the trip before.
__global__ void expand(const Node* node_of, const int* target, unsigned char* frontier,
                       unsigned char* reached, const unsigned char* visited, int* distance,
                       int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  for (int edge = node_of[node].first_edge; edge < node_of[node].first_edge + node_of[node].edges;
       ++edge) {
    const int neighbour = target[edge];
    if (!visited[neighbour]) {  // several nodes may reach it: all write the same
      distance[neighbour] = distance[node] + 1;
      reached[neighbour] = 1;
    }
  }
}

__global__ void advance(unsigned char* frontier, unsigned char* reached, unsigned char* visited,
                        int* more, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !reached[node]) return;
  frontier[node] = 1;
  visited[node] = 1;
  reached[node] = 0;
  *more = 1;
}

// As Rodinia's graph generator: every node gets a few edges to random nodes, 2 to 4 for a degree of
// 6, and every edge leads both ways.
static Graph random_graph(int nodes, int degree) {
  Random random(5);
  const int least = std::max(degree / 2 - 1, 1), most = degree / 2 + 1;
  std::vector<std::vector<int>> targets_of(nodes);
  for (int node = 0; node < nodes; ++node) {
    const int edges = least + random.below(most - least + 1);
    for (int i = 0; i < edges; ++i) {
      const int other = random.below(nodes);
      targets_of[node].push_back(other);
      targets_of[other].push_back(node);
    }
  }
  Graph graph;
  for (const std::vector<int>& targets : targets_of) {
    graph.nodes.push_back({int(graph.target.size()), int(targets.size())});
    graph.target.insert(graph.target.end(), targets.begin(), targets.end());
  }
  return graph;
}

static std::vector<int> search_on_host(const Graph& graph, int source) {
  std::vector<int> distance(graph.nodes.size(), -1), queue{source};
  distance[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int node = queue[head];
    for (int i = 0; i < graph.nodes[node].edges; ++i) {
      const int neighbour = graph.target[graph.nodes[node].first_edge + i];
      if (distance[neighbour] >= 0) continue;
      distance[neighbour] = distance[node] + 1;
      queue.push_back(neighbour);
    }
  }
  return distance;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "bfs", {{"nodes", 512, 32768, 1000000}, {"degree", 3, 6, 6}});
  const int nodes = sizes[0], source = 0;
  const Graph graph = random_graph(nodes, sizes[1]);
  std::vector<unsigned char> flags(nodes, 0);
  flags[source] = 1;
  std::vector<int> start(nodes, -1);
  start[source] = 0;

  DeviceArray<Node> node_of(graph.nodes);
  DeviceArray<int> target(graph.target), distance(start), more(1);
  DeviceArray<unsigned char> frontier(flags), visited(flags), reached(nodes);
  const int blocks = blocks_for(nodes, kBlock);
  int levels = 0;
  do {
    more.assign({0});
    expand<<<blocks, kBlock>>>(node_of.get(), target.get(), frontier.get(), reached.get(),
                               visited.get(), distance.get(), nodes);
    finish("expand");
    advance<<<blocks, kBlock>>>(frontier.get(), reached.get(), visited.get(), more.get(), nodes);
    finish("advance");
    ++levels;
  } while (more.host()[0]);
  std::printf("%d levels\n", levels);

  const std::vector<int> found = distance.host(), expected = search_on_host(graph, source);
  long wrong = 0;
  for (int node = 0; node < nodes; ++node) wrong += found[node] != expected[node];
  return verdict(wrong, nodes);
}
