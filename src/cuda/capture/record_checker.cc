#include "cuda/capture/record_checker.h"

#include <algorithm>
#include <variant>

#include "base/checked.h"

namespace heddle::cuda {

void RecordChecker::check(const Record& record, const Position& at) {
  at_ = at;
  std::visit([this](const auto& e) { visit(e); }, record);
}

bool RecordChecker::images_agree() const {
  const auto& named = content_.info.images;
  return std::equal(named.begin(), named.end(), content_.images.begin(), content_.images.end(),
                    [](std::uint64_t launch, const auto& image) { return launch == image.first; });
}

void RecordChecker::visit(const Effect& effect) {
  if (const auto* const write = std::get_if<WriteMemory>(&effect)) check_write(*write);
  if (const auto* const copy = std::get_if<CopyMemory>(&effect)) {
    check_rows(copy->to, copy->region);
    check_rows(copy->from, copy->region);
  }
  if (const auto* const read = std::get_if<ReadMemory>(&effect))
    check_rows(read->from, read->region);
  if (const auto* const fill = std::get_if<FillMemory>(&effect)) check_rows(fill->to, fill->region);
  if (const auto* const upload = std::get_if<UploadGraph>(&effect)) check_graph(*upload);
}

// Rows follow each other without overlapping, so a copy takes no longer than its memory is large.
void RecordChecker::check_rows(const RegionPlace& rows, const CopyRegion& region) const {
  if (region.width == 0 || region.height == 0 || region.depth == 0) return;
  const Checked slice = Checked(region.height - 1) * rows.pitch + region.width;
  const bool apart = (region.height == 1 || rows.pitch >= region.width) &&
                     (region.depth == 1 || slice.at_most(rows.slice_bytes));
  if (!apart) fail("the rows of a copy overlap");
  const Checked end = Checked(region.depth - 1) * rows.slice_bytes + slice + rows.base.value;
  if (!end.at_most(kAddresses.most)) fail("a copy ends after the last device address");
}

void RecordChecker::check_write(const WriteMemory& write) const {
  if (!content_.holds(write.data)) fail("a copy refers to missing data");
  const CopyRegion& region = write.region;
  const Checked bytes = Checked(region.width) * region.height * region.depth;
  if (!bytes.equals(content_.bytes_of(write.data)))
    fail("the data of a copy have another size than the copy");
  check_rows(write.to, region);
}

void RecordChecker::check_graph(const UploadGraph& upload) const {
  for (std::size_t i = 0; i < upload.nodes.size(); ++i) {
    const UploadGraph::Node& node = upload.nodes[i];
    const gpu::MemoryBox& box = node.box;
    const CopyRegion region{box.width, box.height, box.depth};
    if (node.launch) {
      check_launch(*node.launch, modules_);
    } else {
      if (box.element_bytes != 1 && box.element_bytes != 2 && box.element_bytes != 4)
        fail("a graph fills memory with elements of another size than 1, 2 or 4");
      check_rows({Address{box.to}, box.to_pitch, box.to_slice}, region);
      if (box.from != 0) check_rows({Address{box.from}, box.from_pitch, box.from_slice}, region);
    }
    for (const std::size_t before : node.after)
      if (before >= i) fail("the nodes of a graph are not in their order");
  }
}

void RecordChecker::visit(const SetTexture& set) {
  if (set.index > textures_) fail("textures are not in their order");
  textures_ = std::max(textures_, set.index + 1);
}

void RecordChecker::visit(const LoadModule& module) {
  if (module.texts.empty()) fail("a module has no text");
  Checked bytes(0);
  for (const auto& [name, text] : module.texts) {
    if (!content_.holds(text)) fail("a module refers to missing data");
    bytes = bytes + content_.bytes_of(text);
  }
  if (!bytes.at_most(kMaxModuleBytes)) fail("the texts of a module have more than 256 MiB");
  content_.kernels.insert(content_.kernels.end(), module.kernels.begin(), module.kernels.end());
  ++modules_;
}

void RecordChecker::check_launch(const CapturedLaunch& launch, std::uint32_t modules) const {
  if (launch.module >= modules)
    fail("a launch is of module " + std::to_string(launch.module) + ", but " +
         std::to_string(modules) + " were loaded before it");
}

void RecordChecker::check_issue(const IssueOperation& issue, std::uint32_t modules) {
  // A stream that waits for an event that has occurred adds no operation.
  const bool skipped = issue.id == 0 && issue.if_unfinished;
  if (!skipped && issue.id <= last_issued_) fail("operations are not in their order");
  if (!skipped) last_issued_ = issue.id;
  if (issue.if_unfinished && issue.after.empty()) fail("a stream waits for no event");
  if (issue.launch) check_launch(*issue.launch, modules);
}

void RecordChecker::visit(const IssueOperation& issue) { check_issue(issue, modules_); }

void RecordChecker::visit(const RunOperation& run) {
  if (run.id > last_issued_) fail("an operation ran before it was issued");
  if (!content_.runs.emplace(run.id, at_).second) fail("an operation ran twice");
  for (const Effect& effect : run.effects) visit(effect);
}

void RecordChecker::visit(const HostWaits&) { modules_at_wait_ = modules_; }

// The node of the graph ran in the wait before, with the modules of that time. In a part of a
// capture it may have begun before the image with which the part begins, and continues there.
void RecordChecker::visit(const TakeBranch& branch) {
  if (branch.operation > last_issued_) fail("an operation ran before it was issued");
  content_.branches[branch.operation].push_back(at_);
  for (const IssueOperation& node : branch.nodes)
    check_issue(node, modules_at_wait_.value_or(modules_));
}

void RecordChecker::visit(const MemoryImage& image) {
  if (!content_.images.emplace(image.launch, at_).second) fail("there are two images of a launch");
  for (const WriteMemory& write : image.contents) check_write(write);
  // A run that begins here continues the wait.
  modules_at_wait_ = modules_;
}

}  // namespace heddle::cuda
