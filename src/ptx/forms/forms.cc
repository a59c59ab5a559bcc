#include "ptx/forms/forms.h"

#include <algorithm>
#include <array>

#include "base/diagnostics.h"

namespace heddle::ptx {

namespace {

Type wide(Type t) {
  switch (t) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    default: return Type::s64;
  }
}

// Splits `text` at each `separator` and calls f for every piece.
template <class F>
void for_pieces(std::string_view text, char separator, F&& f) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) f(text.substr(start, end - start));
    start = end + 1;
  }
}

struct Slot {
  std::string_view alternatives;
  bool optional = false, used = false;
  bool has(std::string_view word) const {
    bool found = false;
    for_pieces(alternatives, '|', [&](std::string_view a) { found |= a == word; });
    return found;
  }
};

std::vector<Slot> slots_of(const FormRow& row) {
  std::vector<Slot> slots;
  for_pieces(row.modifiers, ' ', [&](std::string_view piece) {
    Slot slot;
    slot.optional = piece.back() == '?';
    if (slot.optional) piece.remove_suffix(1);
    slot.alternatives = piece;
    for (const FormSet& set : form_sets()) {
      if (set.name == piece) slot.alternatives = set.members;
    }
    slots.push_back(slot);
  });
  return slots;
}

bool row_accepts(const FormRow& row, const std::vector<std::string_view>& modifiers) {
  std::vector<Slot> slots = slots_of(row);
  for (std::string_view word : modifiers) {
    auto slot = std::find_if(slots.begin(), slots.end(),
                             [&](const Slot& s) { return !s.used && s.has(word); });
    if (slot == slots.end()) return false;
    slot->used = true;
  }
  return std::all_of(slots.begin(), slots.end(),
                     [](const Slot& s) { return s.used || s.optional; });
}

template <class E>
struct Word {
  std::string_view text;
  E value;
};
template <class E, std::size_t N>
bool lookup(const std::array<Word<E>, N>& words, std::string_view text, E& value) {
  for (const auto& word : words) {
    if (word.text == text) return value = word.value, true;
  }
  return false;
}
constexpr std::array<Word<Rounding>, 9> kRoundings = {{{"rn", Rounding::rn},
                                                       {"rz", Rounding::rz},
                                                       {"rm", Rounding::rm},
                                                       {"rp", Rounding::rp},
                                                       {"rna", Rounding::rna},
                                                       {"rni", Rounding::rni},
                                                       {"rzi", Rounding::rzi},
                                                       {"rmi", Rounding::rmi},
                                                       {"rpi", Rounding::rpi}}};
constexpr std::array<Word<Compare>, 18> kCompares = {{{"eq", Compare::eq},
                                                      {"ne", Compare::ne},
                                                      {"lt", Compare::lt},
                                                      {"le", Compare::le},
                                                      {"gt", Compare::gt},
                                                      {"ge", Compare::ge},
                                                      {"lo", Compare::lo},
                                                      {"ls", Compare::ls},
                                                      {"hi", Compare::hi},
                                                      {"hs", Compare::hs},
                                                      {"equ", Compare::equ},
                                                      {"neu", Compare::neu},
                                                      {"ltu", Compare::ltu},
                                                      {"leu", Compare::leu},
                                                      {"gtu", Compare::gtu},
                                                      {"geu", Compare::geu},
                                                      {"num", Compare::num},
                                                      {"nan", Compare::nan}}};
constexpr std::array<Word<BoolOp>, 3> kBoolOps = {
    {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}}};
constexpr std::array<Word<MulPart>, 3> kParts = {
    {{"lo", MulPart::lo}, {"hi", MulPart::hi}, {"wide", MulPart::wide}}};
constexpr std::array<Word<AtomicOp>, 10> kAtomics = {{{"and", AtomicOp::and_},
                                                      {"or", AtomicOp::or_},
                                                      {"xor", AtomicOp::xor_},
                                                      {"cas", AtomicOp::cas},
                                                      {"exch", AtomicOp::exch},
                                                      {"add", AtomicOp::add},
                                                      {"inc", AtomicOp::inc},
                                                      {"dec", AtomicOp::dec},
                                                      {"min", AtomicOp::min},
                                                      {"max", AtomicOp::max}}};
