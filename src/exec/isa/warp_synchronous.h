// Warp-synchronous instructions: lanes execute them together, although the branches that separated
// the lanes reconverge only later (ptx::ConvergencePoint). As on GPUs from sm_70 on, lanes at a
// shuffle, a vote or a barrier wait for the lanes in the member mask, at this instruction or at a
// matching one elsewhere. They wait only for lanes that can still reach one before the
// reconvergence point: many older programs have member masks that name lanes which never come.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "exec/isa/warp_ops.h"

namespace heddle::exec {

// The lanes that execute an instruction together: the running ones, which name others, and those
// that wait at matching instructions and are named by lanes of this meeting.
struct SyncMeeting {
  SyncPlace here;           // of the running lanes
  std::uint32_t lanes = 0;  // of all places
  std::uint32_t named = 0;  // by any of them
  std::vector<SyncPlace> others;
  // Of the others: the stack and entry of the waiting lanes. Stack 0 is the running one, the next
  // ones are those of the fragments.
  std::vector<std::pair<std::size_t, int>> waiting;

  template <class Act>
  void for_each_place(Act act) const {
    act(here);
    for (const SyncPlace& place : others) act(place);
  }
};
SyncMeeting sync_meeting(const Warp& w, const DecodedInstruction& r, std::uint32_t mask);

// The stack entry that has to run before the instruction at the warp's pc can execute: its lanes
// can still reach the instruction or a matching one, are at it in another entry, or have to
// continue so that such lanes can.
std::optional<int> awaited_entry(const Warp& w, const SyncMeeting& meeting);

// Runs that entry's lanes first, or merges them into the running ones. True when there was such an
// entry: then the instruction executes later.
bool wait_for_members(Warp& w, const SyncMeeting& meeting);

// The lanes at the other places of the meeting continue after their instructions without executing
// them.
void end_waits(Warp& w, const SyncMeeting& meeting);

// Reports lanes that execute alone what GPUs from sm_70 on execute together with lanes at matching
// instructions. Once per place and launch.
void warn_of_lone_lanes(Warp& w, const DecodedInstruction& r, const SyncMeeting& meeting);

}  // namespace heddle::exec
