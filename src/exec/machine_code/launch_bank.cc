// Sources: redplait/denvdis test/nv_cb0.cc, and what ptxas 13.0 reads there for sm_75 to sm_90.
#include "exec/machine_code/launch_bank.h"

#include <algorithm>
#include <cstring>

#include "sass/kernel.h"

namespace heddle::exec {
namespace {

// Byte offsets; those of clusters are of sm_90.
constexpr std::size_t kBlock = 0x0, kGrid = 0xc, kSharedWindowAt = 0x18, kLocalWindowAt = 0x20,
                      kStackAt = 0x28, kSmsAt = 0x2c, kExplicitCluster = 0x140,
                      kClusterCtas = 0x144, kInverseClusterCtas = 0x150, kClusters = 0x15c,
                      kCtasOfCluster = 0x188, kParametersAt = 0x198;

template <class T>
void put(std::vector<std::uint8_t>& bank, std::size_t at, T value) {
  std::memcpy(bank.data() + at, &value, sizeof value);
}
void put(std::vector<std::uint8_t>& bank, std::size_t at, const Dim3& d) {
  put(bank, at, d.x), put(bank, at + 4, d.y), put(bank, at + 8, d.z);
}

}  // namespace

std::vector<std::uint8_t> launch_bank(const Machine& m) {
  const auto& kernel = static_cast<const sass::Kernel&>(m.kernel());
  const std::size_t first = std::max<std::size_t>(kernel.parameter_base, 0x160);
  std::vector<std::uint8_t> bank(first + (m.launch.parameters.size() + 15) / 16 * 16);
  put(bank, kBlock, m.launch.block);
  put(bank, kGrid, m.launch.grid);
  put(bank, kSharedWindowAt, m.map.shared_window);
  put(bank, kLocalWindowAt, m.map.local_window);
  put(bank, kStackAt, m.local_bytes);
  put(bank, kSmsAt, m.view.sms);
  // %envreg1 and %envreg2: the workspace of a cooperative grid, high word first.
  const std::size_t workspace = kernel.architecture >= 90 ? 0x44 : 0x8c;
  put(bank, workspace, static_cast<std::uint32_t>(m.launch.grid_workspace >> 32));
  put(bank, workspace + 4, static_cast<std::uint32_t>(m.launch.grid_workspace));
  if (kernel.architecture >= 90) {
    const Dim3 &cluster = m.launch.cluster, &grid = m.launch.grid;
    put(bank, kExplicitCluster, std::uint32_t{m.launch.explicit_cluster});
    put(bank, kClusterCtas, cluster);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::uint32_t ctas = 1;
      std::memcpy(&ctas, bank.data() + kClusterCtas + 4 * axis, sizeof ctas);
      put(bank, kInverseClusterCtas + 4 * axis, 1.0f / static_cast<float>(ctas));
    }
    put(bank, kClusters, Dim3{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z});
    put(bank, kCtasOfCluster, static_cast<std::uint32_t>(cluster.count()));
    put(bank, kParametersAt, kParamWindow);
  }
  std::copy(m.launch.parameters.begin(), m.launch.parameters.end(),
            bank.begin() + static_cast<std::ptrdiff_t>(first));
  for (const auto& [offset, handle] : kernel.handles) {
    bank.resize(std::max<std::size_t>(bank.size(), (offset + sizeof handle + 15) / 16 * 16));
    put(bank, offset, handle);
  }
  return bank;
}

}  // namespace heddle::exec