constexpr std::array<Word<CacheOperator>, 8> kCaches = {{{"ca", CacheOperator::ca},
                                                         {"cg", CacheOperator::cg},
                                                         {"cs", CacheOperator::cs},
                                                         {"lu", CacheOperator::lu},
                                                         {"cv", CacheOperator::cv},
                                                         {"wb", CacheOperator::wb},
                                                         {"wt", CacheOperator::wt},
                                                         {"nc", CacheOperator::nc}}};
constexpr std::array<Word<Ordering>, 6> kOrderings = {{{"weak", Ordering::weak},
                                                       {"volatile", Ordering::volatile_},
                                                       {"relaxed", Ordering::relaxed},
                                                       {"acquire", Ordering::acquire},
                                                       {"release", Ordering::release},
                                                       {"acq_rel", Ordering::acq_rel}}};
constexpr std::array<Word<Space>, 9> kSpaces = {{{"global", Space::global},
                                                 {"shared", Space::shared},
                                                 {"shared::cta", Space::shared},
                                                 {"shared::cluster", Space::shared},
                                                 {"local", Space::local},
                                                 {"const", Space::constant},
                                                 {"param", Space::param},
                                                 {"param::entry", Space::param},
                                                 {"param::func", Space::param}}};
constexpr std::array<Word<ShflMode>, 4> kShflModes = {{{"up", ShflMode::up},
                                                       {"down", ShflMode::down},
                                                       {"bfly", ShflMode::bfly},
                                                       {"idx", ShflMode::idx}}};
constexpr std::array<Word<VoteMode>, 4> kVoteModes = {{{"all", VoteMode::all},
                                                       {"any", VoteMode::any},
                                                       {"uni", VoteMode::uni},
                                                       {"ballot", VoteMode::ballot}}};
constexpr std::array<Word<MatchMode>, 2> kMatchModes = {
    {{"any", MatchMode::any}, {"all", MatchMode::all}}};
constexpr std::array<Word<PrmtMode>, 6> kPrmtModes = {{{"f4e", PrmtMode::f4e},
                                                       {"b4e", PrmtMode::b4e},
                                                       {"rc8", PrmtMode::rc8},
                                                       {"ecl", PrmtMode::ecl},
                                                       {"ecr", PrmtMode::ecr},
                                                       {"rc16", PrmtMode::rc16}}};
constexpr std::array<Word<TestProperty>, 6> kTests = {{{"finite", TestProperty::finite},
                                                       {"infinite", TestProperty::infinite},
                                                       {"number", TestProperty::number},
                                                       {"notanumber", TestProperty::notanumber},
                                                       {"normal", TestProperty::normal},
                                                       {"subnormal", TestProperty::subnormal}}};
constexpr std::array<Word<Geometry>, 7> kGeometries = {{{"1d", Geometry::d1},
                                                        {"2d", Geometry::d2},
                                                        {"3d", Geometry::d3},
                                                        {"a1d", Geometry::a1d},
                                                        {"a2d", Geometry::a2d},
                                                        {"cube", Geometry::cube},
                                                        {"acube", Geometry::acube}}};
constexpr std::array<Word<Outside>, 3> kOutsides = {
    {{"trap", Outside::trap}, {"clamp", Outside::clamp}, {"zero", Outside::zero}}};
constexpr std::array<Word<TextureQuery>, 15> kQueries = {
    {{"width", TextureQuery::width},
     {"height", TextureQuery::height},
     {"depth", TextureQuery::depth},
     {"array_size", TextureQuery::array_size},
     {"num_mipmap_levels", TextureQuery::levels},
     {"num_samples", TextureQuery::one},
     {"normalized_coords", TextureQuery::normalized},
     {"channel_data_type", TextureQuery::data_type},
     {"channel_order", TextureQuery::order},
     {"memory_layout", TextureQuery::layout},
     {"filter_mode", TextureQuery::filter},
     {"addr_mode_0", TextureQuery::address_x},
     {"addr_mode_1", TextureQuery::address_y},
     {"addr_mode_2", TextureQuery::address_z},
     {"force_unnormalized_coords", TextureQuery::force_unnormalized}}};
constexpr std::array<Word<Space>, 3> kOpaque = {
    {{"texref", Space::texture}, {"surfref", Space::surface}, {"samplerref", Space::sampler}}};
