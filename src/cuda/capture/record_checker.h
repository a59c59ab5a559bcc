// Checks each record of a capture against the records before it: what it names exists, and sizes
// agree. That memory is allocated where it is used is known when the capture is played.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/capture/format.h"

namespace heddle::cuda {

class RecordChecker {
 public:
  // Checks the records one by one, in their order, and indexes them in `content`.
  explicit RecordChecker(CaptureFile::Content& content) : content_(content) {}

  // UserError with the place of the record.
  void check(const Record& record, const CaptureFile::Content::Position& at);
  // Whether the end chunk names the images that the records hold.
  bool images_agree() const;

 private:
  using Position = CaptureFile::Content::Position;

  void visit(const Effect& effect);
  void visit(const SetTexture& set);
  void visit(const LoadModule& module);
  void visit(const IssueOperation& issue);
  void visit(const RunOperation& run);
  void visit(const HostWaits& wait);
  void visit(const TakeBranch& branch);
  void visit(const MemoryImage& image);
  void visit(const SetLimits&) {}
  void visit(const ReadOutput&) {}
  void visit(const AllocateForDevice&) {}

  void check_write(const WriteMemory& write) const;
  void check_graph(const UploadGraph& upload) const;
  // `modules`: how many are loaded when the launch begins.
  void check_launch(const CapturedLaunch& launch, std::uint32_t modules) const;
  void check_rows(const RegionPlace& rows, const CopyRegion& region) const;
  void check_issue(const IssueOperation& issue, std::uint32_t modules);
  [[noreturn]] void fail(const std::string& what) const { content_.fail(at_, what); }

  CaptureFile::Content& content_;
  Position at_;
  std::uint64_t last_issued_ = 0;
  std::uint32_t modules_ = 0;  // loaded so far
  // When the host began to wait: what runs then has these. None: it has not waited.
  std::optional<std::uint32_t> modules_at_wait_;
  std::uint32_t textures_ = 0;
};

}  // namespace heddle::cuda
