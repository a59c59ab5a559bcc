// The mark phase of a tracing garbage collector, as the GC program of the CCWS and DAWS papers: a
// launch per distance from the roots. A thread takes an object of the work list, reads its header,
// walks over its references and marks each object that it finds; objects that were not marked
// before are appended to the next work list. Objects have different numbers of references.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

// Words of an object in the heap: the number of references, a mark, then the references.
enum { kReferences, kMark, kFirst };

__global__ void mark(int* heap, const int* work, int count, int* next_work, int* next_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int object = work[i];
  const int references = heap[object + kReferences];
#pragma unroll 1
  for (int k = 0; k < references; ++k) {
    const int target = heap[object + kFirst + k];
    if (target < 0) continue;  // a null reference
    if (atomicExch(&heap[target + kMark], 1) == 0) next_work[atomicAdd(next_count, 1)] = target;
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "gc", {{"objects", 2000, 60000, 500000}, {"roots", 16, 400, 2000}});
  const int objects = sizes[0], roots = std::min(sizes[1], objects);
  Random random(99);
  // The number of references: most objects have few, some arrays have many. Two references of
  // three lead to an object allocated nearby.
  std::vector<int> place(objects), references(objects), heap;
  for (int i = 0; i < objects; ++i) {
    references[i] = random.below(4) ? random.below(8) : random.below(64);
    place[i] = i == 0 ? 0 : place[i - 1] + kFirst + references[i - 1];
  }
  for (int i = 0; i < objects; ++i) {
    heap.insert(heap.end(), {references[i], 0});
    for (int k = 0; k < references[i]; ++k) {
      const int near_one = std::min(std::max(i + random.below(200) - 100, 0), objects - 1),
                target = random.below(3) ? near_one : random.below(objects);
      heap.push_back(random.below(4) ? place[target] : -1);
    }
  }
  std::vector<int> work(objects);
  std::vector<int> marked = heap;
  int count = 0;
  for (int i = 0; i < roots; ++i) {
    const int root = place[random.below(objects)];
    if (marked[root + kMark]) continue;
    heap[root + kMark] = marked[root + kMark] = 1;
    work[count++] = root;
  }
  std::vector<int> found(work.begin(), work.begin() + count);
  DeviceArray<int> device_heap(heap), first(work), second(objects), next_count(1);
  int *now = first.get(), *next = second.get();
  while (count > 0) {
    next_count.assign({0});
    mark<<<blocks_for(count, kBlock), kBlock>>>(device_heap.get(), now, count, next,
                                                next_count.get());
    finish("mark");
    count = next_count.host()[0];
    std::swap(now, next);
  }

  while (!found.empty()) {
    const int object = found.back();
    found.pop_back();
    for (int k = 0; k < marked[object + kReferences]; ++k) {
      const int target = marked[object + kFirst + k];
      if (target < 0 || marked[target + kMark]) continue;
      marked[target + kMark] = 1;
      found.push_back(target);
    }
  }
  const std::vector<int> result = device_heap.host();
  long wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i) wrong += result[i] != marked[i];
  return verdict(wrong, static_cast<long>(result.size()));
}
