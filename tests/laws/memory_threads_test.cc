// The memory system gives the same replies in the same cycles when threads share its partitions.
// SMs are replaced by sources of random traffic.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "gpu/engine/worker_team.h"
#include "mem/memory_system.h"
#include "stats/fields.h"
#include "tests/mem/memory_bench.h"

namespace heddle::laws {
namespace {

using Answer = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t,
                          std::uint32_t>;  // cycle, address, tag, sectors

// Receives replies and sends requests at random.
struct Source {
  std::mt19937 dice;
  std::uint32_t tag = 0;
  std::vector<Answer> answers;

  void run(mem::SmPort& port, std::uint32_t sm, Cycle from, Cycle to) {
    for (Cycle now = from; now < to; ++now) {
      if (port.has_reply(now)) {
        const mem::Packet& reply = port.reply();
        answers.emplace_back(now.value, reply.address.value, reply.tag, reply.sectors);
        port.pop_reply();
      }
      if (tag == 400 || dice() % 3 || !port.can_send()) continue;
      const mem::PacketKind kinds[] = {mem::PacketKind::read, mem::PacketKind::read,
                                       mem::PacketKind::write, mem::PacketKind::atomic};
      mem::Packet packet =
          mem::MemoryBench::packet(kinds[dice() % 4], dice() % 4096 * 32, 32, ++tag);
      packet.origin.sm = static_cast<std::uint16_t>(sm);
      packet.issued = now;
      port.send(now, packet);
    }
  }
};

class OrderOfAtomics final : public mem::AtomicUnit {
 public:
  void perform(const mem::Packet& packet) override {
    order.emplace_back(packet.origin.sm, packet.tag);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
};

class Machine {
 public:
  explicit Machine(std::uint32_t threads) : team_(threads) {
    std::vector<mem::SmPort*> pointers;
    for (std::uint32_t i = 0; i < spec_.sms(); ++i) {
      ports_.push_back(std::make_unique<mem::SmPort>(2 * spec_.network.injection_packets,
                                                     spec_.network.ejection_packets,
                                                     mem::SmPort::Sides::at_once));
      pointers.push_back(ports_.back().get());
      sources_.push_back({std::mt19937(i), 0, {}});
    }
    memory_ = std::make_unique<mem::MemorySystem>(spec_, pointers, atomics_);
  }

  // The same steps as in Engine::run_window.
  void run(std::uint32_t windows) {
    for (std::uint32_t k = 0; k < windows; ++k) {
      const Cycle to = now_ + spec_.network.window();
      for (std::uint32_t i = 0; i < sources_.size(); ++i) team_.add_free(i, i % team_.threads());
      for (std::uint32_t p = 0; p < memory_->partitions(); ++p)
        team_.add_gated(p, p % team_.threads());
      Work work(*this, to);
      team_.run(true, work);
      for (auto& port : ports_) port->settle();
      memory_->perform_atomics();
      now_ = to;
    }
    memory_->check_conservation();
  }

  std::vector<std::vector<Answer>> answers() const {
    std::vector<std::vector<Answer>> all;
    for (const Source& source : sources_) all.push_back(source.answers);
    return all;
  }
  const OrderOfAtomics& atomics() const { return atomics_; }
  mem::MemoryStats stats() const { return memory_->stats(); }
  bool idle() const { return memory_->idle(); }

 private:
  class Work final : public gpu::WorkerTeam::Work {
   public:
    Work(Machine& machine, Cycle to) : machine_(machine), to_(to) {}
    void before_gated() override { machine_.memory_->take_requests(machine_.now_, to_); }
    void run_free(std::uint32_t sm, std::uint32_t) override {
      machine_.sources_[sm].run(*machine_.ports_[sm], sm, machine_.now_, to_);
    }
    void run_gated(std::uint32_t partition) override { machine_.memory_->run_partition(partition); }
    void after_gated() override { machine_.memory_->make_replies(); }

   private:
    Machine& machine_;
    Cycle to_;
  };

  config::GpuSpec spec_ = mem::gtx480_memory();
  OrderOfAtomics atomics_;
  std::vector<std::unique_ptr<mem::SmPort>> ports_;
  std::vector<Source> sources_;
  std::unique_ptr<mem::MemorySystem> memory_;
  Cycle now_;
  gpu::WorkerTeam team_;
};

TEST(MemoryThreads, SharedPartitionsGiveTheSameReplies) {
  constexpr std::uint32_t kWindows = 2500;
  Machine alone(1);
  alone.run(kWindows);
  EXPECT_TRUE(alone.idle());
  std::size_t answered = 0;
  for (const auto& answers : alone.answers()) answered += answers.size();
  EXPECT_EQ(answered, 15u * 400);
  for (const std::uint32_t threads : {2u, 3u, 8u}) {
    Machine shared(threads);
    shared.run(kWindows);
    EXPECT_EQ(shared.answers(), alone.answers()) << threads << " threads";
    EXPECT_EQ(shared.atomics().order, alone.atomics().order) << threads << " threads";
    EXPECT_EQ(shared.stats().access_time, alone.stats().access_time);
    EXPECT_EQ(shared.stats().dram.row_hits, alone.stats().dram.row_hits);
  }
}

}  // namespace
}  // namespace heddle::laws
