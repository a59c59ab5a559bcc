// Performs the effects of a capture on a device's memory: allocations, copies, fills.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cuda/capture/format.h"
#include "exec/state/global_memory.h"
#include "gpu/device.h"

namespace heddle::cuda {

// Whether the effect changes allocations, mappings or graphs; the others read or write contents.
bool changes_layout(const Effect& effect);

class EffectPlayer {
 public:
  // All must outlive the object.
  // program: its number on the device.
  EffectPlayer(const CaptureFile::Content& content, gpu::Device& device, std::uint32_t program)
      : content_(content), device_(device), program_(program), memory_(device.memory(program)) {}

  // The record whose effects follow, for messages.
  void set_place(const CaptureFile::Content::Position& at) { at_ = at; }
  // UserError when the effect is not possible, results in other addresses than it did, or copies
  // other data to the host than it did.
  void perform(const Effect& effect);
  // UserError when the condition has another value than it had.
  void require_condition(const TakeBranch& branch);
  // The graph with this handle as it was uploaded; null when there is none.
  const UploadGraph* graph(std::uint64_t handle) const {
    const auto found = graphs_.find(handle);
    return found == graphs_.end() ? nullptr : &found->second;
  }

 private:
  void act(const AllocateMemory& allocate);
  void act(const FreeMemory& free);
  void act(const AcceptHostAddress& accept);
  void act(const ChangeMapping& change);
  void act(const NotifyAllocation& notify);
  void act(const WriteMemory& write);
  void act(const CopyMemory& copy);
  void act(const ReadMemory& read);
  void act(const FillMemory& fill);
  void act(const UploadGraph& upload);
  [[noreturn]] void fail(const std::string& what) const { content_.fail(at_, what); }
  void require_address(Address now, Address recorded, const std::string& what) const;
  template <class Use>
  void for_each_row(const CopyRegion& region, Use&& use);
  std::uint8_t* memory_at(Address address, std::uint64_t bytes, const char* act);
  // Compares what the host receives with what it received.
  void verify(const RegionPlace& from, const CopyRegion& region, std::uint64_t hash);

  const CaptureFile::Content& content_;
  CaptureFile::Content::Position at_;
  gpu::Device& device_;
  std::uint32_t program_;
  exec::GlobalMemory& memory_;
  std::map<std::uint64_t, std::shared_ptr<exec::PhysicalMemory>> physical_;  // by place
  std::map<std::uint64_t, UploadGraph> graphs_;                              // by handle
  std::uint64_t copies_to_host_ = 0;
  Bytes buffer_;
};

}  // namespace heddle::cuda