constexpr std::array<Word<Mipmap>, 3> kMipmaps = {
    {{"base", Mipmap::base}, {"level", Mipmap::level}, {"grad", Mipmap::gradient}}};
// Names of video instructions are "v", the operation, and the number of elements when there are
// several.
void apply_video_name(Instruction& i, std::string_view mnemonic) {
  static constexpr std::array<Word<VideoOp>, 10> kVideo = {{{"add", VideoOp::add},
                                                            {"sub", VideoOp::sub},
                                                            {"absdiff", VideoOp::absdiff},
                                                            {"min", VideoOp::min},
                                                            {"max", VideoOp::max},
                                                            {"avrg", VideoOp::avrg},
                                                            {"shl", VideoOp::shl},
                                                            {"shr", VideoOp::shr},
                                                            {"mad", VideoOp::mad},
                                                            {"set", VideoOp::set}}};
  mnemonic.remove_prefix(1);
  if (mnemonic.back() == '2' || mnemonic.back() == '4') {
    i.vector = static_cast<std::uint8_t>(mnemonic.back() - '0');
    mnemonic.remove_suffix(1);
  }
  lookup(kVideo, mnemonic, i.as<Video>().op);
}
bool apply_video_word(Instruction& i, std::string_view word) {
  if (word == "po")
    i.as<Video>().plus_one = true;
  else if (word == "shr7")
    i.as<Video>().shift = 7;
  else if (word == "shr15")
    i.as<Video>().shift = 15;
  else if (word == "clamp")
    i.clamp = true;
  else
    return lookup(kAtomics, word, i.atomic) || lookup(kCompares, word, i.compare);
  return true;
}

bool apply_fetch_word(Instruction& i, std::string_view word) {
  auto& fetch = i.as<TextureFetch>();
  constexpr std::string_view kChannels = "rgba";
  if (i.opcode == Opcode::tld4 && word.size() == 1 && kChannels.find(word) != kChannels.npos) {
    fetch.channel = static_cast<std::uint8_t>(kChannels.find(word));
    return true;
  }
  return lookup(kMipmaps, word, fetch.mipmap) || lookup(kGeometries, word, fetch.geometry);
}
bool apply_surface_word(Instruction& i, std::string_view word) {
  auto& access = i.as<SurfaceAccess>();
  if (i.opcode == Opcode::sured && lookup(kAtomics, word, i.atomic)) return true;
  if (word == "p") return access.formatted = true;
  return lookup(kOutsides, word, access.outside) || lookup(kGeometries, word, access.geometry);
}

void apply_barrier_word(Instruction& i, std::string_view word) {
  if (word == "sync")
    i.barrier = i.barrier == BarrierOp::warp_sync ? BarrierOp::warp_sync : BarrierOp::sync;
  else if (word == "warp")
    i.barrier = BarrierOp::warp_sync;
  else if (word == "arrive")
    i.barrier = BarrierOp::arrive;
  else if (word == "popc")
    i.barrier = BarrierOp::red_popc;
  else if (word == "and")
    i.barrier = BarrierOp::red_and;
  else if (word == "or")
    i.barrier = BarrierOp::red_or;
}

// Words whose meaning depends on the opcode. True when the word was one of them.
bool apply_own_word(Instruction& i, std::string_view word) {
  switch (i.opcode) {
    case Opcode::bar: return apply_barrier_word(i, word), type_named(word) == Type::none;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::redux:
    case Opcode::atom_wide: return lookup(kAtomics, word, i.atomic);
    case Opcode::video: return apply_video_word(i, word);
    case Opcode::tex:
    case Opcode::tld4: return apply_fetch_word(i, word);
    case Opcode::txq: return word == "level" || lookup(kQueries, word, i.as<TextureQuery>());
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return apply_surface_word(i, word);
    case Opcode::istypep: return lookup(kOpaque, word, i.space);
    case Opcode::lop3: return lookup(kBoolOps, word, i.bool_op);
    case Opcode::setp:
    case Opcode::set:
      return lookup(kBoolOps, word, i.bool_op) || lookup(kCompares, word, i.compare);
    case Opcode::shfl: return lookup(kShflModes, word, i.as<ShflMode>());
    case Opcode::vote: return lookup(kVoteModes, word, i.as<VoteMode>());
    case Opcode::match: return lookup(kMatchModes, word, i.as<MatchMode>());
    case Opcode::prmt: return lookup(kPrmtModes, word, i.as<PrmtMode>());
    case Opcode::mbarrier: return apply_mbarrier_word(i.as<Mbarrier>(), word);
    case Opcode::cp_async_arrive:
      if (word == "noinc") i.as<CopyArrival>().noinc = true;
      return false;
    case Opcode::testp: return lookup(kTests, word, i.as<TestProperty>());
    case Opcode::membar: return false;  // the scope: every fence acts as one for the system
    case Opcode::shf:
    case Opcode::bmsk:
    case Opcode::szext:
      if (word == "l") i.left = true;
      if (word == "clamp") i.clamp = true;
      return type_named(word) == Type::none;
    default: return lookup(kParts, word, i.part);
  }
}

