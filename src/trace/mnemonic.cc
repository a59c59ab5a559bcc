#include "trace/mnemonic.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

using isa::BarrierOp;
using isa::CacheOperator;
using isa::CopyStep;
using isa::OpClass;
using isa::Ordering;
using isa::Space;

struct Row {
  std::string_view name;
  OpClass op_class;
  Space space = Space::none;
};

// From Kepler to Hopper; in the order of the alphabet.
constexpr Row kRows[] = {
    {"ATOM", OpClass::atomic, Space::generic},
    {"ATOMG", OpClass::atomic, Space::global},
    {"ATOMS", OpClass::atomic, Space::shared},
    {"BAR", OpClass::barrier},
    {"BMMA", OpClass::tensor},
    {"BRA", OpClass::branch},
    {"BRK", OpClass::branch},
    {"BRX", OpClass::branch},
    {"BRXU", OpClass::branch},
    {"CAL", OpClass::call},
    {"CALL", OpClass::call},
    {"CONT", OpClass::branch},
    {"DADD", OpClass::dp_add},
    {"DFMA", OpClass::dp_fma},
    {"DMMA", OpClass::tensor},
    {"DMNMX", OpClass::dp_max},
    {"DMUL", OpClass::dp_mul},
    {"EXIT", OpClass::exit_},
    {"FADD", OpClass::fp_add},
    {"FADD32I", OpClass::fp_add},
    {"FFMA", OpClass::fp_fma},
    {"FFMA32I", OpClass::fp_fma},
    {"FMNMX", OpClass::fp_max},
    {"FMUL", OpClass::fp_mul},
    {"FMUL32I", OpClass::fp_mul},
    {"FSWZ", OpClass::fp_add},
    {"FSWZADD", OpClass::fp_add},
    {"HADD2", OpClass::fp_add},
    {"HADD2_32I", OpClass::fp_add},
    {"HFMA2", OpClass::fp_fma},
    {"HFMA2_32I", OpClass::fp_fma},
    {"HGMMA", OpClass::tensor},
    {"HMMA", OpClass::tensor},
    {"HMNMX2", OpClass::fp_max},
    {"HMUL2", OpClass::fp_mul},
    {"HMUL2_32I", OpClass::fp_mul},
    {"IADD", OpClass::int_add},
    {"IADD3", OpClass::int_add},
    {"IADD32I", OpClass::int_add},
    {"IDP", OpClass::int_mad},
    {"IDP4A", OpClass::int_mad},
    {"IGMMA", OpClass::tensor},
    {"IMAD", OpClass::int_mad},
    {"IMADSP", OpClass::int_mad},
    {"IMMA", OpClass::tensor},
    {"IMNMX", OpClass::int_max},
    {"IMUL", OpClass::int_mul},
    {"IMUL32I", OpClass::int_mul},
    {"ISAD", OpClass::int_add},
    {"ISCADD", OpClass::int_add},
    {"ISCADD32I", OpClass::int_add},
    {"JCAL", OpClass::call},
    {"JMP", OpClass::branch},
    {"JMX", OpClass::branch},
    {"JMXU", OpClass::branch},
    {"KILL", OpClass::exit_},
    {"LD", OpClass::load, Space::generic},
    {"LDC", OpClass::load, Space::constant},
    {"LDG", OpClass::load, Space::global},
    {"LDGSTS", OpClass::load, Space::global},
    {"LDL", OpClass::load, Space::local},
    {"LDS", OpClass::load, Space::shared},
    {"LDSM", OpClass::load, Space::shared},
    {"LDU", OpClass::load, Space::global},
    {"LEA", OpClass::int_add},
    {"MEMBAR", OpClass::memory_barrier},
    {"MOVM", OpClass::shuffle},
    {"MUFU", OpClass::sfu},
    {"QGMMA", OpClass::tensor},
    {"QMMA", OpClass::tensor},
    {"RED", OpClass::atomic, Space::global},
    {"REDG", OpClass::atomic, Space::global},
    {"REDS", OpClass::atomic, Space::shared},
    {"REDUX", OpClass::shuffle},
    {"RET", OpClass::return_},
    {"SHFL", OpClass::shuffle},
    {"ST", OpClass::store, Space::generic},
    {"STG", OpClass::store, Space::global},
    {"STL", OpClass::store, Space::local},
    {"STS", OpClass::store, Space::shared},
    {"STSM", OpClass::store, Space::shared},
    {"SUATOM", OpClass::atomic, Space::surface},
    {"SULD", OpClass::load, Space::surface},
    {"SURED", OpClass::atomic, Space::surface},
    {"SUST", OpClass::store, Space::surface},
    {"SYNC", OpClass::branch},
    {"SYNCS", OpClass::atomic, Space::shared},
    {"TEX", OpClass::load, Space::texture},
    {"TEXS", OpClass::load, Space::texture},
    {"TLD", OpClass::load, Space::texture},
    {"TLD4", OpClass::load, Space::texture},
    {"TLD4S", OpClass::load, Space::texture},
    {"TLDS", OpClass::load, Space::texture},
    {"TMML", OpClass::load, Space::texture},
    {"TXD", OpClass::load, Space::texture},
    {"TXQ", OpClass::load, Space::texture},
    {"VADD", OpClass::int_add},
    {"VIADD", OpClass::int_add},
    {"VIADDMNMX", OpClass::int_max},
    {"VIMNMX", OpClass::int_max},
    {"VIMNMX3", OpClass::int_max},
    {"VMAD", OpClass::int_mad},
    {"VMNMX", OpClass::int_max},
    {"WARPSYNC", OpClass::barrier},
    {"XMAD", OpClass::int_mad},
};

