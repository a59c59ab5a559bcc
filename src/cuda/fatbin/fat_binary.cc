#include "cuda/fatbin/fat_binary.h"

#include <algorithm>
#include <cstring>

#include <lz4.h>
#include <zstd.h>

#include "base/diagnostics.h"

namespace heddle::cuda {
namespace {

// Offsets in bytes. A container has a header and entries; every entry has its own header.
namespace container {
constexpr std::size_t kMagic = 0, kHeaderBytes = 6, kBodyBytes = 8, kSmallestHeader = 16;
}
namespace entry {
constexpr std::size_t kKind = 0, kHeaderBytes = 4, kPayloadBytes = 8, kCompressedBytes = 16,
                      kArchitecture = 28, kFlags = 40, kContentBytes = 56, kSmallestHeader = 64;
constexpr std::uint16_t kPtx = 1, kCubin = 2;
constexpr std::uint64_t kZstd = 0x8000, kLz4 = 0x2000;
}  // namespace entry

// PTX and cubins shrink to a hundredth at best; the smallest frames of zstd and lz4 that claim more
// are bombs.
constexpr std::uint64_t kLargestContent = std::uint64_t{1} << 28, kLargestRatio = 1024;

template <class T>
T read(std::span<const std::uint8_t> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

[[noreturn]] void damaged(const std::string& how) {
  throw UserError("the program's fat binary is corrupt: " + how);
}

std::uint64_t container_bytes(std::span<const std::uint8_t> header) {
  return read<std::uint16_t>(header, container::kHeaderBytes) +
         read<std::uint64_t>(header, container::kBodyBytes);
}

}  // namespace

std::vector<ContainerEntry> container_entries(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < container::kSmallestHeader) damaged("it ends inside its header");
  if (read<std::uint32_t>(bytes, container::kMagic) != kContainerMagic)
    damaged("it does not start with the container's magic number");
  const std::uint16_t header_bytes = read<std::uint16_t>(bytes, container::kHeaderBytes);
  const std::uint64_t body_bytes = read<std::uint64_t>(bytes, container::kBodyBytes);
  if (header_bytes < container::kSmallestHeader || header_bytes > bytes.size() ||
      body_bytes > bytes.size() - header_bytes) {
    damaged("it is shorter than its header says");
  }
  std::vector<ContainerEntry> entries;
  auto rest = bytes.subspan(header_bytes, body_bytes);
  while (!rest.empty()) {
    if (rest.size() < entry::kSmallestHeader) damaged("it ends inside an entry's header");
    const std::uint32_t entry_header = read<std::uint32_t>(rest, entry::kHeaderBytes);
    const std::uint64_t payload_bytes = read<std::uint64_t>(rest, entry::kPayloadBytes);
    if (entry_header < entry::kSmallestHeader || entry_header > rest.size() ||
        payload_bytes > rest.size() - entry_header) {
      damaged("an entry is longer than the container");
    }
    ContainerEntry found;
    const auto kind = read<std::uint16_t>(rest, entry::kKind);
    found.ptx = kind == entry::kPtx;
    found.cubin = kind == entry::kCubin;
    found.architecture = read<std::uint32_t>(rest, entry::kArchitecture);
    found.flags = read<std::uint64_t>(rest, entry::kFlags);
    const std::uint32_t compressed_bytes = read<std::uint32_t>(rest, entry::kCompressedBytes);
    const bool compressed = found.flags & (entry::kZstd | entry::kLz4);
    if (compressed && compressed_bytes > payload_bytes)
      damaged("an entry is longer compressed than it is");
    found.payload = rest.subspan(entry_header, compressed ? compressed_bytes : payload_bytes);
    found.content_bytes =
        compressed ? read<std::uint64_t>(rest, entry::kContentBytes) : payload_bytes;
    entries.push_back(found);
    rest = rest.subspan(entry_header + payload_bytes);
  }
  return entries;
}

std::string entry_content(const ContainerEntry& found) {
  if (found.content_bytes > kLargestContent ||
      found.content_bytes > (found.payload.size() + 1) * kLargestRatio)
    damaged("an entry claims " + std::to_string(found.content_bytes) + " bytes in " +
            std::to_string(found.payload.size()));
  std::string text(found.content_bytes, '\0');
  if (found.flags & entry::kZstd) {
    const std::size_t got =
        ZSTD_decompress(text.data(), text.size(), found.payload.data(), found.payload.size());
    if (ZSTD_isError(got)) damaged(std::string("zstd: ") + ZSTD_getErrorName(got));
    if (got != text.size()) damaged("its content is shorter than the entry says");
  } else if (found.flags & entry::kLz4) {
    const int got =
        LZ4_decompress_safe(reinterpret_cast<const char*>(found.payload.data()), text.data(),
                            static_cast<int>(found.payload.size()), static_cast<int>(text.size()));
    if (got < 0 || static_cast<std::size_t>(got) != text.size())
      damaged("its LZ4 data does not decompress");
  } else {
    std::memcpy(text.data(), found.payload.data(), found.payload.size());
  }
  return text;
}

std::string ptx_text(const ContainerEntry& found) {
  std::string text = entry_content(found);
  text.resize(std::min(text.find('\0'), text.size()));  // entries are padded with zeros
  return text;
}

std::string make_container(const std::string& ptx, const std::string& cubin,
                           std::uint32_t architecture) {
  std::string body;
  const auto put = [](std::string& bytes, std::size_t offset, auto value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  for (const auto& [kind, content] : {std::pair{entry::kPtx, &ptx}, {entry::kCubin, &cubin}}) {
    if (content->empty()) continue;
    std::string header(entry::kSmallestHeader, '\0');
    put(header, entry::kKind, kind);
    put(header, entry::kHeaderBytes, static_cast<std::uint32_t>(header.size()));
    put(header, entry::kPayloadBytes, std::uint64_t{content->size()});
    put(header, entry::kArchitecture, architecture);
    body += header + *content;
  }
  std::string header(container::kSmallestHeader, '\0');
  put(header, container::kMagic, kContainerMagic);
  put(header, container::kHeaderBytes, static_cast<std::uint16_t>(header.size()));
  put(header, container::kBodyBytes, std::uint64_t{body.size()});
  return header + body;
}

std::vector<FoundContainer> find_containers(std::span<const std::uint8_t> file,
                                            std::string& problem) {
  std::string magic(sizeof kContainerMagic, '\0');
  std::memcpy(magic.data(), &kContainerMagic, sizeof kContainerMagic);
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  std::vector<FoundContainer> found;
  std::size_t end = 0;  // of the last container: what is inside of one is none
  for (std::size_t at = 0; (at = bytes.find(magic, at)) != std::string_view::npos; ++at) {
    if (at < end) continue;
    try {
      const auto rest = file.subspan(at);
      FoundContainer container{at, 0, container_entries(rest)};
      container.bytes = container_bytes(rest);
      end = at + container.bytes;
      found.push_back(std::move(container));
    } catch (const UserError& error) {
      problem = error.what();
    }
  }
  return found;
}

std::string select_ptx(std::span<const std::uint8_t> bytes, std::uint32_t architecture) {
  const auto entries = container_entries(bytes);
  const ContainerEntry* best = nullptr;
  for (const ContainerEntry& candidate : entries) {
    if (!candidate.ptx) continue;
    const bool runs = candidate.architecture <= architecture;
    const bool best_runs = best && best->architecture <= architecture;
    const bool newer = best && candidate.architecture > best->architecture;
    if (!best || (runs && !best_runs) || (runs == best_runs && newer == runs)) best = &candidate;
  }
  if (!best) {
    throw UserError(
        "the program contains machine code but no PTX: compile it with heddle cc, or let nvcc keep "
        "PTX (-gencode "
        "arch=compute_75,code=compute_75)");
  }
  return ptx_text(*best);
}

namespace {

// The container at `data`; nothing when there is text.
std::span<const std::uint8_t> container_at(const void* data) {
  if (!data) return {};
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  std::uint32_t magic;
  std::memcpy(&magic, bytes, sizeof magic);
  if (magic != kContainerMagic) return {};
  return {bytes, container_bytes({bytes, container::kSmallestHeader})};
}

}  // namespace

std::string select_cubin(std::span<const std::uint8_t> container, std::uint32_t architecture) {
  const auto entries = container_entries(container);
  const ContainerEntry* best = nullptr;
  for (const ContainerEntry& entry : entries) {
    if (entry.cubin && is_executed_by(entry.architecture, architecture) &&
        (!best || entry.architecture > best->architecture))
      best = &entry;
  }
  return best ? entry_content(*best) : std::string();
}

bool has_ptx(std::span<const std::uint8_t> container) {
  const auto entries = container_entries(container);
  return std::any_of(entries.begin(), entries.end(),
                     [](const ContainerEntry& entry) { return entry.ptx; });
}

std::string wrapper_cubin(const FatBinaryWrapper& wrapper, std::uint32_t architecture) {
  const auto container = container_at(wrapper.data);
  return container.empty() ? std::string() : select_cubin(container, architecture);
}

namespace {

bool has_ptx_at(const void* data) {
  const auto container = container_at(data);
  return container.empty() || has_ptx(container);
}

// One text per separately compiled file, or only that of the wrapper.
bool lists_files(const FatBinaryWrapper& wrapper) {
  return wrapper.version != 1 && wrapper.containers;
}

}  // namespace

bool has_ptx(const FatBinaryWrapper& wrapper) {
  if (!lists_files(wrapper)) return has_ptx_at(wrapper.data);
  for (const void* const* at = wrapper.containers; *at; ++at)
    if (!has_ptx_at(*at)) return false;
  return true;
}

std::vector<std::string> wrapper_texts(const FatBinaryWrapper& wrapper,
                                       std::uint32_t architecture) {
  if (wrapper.magic != kWrapperMagic) damaged("its wrapper has an unknown magic number");
  const auto text_of = [&](const void* data) -> std::string {
    if (!data) damaged("its wrapper points nowhere");
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    const std::span<const std::uint8_t> header{bytes, container::kSmallestHeader};
    std::uint32_t magic;
    std::memcpy(&magic, bytes, sizeof magic);
    if (magic != kContainerMagic) return static_cast<const char*>(data);
    return select_ptx({bytes, container_bytes(header)}, architecture);
  };
  if (!lists_files(wrapper)) return {text_of(wrapper.data)};
  std::vector<std::string> texts;
  for (const void* const* at = wrapper.containers; *at; ++at) texts.push_back(text_of(*at));
  return texts;
}

}  // namespace heddle::cuda