void apply_word(Instruction& i, std::string_view word, int& types_seen) {
  if (apply_own_word(i, word)) return;
  if (const Type type = type_named(word); type != Type::none) {
    if (types_seen == 2 && i.opcode == Opcode::video) i.as<Video>().signed_b = is_signed(type);
    if (types_seen < 2) (types_seen == 0 ? i.type : i.source_type) = type;
    ++types_seen;
    return;
  }
  if (lookup(kRoundings, word, i.rounding) || lookup(kOrderings, word, i.ordering) ||
      lookup(kSpaces, word, i.space) || lookup(kCaches, word, i.cache)) {
    return;
  }
  if (word == "ftz")
    i.ftz = true;
  else if (word == "sat")
    i.sat = true;
  else if (word == "approx")
    i.approx = true;
  else if (word == "full")
    i.full = true;
  else if (word == "uni")
    i.uniform = true;
  else if (word == "cc")
    i.carry_out = true;
  else if (word == "to")
    i.to_generic = false;
  else if (word == "shiftamt")
    i.shift_amount = true;
  else if (word == "NaN")
    i.nan = true;
  else if (word == "xorsign")
    i.xorsign = true;
  else if (word == "abs")
    i.absolute = true;
  else if (word == "relu")
    i.relu = true;
  else if (word == "satfinite")
    i.satfinite = true;
  else if (word == "wait_all")
    i.as<CopyWait>().all = true;
  else if (word == "v2")
    i.vector = 2;
  else if (word == "v4")
    i.vector = 4;
  else if (word == "v8")
    i.vector = 8;
}

OpClass by_type(Type type, OpClass integer) {
  const int kind = static_cast<int>(integer) - static_cast<int>(OpClass::int_add);
  if (!is_float(type)) return integer;
  if (kind == 5) return integer;
  const OpClass first = type == Type::f64 ? OpClass::dp_add : OpClass::fp_add;
  return static_cast<OpClass>(static_cast<int>(first) + kind);
}

// The unit as GPGPU-Sim's PTX mode classifies it.
OpClass class_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::addc:
    case Opcode::sub:
    case Opcode::subc: return by_type(i.type, OpClass::int_add);
    case Opcode::min:
    case Opcode::max: return by_type(i.type, OpClass::int_max);
    case Opcode::mul:
    case Opcode::mul24: return by_type(i.type, OpClass::int_mul);
    case Opcode::mad:
    case Opcode::madc:
    case Opcode::mad24:
    case Opcode::fma: return by_type(i.type, OpClass::int_mad);
    case Opcode::div:
    case Opcode::rem: return by_type(i.type, OpClass::int_div);
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh: return OpClass::sfu;
    case Opcode::shfl:
    case Opcode::redux: return OpClass::shuffle;
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::prefetch:
    case Opcode::cp_async:
    case Opcode::bulk_load:
    case Opcode::ld_wide:
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::suld:
    case Opcode::wmma_load:
    case Opcode::ldmatrix: return OpClass::load;
    case Opcode::mma: return OpClass::tensor;
    case Opcode::movmatrix: return OpClass::shuffle;
    case Opcode::st:
    case Opcode::st_wide:
    case Opcode::bulk_store:
    case Opcode::sust:
    case Opcode::wmma_store:
    case Opcode::stmatrix: return OpClass::store;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::sured:
    case Opcode::mbarrier:
    case Opcode::atom_wide: return OpClass::atomic;
    case Opcode::membar:
    case Opcode::cp_async_wait: return OpClass::memory_barrier;
    case Opcode::bra:
    case Opcode::brx: return OpClass::branch;
    case Opcode::bar: return OpClass::barrier;
    case Opcode::call: return OpClass::call;
    case Opcode::ret: return OpClass::return_;
    case Opcode::exit: return OpClass::exit_;
    default: return OpClass::alu;
  }
}