// Moves, logic, comparisons, conversions, and control flow without an effect on time.
constexpr std::string_view kPlain[] = {
    "ACQBULK", "AL2P",   "ARRIVES",   "B2R",          "BFE",      "BFI",    "BMOV",      "BMSK",
    "BPT",     "BREAK",  "BREV",      "BSSY",         "BSYNC",    "CCTL",   "CCTLL",     "CCTLT",
    "CS2R",    "CSET",   "CSETP",     "DEPBAR",       "DSET",     "DSETP",  "ELECT",     "ERRBAR",
    "F2F",     "F2FP",   "F2I",       "F2IP",         "FCHK",     "FCMP",   "FENCE",     "FLO",
    "FRND",    "FSEL",   "FSET",      "FSETP",        "HSET2",    "HSETP2", "I2F",       "I2FP",
    "I2I",     "I2IP",   "IABS",      "ICMP",         "ISET",     "ISETP",  "LDGDEPBAR", "LEPC",
    "LOP",     "LOP3",   "LOP32I",    "MATCH",        "MOV",      "MOV32I", "NANOSLEEP", "NOP",
    "P2R",     "PBK",    "PCNT",      "PEXIT",        "PLONGJMP", "PLOP3",  "PMTRIG",    "POPC",
    "PREEXIT", "PRET",   "PRMT",      "PSET",         "PSETP",    "QSPC",   "R2B",       "R2P",
    "R2UR",    "RPCMOV", "RRO",       "S2R",          "SEL",      "SGXT",   "SHF",       "SHL",
    "SHR",     "SSY",    "VABSDIFF",  "VABSDIFF4",    "VOTE",     "VOTEU",  "VSET",      "VSETP",
    "VSHL",    "VSHR",   "WARPGROUP", "WARPGROUPSET", "YIELD"};

// Of the uniform datapath without an instruction of the vector datapath under the rest of the name.
constexpr std::string_view kPlainUniform[] = {"S2UR", "UCLEA", "UP2UR", "UR2UP", "USETMAXREG"};

// Complete at an mbarrier, or synchronise CTAs of a cluster: their waits depend on values.
constexpr std::string_view kRefused[] = {"UBLKCP",      "UBLKPF",       "UBLKRED",  "UCGABAR_ARV",
                                         "UCGABAR_SET", "UCGABAR_WAIT", "UTMACCTL", "UTMACMDFLUSH",
                                         "UTMALDG",     "UTMAPF",       "UTMAREDG", "UTMASTG"};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::optional<Row> find_row(std::string_view name) {
  const auto row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                    [](const Row& r, std::string_view n) { return r.name < n; });
  if (row != std::end(kRows) && row->name == name) return *row;
  if (contains(kPlain, name) || contains(kPlainUniform, name)) return Row{name, OpClass::alu};
  return std::nullopt;
}

