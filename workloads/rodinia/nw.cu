// Alignment of two sequences by Needleman and Wunsch, as in Rodinia: tiles of 16x16 scores, CTAs of
// 16 threads, a launch per diagonal of tiles. A CTA has its tile in shared memory and advances by a
// diagonal of the tile per step, with a barrier.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kTile = 16, kPenalty = 10;

// Tile blockIdx.x of a diagonal of tiles, counted from the tile (first_x, first_y) up and right.
__global__ void diagonal(int* scores, const int* similarity, int width, int first_x, int first_y) {
  __shared__ int score[kTile + 1][kTile + 1], own[kTile][kTile];
  const int thread = threadIdx.x, left = (first_x + int(blockIdx.x)) * kTile,
            top = (first_y - int(blockIdx.x)) * kTile;
  const int corner = top * width + left;  // the score above and left of the tile
  const auto compute = [&](int x, int y) {
    score[y][x] = max(score[y - 1][x - 1] + own[y - 1][x - 1],
                      max(score[y][x - 1] - kPenalty, score[y - 1][x] - kPenalty));
  };
  if (thread == 0) score[0][0] = scores[corner];
  for (int row = 0; row < kTile; ++row)
    own[row][thread] = similarity[corner + (row + 1) * width + thread + 1];
  __syncthreads();
  score[thread + 1][0] = scores[corner + (thread + 1) * width];
  __syncthreads();
  score[0][thread + 1] = scores[corner + thread + 1];
  __syncthreads();
  // Diagonals of the tile: 1, 2 ... 16 scores, then 15, 14 ... 1.
  for (int last = 0; last < kTile; ++last) {
    if (thread <= last) compute(thread + 1, last - thread + 1);
    __syncthreads();
  }
  for (int last = kTile - 2; last >= 0; --last) {
    if (thread <= last) compute(thread + kTile - last, kTile - thread);
    __syncthreads();
  }
  for (int row = 0; row < kTile; ++row)
    scores[corner + (row + 1) * width + thread + 1] = score[row + 1][thread + 1];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "nw", {{"length", 64, 512, 1024}});
  const int tiles = blocks_for(sizes[0], kTile), width = tiles * kTile + 1;
  Random random(84);
  int table[24][24];  // of amino acids: symmetric, the diagonal is positive
  for (int a = 0; a < 24; ++a)
    for (int b = 0; b <= a; ++b)
      table[a][b] = table[b][a] = a == b ? 4 + random.below(8) : random.below(8) - 4;
  std::vector<int> first(width), second(width);
  for (int i = 0; i < width; ++i) first[i] = random.below(24), second[i] = random.below(24);
  std::vector<int> similarity(std::size_t(width) * width), scores(similarity.size());
  for (int y = 1; y < width; ++y)
    for (int x = 1; x < width; ++x)
      similarity[std::size_t(y) * width + x] = table[first[y]][second[x]];
  for (int i = 0; i < width; ++i) scores[i] = scores[std::size_t(i) * width] = -i * kPenalty;
  DeviceArray<int> device_scores(scores), device_similarity(similarity);
  for (int i = 0; i < 2 * tiles - 1; ++i) {
    const int first_x = std::max(0, i - tiles + 1), first_y = std::min(i, tiles - 1);
    diagonal<<<first_y - first_x + 1, kTile>>>(device_scores.get(), device_similarity.get(), width,
                                               first_x, first_y);
  }
  finish("diagonal");

  for (int y = 1; y < width; ++y) {
    for (int x = 1; x < width; ++x) {
      const std::size_t at = std::size_t(y) * width + x;
      scores[at] = std::max(scores[at - width - 1] + similarity[at],
                            std::max(scores[at - 1], scores[at - width]) - kPenalty);
    }
  }
  const std::vector<int> found = device_scores.host();
  long wrong = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) wrong += found[i] != scores[i];
  return verdict(wrong, static_cast<long>(scores.size()));
}