void finish(Instruction& i) {
  const bool has_space =
      i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::st ||
      i.opcode == Opcode::atom || i.opcode == Opcode::red || i.opcode == Opcode::ld_wide ||
      i.opcode == Opcode::st_wide || i.opcode == Opcode::atom_wide ||
      i.opcode == Opcode::mbarrier || i.opcode == Opcode::cp_async_arrive ||
      i.opcode == Opcode::prefetch || i.opcode == Opcode::createpolicy || i.opcode == Opcode::nop;
  if (has_space) {
    if (i.space == Space::none) i.space = Space::generic;
    i.access_bytes = static_cast<std::uint8_t>(bytes_of(i.type));
  }
  if (i.opcode == Opcode::setp) i.source_type = i.type;
  if (i.opcode == Opcode::bar && i.type == Type::none) i.type = Type::u32;
  if (i.opcode == Opcode::cp_async) i.space = Space::global;
  if (i.opcode == Opcode::bulk_load || i.opcode == Opcode::bulk_store)
    i.space = Space::global, i.access_bytes = 16;
  if (i.opcode == Opcode::mov) i.space = Space::none;  // mapa and getctarank
  if (i.opcode == Opcode::tex || i.opcode == Opcode::tld4)
    i.space = Space::texture, i.access_bytes = 1;
  if (i.opcode == Opcode::suld || i.opcode == Opcode::sust || i.opcode == Opcode::sured) {
    i.space = Space::global;
    i.access_bytes = i.opcode == Opcode::sust && i.as<SurfaceAccess>().formatted
                         ? 1
                         : static_cast<std::uint8_t>(
                               bytes_of(i.type));  // a texel lies in the sector of its first byte
  }
  if (i.opcode == Opcode::video &&
      i.as<Video>().op == VideoOp::set) {  // the result has no type of its own
    i.as<Video>().signed_b = is_signed(i.source_type);
    i.source_type = i.type;
    i.type = Type::u32;
  }
  if (i.opcode == Opcode::dp4a || i.opcode == Opcode::dp2a) {
    i.payload = DotProduct{i.type == Type::s32, i.source_type == Type::s32, i.part == MulPart::hi};
    if (i.source_type == Type::s32) i.type = Type::s32;
  }
  i.op_class = class_of(i);
}

OperandShape shape_of(std::string_view letters, const Instruction& i) {
  using Role = OperandShape::Role;
  OperandShape shape;
  if (letters.back() == '?') shape.optional = true, letters.remove_suffix(1);
  if (letters.back() == '~') shape.relaxed = true, letters.remove_suffix(1);
  shape.type = i.type;
  if (letters == "d")
    shape.role = Role::destination;
  else if (letters == "d_")
    shape.role = Role::destination, shape.sink = true;
  else if (letters == "dw")
    shape.role = Role::destination, shape.type = wide(i.type);
  else if (letters == "e")
    shape.role = Role::destination, shape.type = Type::b32;
  else if (letters == "p")
    shape.role = Role::destination, shape.type = Type::pred;
  else if (letters == "p|q")
    shape.role = Role::destination_pair, shape.type = Type::pred;
  else if (letters == "d|p")
    shape.role = Role::destination_optional_pair;
  else if (letters == "e|p")
    shape.role = Role::destination_optional_pair, shape.type = Type::b32;
  else if (letters == "b")
    shape.type = i.source_type;
  else if (letters == "w")
    shape.type = wide(i.type);
  else if (letters == "P")
    shape.role = Role::predicate, shape.type = Type::pred;
  else if (letters == "i")
    shape.role = Role::constant, shape.type = Type::u32;
  else if (letters == "m")
    shape.role = Role::address;
  else if (letters == "x")
    shape.role = Role::texel;
  else if (letters == "y")
    shape.role = Role::handle;
  else if (letters == "G")
    shape.role = Role::gradient, shape.type = Type::f32;
  else if (letters == "O")
    shape.role = Role::offsets, shape.type = Type::s32;
  else if (letters == "q")
    shape.type = Type::b64, shape.address_of = true;
  else if (letters == "s")
    shape.role = Role::address, shape.space = Space::shared;
  else if (letters == "B")
    shape.role = Role::address, shape.space = Space::shared, shape.place = 3;
  else if (letters == "V")
    shape.address_of = true;
  else if (letters == "U")
    shape.role = Role::hint, shape.address_of = true;
  else if (letters == "H")
    shape.role = Role::hint, shape.type = Type::u32;
  else if (letters == "z")
    shape.type = Type::u32, shape.or_predicate = true;
  else if (letters == "h")
    shape.role = Role::hint, shape.type = Type::b64;
  else if (letters == "D")
    shape.role = Role::destination, shape.relaxed = shape.vector = shape.sink = true;
  else if (letters == "A")
    shape.relaxed = shape.vector = true;
  else if (letters.front() == 'F')
    return fragment_shape(letters[1], i);
  else if (letters == "M")
    shape.role = Role::destination, shape.pack = true;
  else if (letters == "N")
    shape.pack = i.opcode == Opcode::mov, shape.address_of = true;
  else if (letters == "L")
    shape.role = Role::label;
  else if (letters == "T")
    shape.role = Role::table;
  else if (letters == "C")
    shape.role = Role::call;
  else if (letters.front() == ':')
    shape.type = type_named(letters.substr(1));
  return shape;
}

