#include "exec/isa/remote.h"

#include <gtest/gtest.h>

#include "exec/state/warps.h"
#include "tests/exec/builder.h"

namespace heddle::exec {
namespace {

using test::Bench;
using test::Builder;

// Each thread of CTA 1 stores its number in the memory of CTA 0 and loads what is there.
ptx::Kernel kernel_of_pairs() {
  Builder b;
  b.kernel.shared_bytes = 256;
  const ptx::Operand tid = b.special(ptx::SpecialRegister::tid_x), at = b.reg32(), v = b.reg32();
  b.emit(ptx::Opcode::shl, ptx::Type::b32, {at}, {tid, b.imm32(2)});
  b.emit(ptx::Opcode::add, ptx::Type::u32, {at}, {at, b.imm32(kClusterBase)});
  b.st(ptx::Space::shared, ptx::Type::u32, at, tid);
  b.ld(ptx::Space::shared, ptx::Type::u32, v, at, 128);
  b.ret();
  return b.kernel;
}

class RemoteAccesses : public testing::Test {
 protected:
  RemoteAccesses() {
    launch.cluster = {2, 1, 1};
    launch.clusters = std::make_shared<ClusterCtas>(ClusterShape{launch.grid, launch.cluster});
    for (std::uint32_t sm = 0; sm < 2; ++sm) {
      sources.push_back(make_live_source(launch, bench.memory, {.sm = sm}, 1));
      const WarpSlot slot(0);
      sources[sm]->start_cta(0, sm, std::span(&slot, 1));
    }
  }
  Machine& machine() { return sources[1]->warps()->machine(); }
  Step step() {
    Step out;
    sources[1]->step(WarpSlot(0), Cycle{1}, out);
    return out;
  }
  std::uint32_t word(std::size_t n) {
    std::uint32_t value = 0;
    std::memcpy(&value, sources[0]->warps()->cta(0).shared.data() + 4 * n, 4);
    return value;
  }

  Bench bench;
  ptx::Kernel kernel = kernel_of_pairs();
  Launch launch = bench.launch(kernel, {2, 1, 1}, {32, 1, 1});
  std::vector<std::unique_ptr<InstructionSource>> sources;
};

TEST_F(RemoteAccesses, AStoreActsWhenItArrives) {
  step(), step();
  const Step store = step();
  EXPECT_EQ(store.remote_lanes, LaneMask::all());
  EXPECT_EQ(store.remote_sectors, 4u);
  EXPECT_EQ(word(5), 0u);
  const auto parts = remote_parts(machine(), store.remote);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].sm, 0u);
  EXPECT_EQ(parts[0].sectors, 4u);
  perform_remote(machine(), store.remote);
  EXPECT_EQ(word(5), 5u);
  EXPECT_EQ(machine().remote.pending(), 0u);
}

TEST_F(RemoteAccesses, ALoadWritesItsRegistersWhenItArrives) {
  step(), step(), step();
  const Step load = step();
  const std::uint32_t value = 77;
  std::memcpy(sources[0]->warps()->cta(0).shared.data() + 128 + 4 * 9, &value, 4);
  perform_all_remote(machine());  // the store, too
  EXPECT_EQ(word(9), 9u);
  const DecodedInstruction& r = machine().code[load.pc];
  const Warp& w = sources[1]->warps()->warp(0);
  std::uint32_t loaded = 0;
  std::memcpy(&loaded, w.bases[0] + r.dst[0] + std::size_t{4} * 9, 4);
  EXPECT_EQ(loaded, 77u);
}

TEST_F(RemoteAccesses, AnAccessToACtaThatHasEndedIsAFault) {
  step(), step();
  const Step store = step();
  sources[0]->end_cta(0);
  EXPECT_THROW(perform_remote(machine(), store.remote), KernelFault);
}

TEST_F(RemoteAccesses, BytesOfABulkCopyArriveWithTheWindow) {
  machine().sent_bytes.push_back({.warp = &sources[1]->warps()->warp(0),
                                  .decoded = &machine().code[0],
                                  .cta = 1,
                                  .to = 16,
                                  .bytes = {1, 2, 3, 4}});
  deliver_sent_bytes(machine());
  EXPECT_EQ(word(4), 0x04030201u);
  EXPECT_TRUE(machine().sent_bytes.empty());
}

}  // namespace
}  // namespace heddle::exec
