#include "gpu/engine/cluster_network.h"

#include <algorithm>
#include <utility>

#include "exec/isa/remote.h"
#include "exec/state/warps.h"

namespace heddle::gpu {

ClusterNetwork::ClusterNetwork(Hardware& hardware, WindowClock& clock,
                               const RunningKernels& running)
    : hardware_(hardware),
      clock_(clock),
      running_(running),
      free_(hardware.sms()),
      last_arrival_(hardware.sms()) {}

Cycle ClusterNetwork::next_arrival() const {
  return arrivals_.empty() ? Cycle::never() : arrivals_.front().at;
}

Cycle ClusterNetwork::window_end(Cycle at) const {
  const std::uint64_t window = clock_.window_cycles();
  return Cycle{(at.value + window - 1) / window * window};
}

void ClusterNetwork::end_window() {
  const bool clusters = std::any_of(running_.begin(), running_.end(),
                                    [](const auto& k) { return k->launch.clusters != nullptr; });
  if (!clusters) return;
  take_requests();
  perform_arrivals();
  for (const auto& k : running_)
    if (k->launch.clusters) open_barriers(*k);
}

void ClusterNetwork::take_requests() {
  std::vector<std::pair<sm::RemoteRequest, std::size_t>> sent;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    for (const sm::RemoteRequest& request : hardware_.sm(i).take_remote_requests())
      sent.emplace_back(request, i);
  std::stable_sort(sent.begin(), sent.end(),
                   [](const auto& a, const auto& b) { return a.first.at < b.first.at; });
  const std::uint32_t latency = hardware_.spec().cluster_network.latency;
  for (const auto& [request, sm] : sent) {
    const Cycle arrival = arrival_of(sm, request);
    if (request.access != exec::kNoRemoteAccess)
      arrivals_.push_back({arrival, sm, request.kernel, request.access});
    const Cycle answer =
        std::max({arrival + (latency - latency / 2), window_end(arrival), clock_.now()});
    clock_.change(
        sm, [&, from = sm, &what = request] { hardware_.sm(from).answer_remote(what, answer); });
  }
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
}

// The accesses of an SM arrive in the order in which it has sent them.
Cycle ClusterNetwork::arrival_of(std::size_t sm, const sm::RemoteRequest& request) {
  const config::ClusterNetworkSpec& spec = hardware_.spec().cluster_network;
  const Cycle soonest = request.at + spec.latency / 2;
  Cycle last = soonest;
  if (request.access != exec::kNoRemoteAccess) {
    exec::Machine& machine = running_.numbered(request.kernel)->sources[sm]->warps()->machine();
    for (const exec::RemotePart& part : exec::remote_parts(machine, request.access)) {
      const Cycle taken = std::max(soonest, free_[part.sm]);
      free_[part.sm] = taken + part.sectors * spec.cycles_per_sector();
      last = std::max(last, taken);
    }
  }
  last_arrival_[sm] = std::max(last, last_arrival_[sm]);
  return last_arrival_[sm];
}

void ClusterNetwork::perform_arrivals() {
  const auto later = std::find_if(arrivals_.begin(), arrivals_.end(),
                                  [&](const Arrival& a) { return a.at > clock_.now(); });
  for (auto a = arrivals_.begin(); a != later; ++a)
    if (RunningKernel* const k = running_.numbered(a->kernel))
      exec::perform_remote(k->sources[a->sm]->warps()->machine(), a->access);
  arrivals_.erase(arrivals_.begin(), later);
}

void ClusterNetwork::open_barriers(RunningKernel& k) {
  const exec::ClusterCtas& clusters = *k.launch.clusters;
  std::vector<std::uint64_t> changed;
  for (const auto& source : k.sources) {
    for (const std::uint64_t cta : source->warps()->machine().cluster_changes)
      changed.push_back(clusters.shape.place_of(cta).cluster);
    source->warps()->machine().cluster_changes.clear();
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  // An arrival is a release: what its warp has sent must have acted before.
  for (const std::uint64_t cluster : changed) {
    if (clusters.all_arrived(cluster))
      open_barrier(k, cluster);
    else
      k.sources.front()->warps()->machine().cluster_changes.push_back(
          clusters.shape.cta_at({cluster, 0}));
  }
}

// It opens when the last arrival has gone through the network, and after what the CTAs have sent
// each other before has arrived.
void ClusterNetwork::open_barrier(const RunningKernel& k, std::uint64_t cluster) {
  const exec::ClusterCtas& clusters = *k.launch.clusters;
  std::vector<std::pair<std::size_t, std::uint64_t>> ctas;
  Cycle last;
  for (std::uint32_t rank = 0; rank < clusters.shape.ctas(); ++rank) {
    const std::uint64_t number = clusters.shape.cta_at({cluster, rank});
    exec::Cta* const cta = clusters.entries[number].cta;
    if (!cta) continue;
    const std::size_t sm = cta->warps.front()->machine->view.sm;
    ctas.emplace_back(sm, number);
    cta->cluster_opens = true;
    last = std::max({last, Cycle{cta->cluster_time}, last_arrival_[sm]});
  }
  const Cycle at =
      std::max({last + hardware_.spec().cluster_network.latency, window_end(last), clock_.now()});
  for (const auto& [sm, number] : ctas)
    clock_.change(
        sm, [&, i = sm, cta = number] { hardware_.sm(i).open_cluster_barrier(cta, at, k.number); });
}

}  // namespace heddle::gpu
