#include "ptx/forms/modifiers.h"

#include <array>

#include "ptx/forms/modifier_words.h"

namespace heddle::ptx {

namespace {

constexpr auto kFlags = std::to_array<Word<bool Instruction::*>>({
    {"ftz", &Instruction::ftz},
    {"sat", &Instruction::sat},
    {"approx", &Instruction::approx},
    {"full", &Instruction::full},
    {"uni", &Instruction::uniform},
    {"cc", &Instruction::carry_out},
    {"shiftamt", &Instruction::shift_amount},
    {"NaN", &Instruction::nan},
    {"xorsign", &Instruction::xorsign},
    {"abs", &Instruction::absolute},
    {"relu", &Instruction::relu},
    {"satfinite", &Instruction::satfinite},
});

// "vabsdiff4": the operation is absdiff, on 4 elements; without a number on one.
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
bool apply_video_modifier(Instruction& i, std::string_view modifier) {
  if (modifier == "po")
    i.as<Video>().plus_one = true;
  else if (modifier == "shr7")
    i.as<Video>().shift = 7;
  else if (modifier == "shr15")
    i.as<Video>().shift = 15;
  else if (modifier == "clamp")
    i.clamp = true;
  else
    return lookup(kAtomics, modifier, i.atomic) || lookup(kCompares, modifier, i.compare);
  return true;
}

bool apply_fetch_modifier(Instruction& i, std::string_view modifier) {
  auto& fetch = i.as<TextureFetch>();
  constexpr std::string_view kChannels = "rgba";
  if (i.opcode == Opcode::tld4 && modifier.size() == 1 &&
      kChannels.find(modifier) != std::string_view::npos) {
    fetch.channel = static_cast<std::uint8_t>(kChannels.find(modifier));
    return true;
  }
  return lookup(kMipmaps, modifier, fetch.mipmap) || lookup(kGeometries, modifier, fetch.geometry);
}
bool apply_surface_modifier(Instruction& i, std::string_view modifier) {
  auto& access = i.as<SurfaceAccess>();
  if (i.opcode == Opcode::sured && lookup(kAtomics, modifier, i.atomic)) return true;
  if (modifier == "p") return access.formatted = true;
  return lookup(kOutsides, modifier, access.outside) ||
         lookup(kGeometries, modifier, access.geometry);
}

void apply_barrier_modifier(Instruction& i, std::string_view modifier) {
  if (modifier == "sync")
    i.barrier = i.barrier == BarrierOp::warp_sync ? BarrierOp::warp_sync : BarrierOp::sync;
  else if (modifier == "warp")
    i.barrier = BarrierOp::warp_sync;
  else if (modifier == "arrive")
    i.barrier = BarrierOp::arrive;
  else if (modifier == "popc")
    i.barrier = BarrierOp::red_popc;
  else if (modifier == "and")
    i.barrier = BarrierOp::red_and;
  else if (modifier == "or")
    i.barrier = BarrierOp::red_or;
  else if (modifier == "aligned")
    i.aligned = true;
}

// Modifiers that mean something else, or exist only, with this opcode. True when it was one.
bool apply_own_modifier(Instruction& i, std::string_view modifier) {
  switch (i.opcode) {
    case Opcode::bar:
      return apply_barrier_modifier(i, modifier), type_named(modifier) == Type::none;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::redux:
    case Opcode::atom_wide: return lookup(kAtomics, modifier, i.atomic);
    case Opcode::video: return apply_video_modifier(i, modifier);
    case Opcode::tex:
    case Opcode::tld4: return apply_fetch_modifier(i, modifier);
    case Opcode::txq:
      return modifier == "level" || lookup(kQueries, modifier, i.as<TextureQuery>());
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return apply_surface_modifier(i, modifier);
    case Opcode::istypep: return lookup(kOpaque, modifier, i.space);
    case Opcode::lop3: return lookup(kBoolOps, modifier, i.bool_op);
    case Opcode::setp:
    case Opcode::set:
      return lookup(kBoolOps, modifier, i.bool_op) || lookup(kCompares, modifier, i.compare);
    case Opcode::shfl: return lookup(kShflModes, modifier, i.as<ShflMode>());
    case Opcode::vote: return lookup(kVoteModes, modifier, i.as<VoteMode>());
    case Opcode::match: return lookup(kMatchModes, modifier, i.as<MatchMode>());
    case Opcode::prmt: return lookup(kPrmtModes, modifier, i.as<PrmtMode>());
    case Opcode::mbarrier: return apply_mbarrier_modifier(i.as<Mbarrier>(), modifier);
    case Opcode::bulk_load:
    case Opcode::bulk_store:
      if (lookup(kAtomics, modifier, i.atomic)) return true;
      if (modifier.starts_with("im2col")) {
        i.as<BulkCopy>().im2col = true;
        i.as<BulkCopy>().has_offsets = modifier == "im2col";
        return true;
      }
      if (modifier.size() != 2 || modifier[1] != 'd') return false;
      i.as<BulkCopy>().dimensions = static_cast<std::uint8_t>(modifier[0] - '0');
      return true;
    case Opcode::cp_async_arrive:
      if (modifier == "noinc") i.as<CopyArrival>().noinc = true;
      return false;
    case Opcode::testp: return lookup(kTests, modifier, i.as<TestProperty>());
    case Opcode::shf:
    case Opcode::bmsk:
    case Opcode::szext:
      if (modifier == "l") i.left = true;
      if (modifier == "clamp") i.clamp = true;
      return type_named(modifier) == Type::none;
    default: return lookup(kParts, modifier, i.part);
  }
}

// cvt.pack writes elements of matrices, too.
Type type_of(Opcode opcode, std::string_view modifier) {
  for (const Type type : {Type::u4, Type::s4})
    if (opcode == Opcode::pack && name_of(type) == modifier) return type;
  return type_named(modifier);
}

void apply_modifier(Instruction& i, std::string_view modifier, int& types_seen) {
  if (apply_own_modifier(i, modifier)) return;
  if (const Type type = type_of(i.opcode, modifier); type != Type::none) {
    if (types_seen == 2 && i.opcode == Opcode::video) i.as<Video>().signed_b = is_signed(type);
    if (types_seen < 2) (types_seen == 0 ? i.type : i.source_type) = type;
    ++types_seen;
    return;
  }
  if (modifier == "shared::cluster") i.cluster = true;
  if (lookup(kRoundings, modifier, i.rounding) || lookup(kOrderings, modifier, i.ordering) ||
      lookup(kSpaces, modifier, i.space) || lookup(kCaches, modifier, i.cache)) {
    return;
  }
  bool Instruction::* flag = nullptr;
  if (lookup(kFlags, modifier, flag))
    i.*flag = true;
  else if (modifier == "to")
    i.to_generic = false;
  else if (modifier == "wait_all")
    i.as<CopyWait>().all = true;
  else if (modifier == "v2" || modifier == "v4" || modifier == "v8")
    i.vector = static_cast<std::uint8_t>(modifier[1] - '0');
  // Scopes of fences and atomics, cache priorities and the like have no effect.
}

bool is_surface(Opcode o) { return o == Opcode::suld || o == Opcode::sust || o == Opcode::sured; }

// The space and the size of the access of instructions that reach memory.
void complete_access(Instruction& i) {
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::ld_wide:
    case Opcode::st_wide:
    case Opcode::atom_wide:
    case Opcode::mbarrier:
    case Opcode::cp_async_arrive:
    case Opcode::prefetch:
    case Opcode::createpolicy:
    case Opcode::nop:
      if (i.space == Space::none) i.space = Space::generic;
      i.access_bytes = static_cast<std::uint8_t>(bytes_of(i.type));
      return;
    case Opcode::cp_async: i.space = Space::global; return;
    case Opcode::bulk_load:
      if (i.space == Space::shared) i.as<BulkCopy>().from_shared = true;
      [[fallthrough]];
    case Opcode::bulk_store: i.space = Space::global, i.access_bytes = 16; return;
    case Opcode::tex:
    case Opcode::tld4: i.space = Space::texture, i.access_bytes = 1; return;
    default: break;
  }
  if (!is_surface(i.opcode)) return;
  i.space = Space::global;
  // A formatted store accesses the sector of the texel's first byte.
  const bool by_texel = i.opcode == Opcode::sust && i.as<SurfaceAccess>().formatted;
  i.access_bytes = by_texel ? 1 : static_cast<std::uint8_t>(bytes_of(i.type));
}

// Types that follow from others.
void complete_types(Instruction& i) {
  if (i.opcode == Opcode::setp) i.source_type = i.type;
  if (i.opcode == Opcode::bar && i.type == Type::none) i.type = Type::u32;
  if (i.opcode == Opcode::video && i.as<Video>().op == VideoOp::set) {  // .atype.btype only
    i.as<Video>().signed_b = is_signed(i.source_type);
    i.source_type = i.type;
    i.type = Type::u32;
  }
  if (i.opcode == Opcode::dp4a || i.opcode == Opcode::dp2a) {
    i.payload = DotProduct{i.type == Type::s32, i.source_type == Type::s32, i.part == MulPart::hi};
    if (i.source_type == Type::s32) i.type = Type::s32;
  }
}

}  // namespace

void apply_modifiers(Instruction& i, std::string_view mnemonic, const Modifiers& modifiers) {
  i.to_generic = i.opcode == Opcode::cvta;
  i.aligned = mnemonic == "bar";
  if (i.opcode == Opcode::video) apply_video_name(i, mnemonic);
  int types_seen = 0;
  if (is_matrix(i.opcode)) {
    i.as<Matrix>().wmma = mnemonic == "wmma";
    apply_matrix_modifiers(i, modifiers);
  } else if (i.opcode == Opcode::wgmma) {
    apply_warpgroup_modifiers(i, modifiers);
  } else {
    for (const std::string_view modifier : modifiers) apply_modifier(i, modifier, types_seen);
  }
  complete_access(i);
  complete_types(i);
  i.op_class = class_of(i);
  if (mnemonic == "fma" && i.op_class == OpClass::fp_mad) i.op_class = OpClass::fp_fma;
  if (mnemonic == "fma" && i.op_class == OpClass::dp_mad) i.op_class = OpClass::dp_fma;
}

}  // namespace heddle::ptx