Row row_of(std::string_view name) {
  if (contains(kRefused, name))
    throw FormatError(fmt::format(
        "{} cannot be replayed: what waits for it depends on values that a trace does not have",
        name));
  if (const auto row = find_row(name)) return *row;
  if (name == "ULDC") return *find_row("LDC");
  if (name.starts_with('U'))
    if (const auto row = find_row(name.substr(1)); row && row->space == Space::none) return *row;
  throw FormatError(fmt::format("the instruction {} is not known", name.substr(0, 40)));
}

// The modifiers, one after the other.
class Modifiers {
 public:
  explicit Modifiers(std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('.', at), text.size());
      words_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  std::string_view name() const { return words_.front(); }
  bool has(std::string_view word) const {
    return std::find(words_.begin() + 1, words_.end(), word) != words_.end();
  }
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i] : ""; }

  // The number in "128", "U16" or "S8"; nothing for other words.
  static std::optional<std::uint32_t> bits(std::string_view word) {
    if (word.starts_with('U') || word.starts_with('S')) word.remove_prefix(1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
  }
  // Of the first such word.
  std::uint32_t access_bits() const {
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (const auto found = bits(words_[i]);
          found && (*found == 8 || *found == 16 || *found == 32 || *found == 64 || *found == 128))
        return *found;
    return 32;
  }

 private:
  std::vector<std::string_view> words_;
};

std::uint8_t registers_of(std::uint32_t bits) {
  return static_cast<std::uint8_t>(std::max<std::uint32_t>(1, bits / 32));
}

struct Shape {
  std::uint32_t m = 0, n = 0, k = 0;
};

