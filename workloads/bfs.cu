// Breadth-first search, level by level. Two kernels per level: the nodes of the frontier visit
// their neighbours; then the nodes that were reached become the next frontier. Each thread reads an
// edge list: divergent loads and branches.
#include "common.h"

using namespace workload;

constexpr int kBlock = 512;

struct Graph {
  std::vector<int> first_edge;  // nodes + 1
  std::vector<int> target;
};

__global__ void expand(const int* first_edge, const int* target, unsigned char* frontier,
                       unsigned char* reached, const unsigned char* visited, int* distance,
                       int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  const int next = distance[node] + 1, end = first_edge[node + 1];
  for (int edge = first_edge[node]; edge < end; ++edge) {
    const int neighbour = target[edge];
    if (!visited[neighbour]) {  // several nodes may reach it: all write the same
      distance[neighbour] = next;
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

static Graph random_graph(int nodes, int degree) {
  Random random(5);
  Graph graph;
  graph.first_edge.push_back(0);
  for (int node = 0; node < nodes; ++node) {
    const int edges = 1 + random.below(2 * degree - 1);
    for (int i = 0; i < edges; ++i) graph.target.push_back(random.below(nodes));
    graph.first_edge.push_back(static_cast<int>(graph.target.size()));
  }
  return graph;
}

static std::vector<int> search_on_host(const Graph& graph, int source) {
  std::vector<int> distance(graph.first_edge.size() - 1, -1), queue{source};
  distance[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int node = queue[head];
    for (int edge = graph.first_edge[node]; edge < graph.first_edge[node + 1]; ++edge) {
      const int neighbour = graph.target[edge];
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

  DeviceArray<int> first_edge(graph.first_edge), target(graph.target), distance(start), more(1);
  DeviceArray<unsigned char> frontier(flags), visited(flags), reached(nodes);
  const int blocks = blocks_for(nodes, kBlock);
  int levels = 0;
  do {
    more.assign({0});
    expand<<<blocks, kBlock>>>(first_edge.get(), target.get(), frontier.get(), reached.get(),
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
