// Numbers of the pseudorandom generators, on the device and on the host.
#include <cstdlib>

#include "curand/sequences.h"

namespace heddle::rand {
namespace {

template <class Sequence, class Distribution>
__global__ void generate(Batches t, Distribution distribution, typename Distribution::Number* out) {
  const size_t index = first_index();
  if (index < t.count && index < t.batches)
    make_batches<Sequence>(t, static_cast<unsigned>(index), distribution, out);
}

template <class Sequence, class Distribution>
Status run(curandGenerator_t g, const Request& r, const Distribution& distribution) {
  constexpr int kBatch = Sequence::kBatch ? Sequence::kBatch : Distribution::kNumbers;
  if (kBatch == 2 && r.n % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  auto* out = static_cast<typename Distribution::Number*>(r.out);
  Batches t{static_cast<uint32_t*>(g->states),
            g->seed,
            subsequences(*g),
            g->subsequence,
            g->part,
            static_cast<size_t>(ceil_div(g->part + r.n, kBatch)),
            r.n};
  const unsigned active = static_cast<unsigned>(std::min<size_t>(t.batches, t.count));
  if (g->on_host) {
    for (unsigned i = 0; i < active; ++i) make_batches<Sequence>(t, i, distribution, out);
  } else {
    generate<Sequence>
        <<<ceil_div(active, kThreads), kThreads, 0, g->stream>>>(t, distribution, out);
  }
  const size_t used = g->part + r.n;
  g->subsequence = static_cast<unsigned>((g->subsequence + used / kBatch) % t.count);
  g->part = static_cast<unsigned>(used % kBatch);
  return g->on_host ? CURAND_STATUS_SUCCESS : launched();
}

Status seed(curandGenerator_t g) {
  const Seeded s = seed_states(*g);
  if (!s.states) return CURAND_STATUS_ALLOCATION_FAILED;
  const size_t words = g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? Philox::kWords : Mrg::kWords;
  const Status status = set_states(g, s.states, s.count * words * sizeof(uint32_t));
  std::free(s.states);
  g->subsequence = s.first;
  g->part = s.part;
  return status;
}

}  // namespace

template <class T>
Status generate_pseudo(curandGenerator_t g, const Request& request) {
  if (!g->seeded) {
    if (const Status status = seed(g)) return status;
    g->seeded = true;
  }
  if (request.n == 0) return CURAND_STATUS_SUCCESS;
  return with_distribution<T, false>(request, [&](const auto& distribution) {
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) return run<Philox>(g, request, distribution);
    if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) return run<Mrg>(g, request, distribution);
    return run<Xorwow>(g, request, distribution);
  });
}
template Status generate_pseudo<uint32_t>(curandGenerator_t, const Request&);
template Status generate_pseudo<float>(curandGenerator_t, const Request&);
template Status generate_pseudo<double>(curandGenerator_t, const Request&);

}  // namespace heddle::rand
