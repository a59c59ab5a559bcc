// The order of what kernels launch (CUDA Programming Guide, "CUDA Dynamic Parallelism"): streams of
// a grid, tail launches, and when a grid is complete. Knows no kernels and no time.
//
//   A grid's work in one stream runs in order; work of different streams is not ordered.
//   A grid is complete when its CTAs have ended and all its work is complete.
//   Its tail launches follow then, one after the other; the grid is complete after the last one.
//   A group takes the place of a grid without CTAs: the launch of a graph, whose nodes are its
//   work, and what contains the launch of a graph by the host.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace heddle::gpu {

class LaunchOrder {
 public:
  using Grid = std::uint64_t;  // number of a launch
  using Work = std::uint64_t;  // a launch, copy or event in a stream of a grid; from 1

  struct Stream {
    // cta: stream 0, which the threads of a CTA share; number: the CTA. thread: a thread's own
    // stream; number: the thread in the grid. named: a handle. alone: no order (fire and forget).
    enum class Kind : std::uint8_t { cta, thread, named, alone, tail } kind = Kind::cta;
    std::uint64_t number = 0;
    auto operator<=>(const Stream&) const = default;
  };

  // A launch by the host. It has no parent.
  void begin_root(Grid grid);
  // The same for a group, which ends by ctas_ended() and when its work is complete.
  void begin_root_group(Grid group);
  // A launch by the host that is work of a group.
  void begin_root_in(Grid group, Grid grid);
  // A group that is work of another one, and the group as which a launch runs.
  void begin_group_in(Grid outer, Grid group);
  void begin_group(Work launch, Grid group);
  // Work of a CTA: a launch or copy. Throws nothing; the grid runs.
  Work add(Grid parent, std::uint64_t cta, Stream stream);
  // Work that is complete as soon as it is reached: the record of an event; and work that waits for
  // other work, if that is not complete.
  Work add_record(Grid parent, std::uint64_t cta, Stream stream);
  void add_wait(Grid parent, std::uint64_t cta, Stream stream, Work for_work);

  // Work that may run now, in the order in which it became ready; each once.
  std::vector<Work> take_ready();
  // The launch runs as this grid. It is complete when the grid is.
  void begin(Work launch, Grid grid);
  void finish(Work copy);
  void ctas_ended(Grid grid);
  // Groups that have ended since the last call; their tail launches, if any, begin now.
  std::vector<Grid> take_ended_groups();
  // Launches by the host and their groups that have completed since the last call, in the order of
  // their completion.
  std::vector<Grid> take_complete();

  // No work that the CTA has added is incomplete, tail launches aside.
  bool is_idle(Grid grid, std::uint64_t cta) const;
  // 0: launched by the host, or a node of a graph.
  std::uint32_t depth(Grid grid) const { return static_cast<std::uint32_t>(grids_.at(grid).depth); }
  // The group whose work the grid is; none when it is work of a grid, or launched by the host.
  std::optional<Grid> group_of(Grid grid) const;
  // The group whose work a group is. Tail launches of groups belong where the first one belongs.
  Grid outer_group(Grid group) const;
  // Is the grid, or one that it descends from, work of this CTA?
  bool descends(Work work, Grid grid, std::uint64_t cta) const;
  std::size_t incomplete() const { return items_.size(); }

 private:
  enum class Effect : std::uint8_t { run, record, wait, begun };
  struct Item {
    Grid parent = 0;
    std::uint64_t cta = 0;
    Stream stream;
    Effect effect = Effect::run;
    Work awaited = 0;
  };
  struct State {
    Work launched_by = 0;  // 0: the host
    int depth = 0;         // -1: a group
    bool by_host = false, ctas_ended = false, tail_runs = false, settled = false;
    std::uint64_t open = 0;  // work that is not complete, tail launches aside
    std::map<Stream, std::deque<Work>> streams;
    std::deque<Work> tail;
    std::map<std::uint64_t, std::uint64_t> open_by_cta;
  };
  Work add(const Item& item);
  void reach_head(State& grid, Stream stream);
  void finish_all();
  void finish_one(Work work);
  void end_if_complete(Grid number);

  std::map<Grid, State> grids_;
  std::map<Work, Item> items_;
  std::map<Work, std::vector<Work>> waiting_;  // by the work that they wait for
  std::deque<Work> finishing_;
  bool finishes_ = false;
  std::vector<Work> ready_;
  std::vector<Grid> complete_, ended_groups_;
  Work last_ = 0;
};

}  // namespace heddle::gpu
