// The number of ways to place n queens on a board, as NQU of the ISPASS 2009 benchmarks: the host
// places queens in the first rows, a thread places the others by backtracking, with its stack in
// shared memory; CTAs of 96. Most of the 256 CTAs have no board.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 96, kMaxRows = 12;

struct Board {
  unsigned columns, left, right;  // attacked places of the next row
};

__global__ void place_queens(const Board* boards, int* solutions, int count, int rows, int n) {
  __shared__ unsigned free[kBlock][kMaxRows], columns[kBlock][kMaxRows], left[kBlock][kMaxRows],
      right[kBlock][kMaxRows];
  __shared__ int sums[kBlock];
  const int thread = threadIdx.x, i = blockIdx.x * kBlock + thread;
  const unsigned all = (1u << n) - 1;
  int found = 0;
  if (i < count) {
    const Board start = boards[i];
    int depth = 0;
    columns[thread][0] = start.columns;
    left[thread][0] = start.left;
    right[thread][0] = start.right;
    free[thread][0] = all & ~(start.columns | start.left | start.right);
    while (depth >= 0) {
      const unsigned places = free[thread][depth];
      if (places == 0) {
        --depth;
        continue;
      }
      const unsigned place = places & (0u - places);
      free[thread][depth] = places ^ place;
      if (depth + 1 == rows) {
        ++found;
        continue;
      }
      const unsigned c = columns[thread][depth] | place, l = (left[thread][depth] | place) << 1,
                     r = (right[thread][depth] | place) >> 1;
      ++depth;
      columns[thread][depth] = c;
      left[thread][depth] = l;
      right[thread][depth] = r;
      free[thread][depth] = all & ~(c | l | r);
    }
  }
  sums[thread] = found;
  __syncthreads();
  if (thread == 0) {
    int sum = 0;
    for (int k = 0; k < kBlock; ++k) sum += sums[k];
    if (blockIdx.x * kBlock < count) solutions[blockIdx.x] = sum;
  }
}

static void first_rows(std::vector<Board>& boards, Board board, int rows, int n) {
  if (rows == 0) {
    boards.push_back(board);
    return;
  }
  unsigned free = ((1u << n) - 1) & ~(board.columns | board.left | board.right);
  for (; free; free &= free - 1) {
    const unsigned place = free & (0u - free);
    first_rows(boards,
               {board.columns | place, (board.left | place) << 1, (board.right | place) >> 1},
               rows - 1, n);
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "nqu",
                    {{"queens", 6, 10, 10}, {"first_rows", 2, 2, 2}, {"blocks", 3, 256, 256}});
  const int n = sizes[0], first = sizes[1], blocks = sizes[2];
  const int known[] = {0, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  if (n > kMaxRows || first >= n) return verdict(1, 1);
  std::vector<Board> boards;
  first_rows(boards, {0, 0, 0}, first, n);
  if (int(boards.size()) > blocks * kBlock) return verdict(1, 1);
  DeviceArray<Board> device_boards(boards);
  DeviceArray<int> solutions(blocks);
  place_queens<<<blocks, kBlock>>>(device_boards.get(), solutions.get(), int(boards.size()),
                                   n - first, n);
  finish("place_queens");
  long sum = 0;
  for (int count : solutions.host()) sum += count;
  std::printf("%ld solutions\n", sum);
  return verdict(sum != known[n], 1);
}
