// Every instruction form that is accepted. To add one, add a row; when it needs a new modifier, teach forms.cc its meaning.
//
// Modifiers may stand in any order, except that types keep theirs. Operand letters:
//   d  register of the type            d~  ... or a wider one          dw  register of twice the type's width
//   e  32-bit register                 d_  register or _               p   predicate
//   p|q, d|p, e|p  with an optional second destination after '|'
//   a  source of the type              a~  ... or a wider register     w   source of twice the type's width
//   b  source of the second type       b~  ... or wider                :t  source of the type t
//   P  predicate, perhaps negated      i   integer constant
//   m  memory address                  D   data loaded, a vector if the form says so       A   data stored, likewise
//   M, N  destination and source of mov                                L, T, C   label, table of labels, call
//   '?' after a letter: may be left out
#include "ptx/forms.h"

namespace heddle::ptx {

const std::vector<FormSet>& form_sets() {
  static const std::vector<FormSet> sets = {
      {"I", "u16|s16|u32|s32|u64|s64"},
      {"I32", "u32|s32"},
      {"I3264", "u32|s32|u64|s64"},
      {"I8", "u8|s8|u16|s16|u32|s32|u64|s64"},
      {"RND", "rn|rz|rm|rp"},
      {"RNI", "rni|rzi|rmi|rpi"},
      {"BOOL", "and|or|xor"},
      {"CMPS", "eq|ne|lt|le|gt|ge"},
      {"CMPU", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
      {"CMPF", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
      {"T", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
      {"MEM", "b8|b16|b32|u8|u16|u32|s8|s16|s32|f16|f16x2|bf16|bf16x2|f32"},
      {"MEM64", "b64|u64|s64|f64"},
      {"SEM", "weak|volatile|relaxed|acquire"},
      {"STSEM", "weak|volatile|relaxed|release"},
      {"ATSEM", "relaxed|acquire|release|acq_rel"},
      {"SCOPE", "cta|cluster|gpu|sys"},
      {"SPACE", "global|shared|shared::cta|local|const|param|param::entry|param::func"},
      {"STSPACE", "global|shared|shared::cta|local|param|param::func"},
      {"ATSPACE", "global|shared|shared::cta"},
      {"CACHE", "ca|cg|cs|lu|cv"},
      {"STCACHE", "wb|cg|cs|wt"},
      {"L1", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
      {"L2", "L2::64B|L2::128B|L2::256B|L2::evict_normal|L2::evict_first|L2::evict_last"},
  };
  return sets;
}

namespace {

using O = Opcode;

const std::vector<FormRow> kIntegerRows = {
    {"add", O::add, "I", "d a a"},
    {"add", O::add, "sat s32", "d a a"},
    {"add", O::add, "cc I3264", "d a a"},
    {"addc", O::addc, "cc? I3264", "d a a"},
    {"sub", O::sub, "I", "d a a"},
    {"sub", O::sub, "sat s32", "d a a"},
    {"sub", O::sub, "cc I3264", "d a a"},
    {"subc", O::subc, "cc? I3264", "d a a"},
    {"mul", O::mul, "lo|hi I", "d a a"},
    {"mul", O::mul, "wide u16|s16|u32|s32", "dw a a"},
    {"mad", O::mad, "lo|hi I", "d a a a"},
    {"mad", O::mad, "hi sat s32", "d a a a"},
    {"mad", O::mad, "wide u16|s16|u32|s32", "dw a a w"},
    {"mad", O::mad, "lo|hi cc I3264", "d a a a"},
    {"madc", O::madc, "lo|hi cc? I3264", "d a a a"},
    {"mul24", O::mul24, "lo|hi I32", "d a a"},
    {"mad24", O::mad24, "lo|hi I32", "d a a a"},
    {"sad", O::sad, "I", "d a a a"},
    {"div", O::div, "I", "d a a"},
    {"rem", O::rem, "I", "d a a"},
    {"abs", O::abs, "s16|s32|s64", "d a"},
    {"neg", O::neg, "s16|s32|s64", "d a"},
    {"min", O::min, "I", "d a a"},
    {"max", O::max, "I", "d a a"},
    {"popc", O::popc, "b32|b64", "e a"},
    {"clz", O::clz, "b32|b64", "e a"},
    {"bfind", O::bfind, "shiftamt? I3264", "e a"},
    {"brev", O::brev, "b32|b64", "d a"},
    {"bfe", O::bfe, "I3264", "d a :u32 :u32"},
    {"bfi", O::bfi, "b32|b64", "d a a :u32 :u32"},
    {"dp4a", O::dp4a, "I32 I32", "e :b32 :b32 :b32"},
    {"and", O::and_, "pred|b16|b32|b64", "d a a"},
    {"or", O::or_, "pred|b16|b32|b64", "d a a"},
    {"xor", O::xor_, "pred|b16|b32|b64", "d a a"},
    {"not", O::not_, "pred|b16|b32|b64", "d a"},
    {"cnot", O::cnot, "b16|b32|b64", "d a"},
    {"lop3", O::lop3, "b32", "d a a a i"},
    {"shf", O::shf, "l|r clamp|wrap b32", "d a a :u32"},
    {"shl", O::shl, "b16|b32|b64", "d a :u32"},
    {"shr", O::shr, "b16|b32|b64|u16|u32|u64|s16|s32|s64", "d a :u32"},
};

const std::vector<FormRow> kFloatRows = {
    {"add", O::add, "RND? ftz? sat? f32", "d a a"},
    {"add", O::add, "RND? f64", "d a a"},
    {"sub", O::sub, "RND? ftz? sat? f32", "d a a"},
    {"sub", O::sub, "RND? f64", "d a a"},
    {"mul", O::mul, "RND? ftz? sat? f32", "d a a"},
    {"mul", O::mul, "RND? f64", "d a a"},
    {"fma", O::fma, "RND ftz? sat? f32", "d a a a"},
    {"fma", O::fma, "RND f64", "d a a a"},
    {"mad", O::fma, "RND ftz? sat? f32", "d a a a"},  // the same operation since sm_20
    {"mad", O::fma, "RND f64", "d a a a"},
    {"div", O::div, "approx|full|rn|rz|rm|rp ftz? f32", "d a a"},
    {"div", O::div, "RND f64", "d a a"},
    {"abs", O::abs, "ftz? f32", "d a"},
    {"abs", O::abs, "f64", "d a"},
    {"neg", O::neg, "ftz? f32", "d a"},
    {"neg", O::neg, "f64", "d a"},
    {"min", O::min, "ftz? f32", "d a a"},
    {"min", O::min, "f64", "d a a"},
    {"max", O::max, "ftz? f32", "d a a"},
    {"max", O::max, "f64", "d a a"},
    {"rcp", O::rcp, "approx|rn|rz|rm|rp ftz? f32", "d a"},
    {"rcp", O::rcp, "RND f64", "d a"},
    {"rcp", O::rcp, "approx ftz f64", "d a"},
    {"sqrt", O::sqrt, "approx|rn|rz|rm|rp ftz? f32", "d a"},
    {"sqrt", O::sqrt, "RND f64", "d a"},
    {"rsqrt", O::rsqrt, "approx ftz? f32|f64", "d a"},
    {"sin", O::sin, "approx ftz? f32", "d a"},
    {"cos", O::cos, "approx ftz? f32", "d a"},
    {"lg2", O::lg2, "approx ftz? f32", "d a"},
    {"ex2", O::ex2, "approx ftz? f32", "d a"},
    {"tanh", O::tanh, "approx f32", "d a"},
    {"copysign", O::copysign, "f32|f64", "d a a"},
    {"testp", O::testp, "finite|infinite|number|notanumber|normal|subnormal f32|f64", "p a"},
};

const std::vector<FormRow> kDataRows = {
    {"mov", O::mov, "pred|b16|b32|b64|u16|u32|u64|s16|s32|s64|f16|f16x2|bf16|bf16x2|f32|f64", "M N"},
    {"cvt", O::cvt, "sat? I8 I8", "d~ b~"},
    {"cvt", O::cvt, "RND ftz? sat? f16|f32|f64 I8", "d~ b~"},
    {"cvt", O::cvt, "RNI ftz? sat? I8 f16|f32|f64", "d~ b~"},
    {"cvt", O::cvt, "RND ftz? sat? f32 f64", "d~ b~"},
    {"cvt", O::cvt, "RND ftz? sat? f16 f32|f64", "d~ b~"},
    {"cvt", O::cvt, "ftz? sat? f64 f32", "d~ b~"},
    {"cvt", O::cvt, "ftz? sat? f32|f64 f16", "d~ b~"},
    {"cvt", O::cvt, "RNI? ftz? sat? f32 f32", "d~ b~"},
    {"cvt", O::cvt, "RNI? sat? f64 f64", "d~ b~"},
    {"cvt", O::cvt, "RNI? ftz? sat? f16 f16", "d~ b~"},
    {"cvta", O::cvta, "to? global|shared|shared::cta|local|const u64", "d N"},
    {"isspacep", O::isspacep, "global|shared|shared::cta|local|const", "p :u64"},
    {"prmt", O::prmt, "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "d a a :u32"},
    {"selp", O::selp, "T", "d a a P"},
    {"slct", O::slct, "ftz? T s32|f32", "d a a b"},
    {"setp", O::setp, "eq|ne b16|b32|b64", "p|q a a"},
    {"setp", O::setp, "CMPS s16|s32|s64", "p|q a a"},
    {"setp", O::setp, "CMPU u16|u32|u64", "p|q a a"},
    {"setp", O::setp, "CMPF ftz? f32|f64", "p|q a a"},
    {"setp", O::setp, "BOOL eq|ne b16|b32|b64", "p|q a a P"},
    {"setp", O::setp, "BOOL CMPS s16|s32|s64", "p|q a a P"},
    {"setp", O::setp, "BOOL CMPU u16|u32|u64", "p|q a a P"},
    {"setp", O::setp, "BOOL CMPF ftz? f32|f64", "p|q a a P"},
    {"set", O::set, "eq|ne u32|s32|f32 b16|b32|b64", "d b b"},
    {"set", O::set, "CMPS u32|s32|f32 s16|s32|s64", "d b b"},
    {"set", O::set, "CMPU u32|s32|f32 u16|u32|u64", "d b b"},
    {"set", O::set, "CMPF ftz? u32|s32|f32 f32|f64", "d b b"},
    {"set", O::set, "BOOL eq|ne u32|s32|f32 b16|b32|b64", "d b b P"},
    {"set", O::set, "BOOL CMPS u32|s32|f32 s16|s32|s64", "d b b P"},
    {"set", O::set, "BOOL CMPU u32|s32|f32 u16|u32|u64", "d b b P"},
    {"set", O::set, "BOOL CMPF ftz? u32|s32|f32 f32|f64", "d b b P"},
    {"shfl", O::shfl, "sync up|down|bfly|idx b32", "d|p a :u32 :u32 :u32"},
    {"shfl", O::shfl, "up|down|bfly|idx b32", "d|p a :u32 :u32"},
    {"vote", O::vote, "sync all|any|uni pred", "p P :u32"},
    {"vote", O::vote, "sync ballot b32", "d P :u32"},
    {"vote", O::vote, "all|any|uni pred", "p P"},
    {"vote", O::vote, "ballot b32", "d P"},
    {"match", O::match, "any sync b32|b64", "e a :u32"},
    {"match", O::match, "all sync b32|b64", "e|p a :u32"},
    {"activemask", O::activemask, "b32", "d"},
};

const std::vector<FormRow> kMemoryRows = {
    {"ld", O::ld, "SEM? SCOPE? SPACE? CACHE? nc? L1? L2? v2|v4? MEM", "D m"},
    {"ld", O::ld, "SEM? SCOPE? SPACE? CACHE? nc? L1? L2? v2? MEM64", "D m"},
    {"ldu", O::ldu, "global? v2|v4? MEM", "D m"},
    {"ldu", O::ldu, "global? v2? MEM64", "D m"},
    {"st", O::st, "STSEM? SCOPE? STSPACE? STCACHE? L1? L2? v2|v4? MEM", "m A"},
    {"st", O::st, "STSEM? SCOPE? STSPACE? STCACHE? L1? L2? v2? MEM64", "m A"},
    {"prefetch", O::prefetch, "global|local? L1|L2", "m"},
    {"prefetchu", O::prefetch, "L1", "m"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? add u32|s32|u64|f32|f64", "d_ m a"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? min|max u32|s32|u64|s64", "d_ m a"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? inc|dec u32", "d_ m a"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? and|or|xor|exch b32|b64", "d_ m a"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? exch u32|s32|u64|f32", "d_ m a"},
    {"atom", O::atom, "ATSEM? SCOPE? ATSPACE? cas b32|b64|u32|s32|u64", "d_ m a a"},
    {"red", O::red, "ATSEM? SCOPE? ATSPACE? add u32|s32|u64|f32|f64", "m a"},
    {"red", O::red, "ATSEM? SCOPE? ATSPACE? min|max u32|s32|u64|s64", "m a"},
    {"red", O::red, "ATSEM? SCOPE? ATSPACE? inc|dec u32", "m a"},
    {"red", O::red, "ATSEM? SCOPE? ATSPACE? and|or|xor b32|b64", "m a"},
    {"membar", O::membar, "cta|gl|sys", ""},
    {"fence", O::membar, "sc|acq_rel? cta|cluster|gpu|sys", ""},
};

const std::vector<FormRow> kControlRows = {
    {"bar", O::bar, "cta? sync", ":u32 :u32?"},
    {"bar", O::bar, "cta? arrive", ":u32 :u32"},
    {"bar", O::bar, "cta? red popc u32", "d :u32 :u32? P"},
    {"bar", O::bar, "cta? red and|or pred", "p :u32 :u32? P"},
    {"bar", O::bar, "warp sync", ":u32"},
    {"barrier", O::bar, "cta? sync aligned?", ":u32 :u32?"},
    {"barrier", O::bar, "cta? arrive aligned?", ":u32 :u32"},
    {"barrier", O::bar, "cta? red popc aligned? u32", "d :u32 :u32? P"},
    {"barrier", O::bar, "cta? red and|or aligned? pred", "p :u32 :u32? P"},
    {"bra", O::bra, "uni?", "L"},
    {"call", O::call, "uni?", "C"},
    {"ret", O::ret, "uni?", ""},
    {"exit", O::exit, "", ""},
    {"trap", O::trap, "", ""},
    {"nanosleep", O::nanosleep, "u32", "a"},
};

}  // namespace

const std::vector<FormRow>& form_rows() {
  static const std::vector<FormRow> rows = [] {
    std::vector<FormRow> all;
    for (const auto* part : {&kIntegerRows, &kFloatRows, &kDataRows, &kMemoryRows, &kControlRows}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }();
  return rows;
}

}  // namespace heddle::ptx