// "16816" is 16 x 8 x 16, "884" 8 x 8 x 4, "64x128x16" as it reads.
std::optional<Shape> shape_of(std::string_view word) {
  Shape s;
  const char* at = word.data();
  const char* const end = at + word.size();
  if (word.find('x') != std::string_view::npos) {
    for (std::uint32_t* const part : {&s.m, &s.n, &s.k}) {
      const auto [next, error] = std::from_chars(at, end, *part);
      if (error != std::errc{} || *part == 0 || *part > 256) return std::nullopt;
      at = next < end ? next + 1 : next;
    }
    return s;
  }
  if (!std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  s.m = word.starts_with("16") ? 16 : 8;
  const std::size_t used = s.m == 16 ? 2 : 1;
  if (word.size() < used + 2 || word[used] != '8') return std::nullopt;
  s.n = 8;
  const auto [next, error] = std::from_chars(at + used + 1, end, s.k);
  if (error != std::errc{} || next != end || s.k == 0 || s.k > 256) return std::nullopt;
  return s;
}

std::uint32_t element_bits(const Modifiers& m) {
  const std::string_view name = m.name();
  if (name == "DMMA") return 64;
  if (name == "BMMA") return 1;
  if (name == "QGMMA" || name == "QMMA") return 8;
  if (name.starts_with('I')) return m.has("S4") || m.has("U4") ? 4 : 8;
  return m.has("TF32") ? 32 : 16;
}

// A warp holds the matrices in registers of 32 bits.
void set_matrix(Mnemonic& out, const Modifiers& m) {
  std::optional<Shape> shape;
  std::size_t place = 1;
  for (; place < 4 && !shape; ++place) shape = shape_of(m.at(place));
  if (!shape)
    throw FormatError(fmt::format("the shape of the matrices of {} is not known", m.name()));
  const std::uint32_t bits = element_bits(m);
  const bool group = m.name().find("GMMA") != std::string_view::npos;
  // HMMA.884 is one of several steps of a multiplication of four pairs of matrices; with sums of
  // 16 bits there are two steps, otherwise four.
  const bool volta = m.name() == "HMMA" && shape->m == 8 && shape->k == 4;
  const bool half_sums = m.name().starts_with('H') && m.at(place) == "F16";
  const std::uint32_t depth_of_a = m.has("SP") ? shape->k / 2 : shape->k;
  const std::uint32_t work = shape->m * shape->n * depth_of_a * bits;
  // A warpgroup of four warps multiplies together.
  out.matrix_work = std::max(1u, group ? work / 4 : volta && half_sums ? 2 * work : work);
  if (volta || group) return;
  const auto words = [](std::uint32_t count, std::uint32_t of_bits) {
    return registers_of(count * of_bits / kWarpSize);
  };
  const std::uint32_t sum_bits = m.name() == "DMMA" ? 64 : half_sums ? 16 : 32;
  out.registers.written = out.registers.third = words(shape->m * shape->n, sum_bits);
  out.registers.first = words(shape->m * depth_of_a, bits);
  out.registers.second = words(shape->k * shape->n, bits);
}

void set_memory(Mnemonic& out, const Modifiers& m) {
  const bool matrices = m.name() == "LDSM" || m.name() == "STSM";
  const std::uint32_t bits = matrices ? 128 : m.access_bits();
  out.access_bytes = static_cast<std::uint8_t>(std::min(bits, 32u) / 8);
  out.vector = registers_of(bits);
  const std::uint8_t registers = !matrices    ? registers_of(bits)
                                 : m.has("4") ? 4
                                 : m.has("2") ? 2
                                              : 1;
  out.registers.written = out.registers.first = out.registers.second = registers;
  const bool wide = out.space == Space::global || out.space == Space::generic;
  out.registers.address = wide && m.has("E") ? 2 : 1;
  if (m.has("STRONG") && (m.has("GPU") || m.has("SYS"))) out.ordering = Ordering::relaxed;
  if (m.has("MMIO")) out.ordering = Ordering::relaxed;
  if (m.has("CONSTANT")) out.cache = CacheOperator::nc;
  if (m.has("EF")) out.cache = CacheOperator::cs;
  if (m.has("LU")) out.cache = CacheOperator::lu;
  if (m.has("BYPASS")) out.cache = CacheOperator::cg;
  if (m.name() == "LDGSTS") out.copy = CopyStep::start;
}

void set_double(Mnemonic& out) {
  out.registers.written = 2;
  out.registers.first = out.registers.second = out.registers.third = 2;
}

void set_barrier(Mnemonic& out, const Modifiers& m) {
  if (m.name() == "WARPSYNC") {
    out.barrier = BarrierOp::warp_sync;
    return;
  }
  out.barrier = m.has("ARV")    ? BarrierOp::arrive
                : !m.has("RED") ? BarrierOp::sync
                : m.has("AND")  ? BarrierOp::red_and
                : m.has("OR")   ? BarrierOp::red_or
                                : BarrierOp::red_popc;
}

}  // namespace

Mnemonic read_mnemonic(std::string_view text) {
  const Modifiers m(text);
  const std::string_view name = m.name();
  const Row row = row_of(name);
  Mnemonic out;
  out.op_class = row.op_class;
  out.space = row.space;
  if (row.op_class == OpClass::tensor) {
    set_matrix(out, m);
  } else if (row.op_class == OpClass::load || row.op_class == OpClass::store ||
             row.op_class == OpClass::atomic) {
    set_memory(out, m);
  } else if (row.op_class == OpClass::barrier) {
    set_barrier(out, m);
  } else if (name.starts_with('D') && name != "DEPBAR") {
    set_double(out);
  } else if (name == "LDGDEPBAR") {
    out.copy = CopyStep::commit;
  } else if (name == "DEPBAR") {
    out.copy = CopyStep::wait;
  } else if (m.has("WIDE")) {
    out.registers.written = out.registers.third = 2;
  } else if (name == "CS2R" && !m.has("32")) {
    out.registers.written = 2;
  } else if (m.has("F64") && name.starts_with('F')) {  // conversions: first the type of the result
    (m.at(1) == "F64" ? out.registers.written : out.registers.first) = 2;
  } else if (m.has("F64") && name == "I2F") {
    out.registers.written = 2;
  }
  return out;
}

}  // namespace heddle::trace
