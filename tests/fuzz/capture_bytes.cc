#include "tests/fuzz/capture_bytes.h"

#include <cstring>
#include <initializer_list>
#include <optional>

#include <zstd.h>

namespace heddle::fuzz {
namespace {

using cuda::Bytes, cuda::ChunkHeader, cuda::ChunkType;

class Writer {
 public:
  void add(ChunkType type, const void* raw, std::size_t bytes) {
    std::string stored(ZSTD_compressBound(bytes), 0);
    stored.resize(ZSTD_compress(stored.data(), stored.size(), raw, bytes, 1));
    ChunkHeader chunk{type, number_++, stored.size(), bytes, 0};
    std::string whole(reinterpret_cast<const char*>(&chunk), sizeof chunk);
    whole += stored;
    chunk.checksum = cuda::hash_of(whole.data(), whole.size());
    std::memcpy(whole.data(), &chunk, sizeof chunk);
    text_ += whole;
  }
  std::string finish() { return std::move(text_); }

 private:
  static std::string header() {
    const cuda::CaptureHeader header;
    return {reinterpret_cast<const char*>(&header), sizeof header};
  }
  std::string text_ = header();
  std::uint32_t number_ = 0;
};

template <class Value>
Bytes encoded_value(const Value& value) {
  Bytes bytes;
  cuda::Encoder encoder(bytes);
  encoder(value);
  return bytes;
}

const std::string kKernels = R"(
.version 7.0
.target sm_75
.address_size 64
.global .align 4 .u32 seven = 7;
.visible .entry fill(.param .u64 to) {
  .reg .u64 %a; .reg .u32 %i, %r; .reg .u64 %o;
  ld.param.u64 %a, [to];
  mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
  ld.global.u32 %r, [seven]; st.global.u32 [%a], %r; ret;
}
.visible .entry texel(.param .u64 to, .param .u64 tx) {
  .reg .u64 %a, %t; .reg .f32 %f<5>;
  ld.param.u64 %a, [to]; ld.param.u64 %t, [tx]; mov.f32 %f4, 0f3F000000;
  tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%f4, %f4}]; st.global.f32 [%a], %f0; ret;
}
)";

Bytes words(std::initializer_list<std::uint64_t> values) {
  Bytes bytes;
  for (const std::uint64_t value : values)
    for (int shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  return bytes;
}

}  // namespace

Bytes encoded(const cuda::Record& record) { return encoded_value(record); }
Bytes encoded(const cuda::CaptureInfo& info) { return encoded_value(info); }

CaptureParts parts_of(const cuda::CaptureFile& file) {
  CaptureParts parts;
  const cuda::CaptureFile::Content& content = file.content();
  for (std::uint32_t i = 0; i < content.data.size(); ++i) {
    Bytes bytes;
    content.append({{}, {i}}, bytes);
    parts.data.emplace_back(bytes.begin(), bytes.end());
  }
  for (cuda::CaptureFile::Content::Position at; !content.at_end(at);)
    parts.records.push_back(encoded(content.read(at)));
  parts.info = encoded(file.info());
  return parts;
}

std::string bytes_of(const CaptureParts& parts) {
  Writer writer;
  for (const std::string& one : parts.data) writer.add(ChunkType::data, one.data(), one.size());
  Bytes records;
  for (const Bytes& one : parts.records) {
    if (parts.split) writer.add(ChunkType::records, one.data(), one.size());
    if (!parts.split) records.insert(records.end(), one.begin(), one.end());
  }
  if (!records.empty()) writer.add(ChunkType::records, records.data(), records.size());
  writer.add(ChunkType::end, parts.info.data(), parts.info.size());
  return writer.finish();
}

CaptureParts small_capture() {
  using namespace cuda;
  const Address memory{kHeapBase}, variable{kHeapBase + 8192};
  const std::uint64_t texture_handle = exec::TextureTable::kFirstHandle;
  SetTexture texture;
  texture.texture.bound = true;
  exec::TextureImage& image = texture.texture.image;
  image.base = memory + 4096;
  image.format = {exec::ChannelKind::floating, 1, 32};
  image.dimensions = 2;
  image.width = image.height = 8, image.pitch_bytes = 32;
  const auto issue = [](std::uint64_t id, std::optional<CapturedLaunch> launch) {
    IssueOperation operation;
    operation.id = id;
    operation.launch = std::move(launch);
    return operation;
  };
  LoadModule module;
  module.texts = {{"kernels.ptx", {Bytes(kKernels.begin(), kKernels.end()), {}}}};
  module.addresses = {{"seven", variable}};
  module.kernels = {"fill", "texel"};
  UploadGraph graph;
  graph.handle = 5;
  graph.nodes.resize(2);
  graph.nodes[0].launch = CapturedLaunch{0, "fill", {1, 1, 1}, {32, 1, 1}, 0, words({kHeapBase})};
  graph.nodes[1].box.to = kHeapBase, graph.nodes[1].box.width = 64;
  graph.nodes[1].after = {0};
  using Act = ChangeMapping::Act;
  Bytes sevens;
  for (int i = 0; i < 32; ++i) sevens.insert(sevens.end(), {7, 0, 0, 0});
  CaptureParts parts;
  const std::vector<Record> records{
      Effect{AllocateMemory{AllocateMemory::Kind::device, memory, 8192, 0, "cudaMalloc #1"}},
      Effect{AllocateMemory{AllocateMemory::Kind::variable, variable, 4, 0, "variable seven"}},
      Effect{WriteMemory{{variable, 4, 4}, {4, 1, 1}, {{7, 0, 0, 0}, {}}, true}},
      Effect{WriteMemory{{memory + 4096, 32, 256}, {32, 8, 1}, {Bytes(256, 63), {}}, true}},
      Effect{FillMemory{{memory, 0, 0}, {128, 1, 1}, 9, 1}},
      Effect{ChangeMapping{Act::create, {}, 2 << 20, 0, 0, 0}},
      Effect{ChangeMapping{Act::end, {}, 0, 0, 0, 0}},
      module,
      Effect{graph},
      texture,
      SetLimits{1024, 8 << 20, 1 << 20, 2048, 2},
      issue(1, CapturedLaunch{0, "fill", {1, 1, 1}, {32, 1, 1}, 0, words({kHeapBase})}),
      HostWaits{},
      Effect{ReadMemory{{memory, 0, 0}, {128, 1, 1}, hash_of(sevens.data(), sevens.size())}},
      issue(2, {}),
      issue(3,
            CapturedLaunch{
                0, "texel", {2, 1, 1}, {1, 1, 1}, 0, words({kHeapBase + 1024, texture_handle})}),
      HostWaits{},
      RunOperation{2, {Effect{CopyMemory{{memory + 2048, 0, 0}, {memory, 0, 0}, {128, 1, 1}}}}, {}},
      ReadOutput{},
      Effect{FreeMemory{memory}}};
  for (const Record& record : records) parts.records.push_back(encoded(record));
  CaptureInfo info;
  info.heddle_version = "test";
  info.gpu = "gtx480";
  info.program = {"./program", "argument"};
  info.memory_bytes = std::uint64_t{1} << 30;
  info.launches = 2;
  parts.info = encoded(info);
  return parts;
}

}  // namespace heddle::fuzz
