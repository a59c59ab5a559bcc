// Numbers of attributes: redplait/denvdis test/ei_attrs.txt, CuAssembler CuAsm/CuNVInfo.py; layouts
// seen in cubins of nvcc 11.8 and 13.0.
#include "sass/cubin/nv_info.h"

#include <algorithm>

namespace heddle::sass {
namespace {

enum class Attribute : std::uint8_t {
  max_threads = 0x05,
  param_cbank = 0x0a,
  externs = 0x0f,
  reqntid = 0x10,
  frame_size = 0x11,
  min_stack_size = 0x12,
  kparam_info = 0x17,
  cbank_param_size = 0x19,
  exit_offsets = 0x1c,
  regcount = 0x2f,
  indirect_branch_targets = 0x34,
  cta_per_cluster = 0x3d,
  blocks_are_clusters = 0x5b,
  kparam_info_v2 = 0x45,
  num_barriers = 0x4c
};

enum class Format : std::uint8_t { none = 1, byte = 2, half = 3, sized = 4 };

struct Record {
  Attribute attribute{};
  std::uint16_t value = 0;
  Bytes payload;
};

std::vector<Record> read_records(const Section& section) {
  std::vector<Record> records;
  ByteReader reader(section.data, section.name);
  while (!reader.done()) {
    Record record;
    const auto format = static_cast<Format>(reader.number<std::uint8_t>());
    record.attribute = static_cast<Attribute>(reader.number<std::uint8_t>());
    record.value = reader.number<std::uint16_t>();
    if (format == Format::sized)
      record.payload = reader.take(record.value);
    else if (format != Format::none && format != Format::byte && format != Format::half)
      reader.refuse("has an attribute of an unknown format");
    records.push_back(record);
  }
  return records;
}

std::vector<std::uint32_t> words_of(const Record& record) {
  std::vector<std::uint32_t> words;
  ByteReader reader(record.payload, "an attribute of .nv.info");
  while (reader.rest() >= 4) words.push_back(reader.number<std::uint32_t>());
  return words;
}

constexpr int kSizeShift = 18;  // the size is above alignment and bank

KernelParameter parameter_of(const Record& record) {
  ByteReader reader(record.payload, "a parameter in .nv.info");
  KernelParameter parameter;
  reader.take(4);  // index
  parameter.ordinal = reader.number<std::uint16_t>();
  parameter.offset = reader.number<std::uint16_t>();
  parameter.bytes = reader.number<std::uint32_t>() >> kSizeShift;
  return parameter;
}

// Attributes of all kernels name the kernel by its symbol.
void read_common(const Record& record, std::uint32_t symbol, KernelInfo& info) {
  const std::vector<std::uint32_t> words = words_of(record);
  if (words.size() < 2 || words[0] != symbol) return;
  if (record.attribute == Attribute::regcount) info.registers = words[1];
  if (record.attribute == Attribute::frame_size) info.frame_bytes = words[1];
  if (record.attribute == Attribute::min_stack_size) info.stack_bytes = words[1];
}

void read_own(const Record& record, KernelInfo& info) {
  switch (record.attribute) {
    case Attribute::param_cbank: {
      ByteReader reader(record.payload, "PARAM_CBANK of .nv.info");
      reader.take(4);  // symbol of the bank
      info.parameter_base = reader.number<std::uint16_t>();
      info.parameter_bytes = reader.number<std::uint16_t>();
      break;
    }
    case Attribute::kparam_info:
    case Attribute::kparam_info_v2: info.parameters.push_back(parameter_of(record)); break;
    case Attribute::cbank_param_size: info.parameter_bytes = record.value; break;
    case Attribute::max_threads: info.most_threads = words_of(record); break;
    case Attribute::reqntid: info.required_threads = words_of(record); break;
    case Attribute::exit_offsets: info.exits = words_of(record); break;
    case Attribute::indirect_branch_targets: info.indirect_branches = words_of(record); break;
    case Attribute::externs: info.externs = words_of(record); break;
    case Attribute::num_barriers: info.barriers = record.value & 0xff; break;
    case Attribute::cta_per_cluster: info.required_cluster = words_of(record); break;
    case Attribute::blocks_are_clusters: info.blocks_are_clusters = true; break;
    default: break;  // nothing that Heddle needs
  }
}

}  // namespace

KernelInfo read_kernel_info(const Elf& elf, const Section* own, std::uint32_t symbol) {
  KernelInfo info;
  if (const Section* common = elf.section(".nv.info")) {
    for (const Record& record : read_records(*common)) read_common(record, symbol, info);
  }
  if (own) {
    for (const Record& record : read_records(*own)) read_own(record, info);
  }
  std::sort(info.parameters.begin(), info.parameters.end(),
            [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
  return info;
}

}  // namespace heddle::sass