// Why no row fits.
std::string refusal(std::string_view mnemonic, const std::vector<std::string_view>& modifiers) {
  static constexpr std::array<Word<std::string_view>, 6> kRefused = {
      {{"wgmma", "warpgroup matrix"},
       {"tcgen05", "tensor memory"},
       {"clusterlaunchcontrol", "thread-block cluster"},
       {"multimem", "multimem"},
       {"tensormap", "tensor map"},
       {"setmaxnreg", "register reallocation"}}};
  std::string_view family;
  if (lookup(kRefused, mnemonic, family))
    return std::string(family) + " instructions are not supported";
  std::vector<std::string> names;
  bool known = false;
  for (const FormRow& row : form_rows()) {
    known |= row.mnemonic == mnemonic;
    names.emplace_back(row.mnemonic);
  }
  if (!known) {
    const std::string near =
        nearest_names(mnemonic, {names.begin(), std::unique(names.begin(), names.end())});
    return "no such instruction is known" + (near.empty() ? "" : "; did you mean " + near + "?");
  }
  for (std::string_view word : modifiers) {
    bool used = false;
    for (const FormRow& row : form_rows()) {
      if (row.mnemonic != mnemonic) continue;
      for (const Slot& slot : slots_of(row)) used |= slot.has(word);
    }
    if (!used) return "'." + std::string(word) + "' is not supported with " + std::string(mnemonic);
  }
  return "this combination of modifiers is not supported";
}

}  // namespace

std::string decode_form(std::string_view name, Form& form) {
  std::vector<std::string_view> modifiers;
  for_pieces(name, '.', [&](std::string_view piece) { modifiers.push_back(piece); });
  if (modifiers.empty()) return "no such instruction is known";
  const std::string_view mnemonic = modifiers.front();
  modifiers.erase(modifiers.begin());
  for (const FormRow& row : form_rows()) {
    if (row.mnemonic != mnemonic || !row_accepts(row, modifiers)) continue;
    form = {};
    form.prototype.opcode = row.opcode;
    form.prototype.payload = payload_for(row.opcode);
    form.prototype.to_generic = row.opcode == Opcode::cvta;
    if (row.opcode == Opcode::video) apply_video_name(form.prototype, mnemonic);
    const bool hinted =
        std::find(modifiers.begin(), modifiers.end(), "L2::cache_hint") != modifiers.end();
    int types_seen = 0;
    if (is_matrix(row.opcode))
      apply_matrix_words(form.prototype, modifiers);
    else
      for (std::string_view word : modifiers) apply_word(form.prototype, word, types_seen);
    if (row.opcode == Opcode::mma) form.prototype.uniform = mnemonic == "wmma";
    finish(form.prototype);
    for_pieces(row.operands, ' ', [&](std::string_view letters) {
      if (letters != "h" || hinted) form.operands.push_back(shape_of(letters, form.prototype));
    });
    return "";
  }
  return refusal(mnemonic, modifiers);
}

}  // namespace heddle::ptx
