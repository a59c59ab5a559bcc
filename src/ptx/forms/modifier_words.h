// The modifiers that name a value of an enumeration.
#pragma once

#include <array>
#include <string_view>

#include "ptx/instruction.h"

namespace heddle::ptx {

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
inline constexpr std::array<Word<Rounding>, 9> kRoundings = {{{"rn", Rounding::rn},
                                                              {"rz", Rounding::rz},
                                                              {"rm", Rounding::rm},
                                                              {"rp", Rounding::rp},
                                                              {"rna", Rounding::rna},
                                                              {"rni", Rounding::rni},
                                                              {"rzi", Rounding::rzi},
                                                              {"rmi", Rounding::rmi},
                                                              {"rpi", Rounding::rpi}}};
inline constexpr std::array<Word<Compare>, 18> kCompares = {{{"eq", Compare::eq},
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
inline constexpr std::array<Word<BoolOp>, 3> kBoolOps = {
    {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}}};
inline constexpr std::array<Word<MulPart>, 3> kParts = {
    {{"lo", MulPart::lo}, {"hi", MulPart::hi}, {"wide", MulPart::wide}}};
inline constexpr std::array<Word<AtomicOp>, 10> kAtomics = {{{"and", AtomicOp::and_},
                                                             {"or", AtomicOp::or_},
                                                             {"xor", AtomicOp::xor_},
                                                             {"cas", AtomicOp::cas},
                                                             {"exch", AtomicOp::exch},
                                                             {"add", AtomicOp::add},
                                                             {"inc", AtomicOp::inc},
                                                             {"dec", AtomicOp::dec},
                                                             {"min", AtomicOp::min},
                                                             {"max", AtomicOp::max}}};
inline constexpr std::array<Word<CacheOperator>, 8> kCaches = {{{"ca", CacheOperator::ca},
                                                                {"cg", CacheOperator::cg},
                                                                {"cs", CacheOperator::cs},
                                                                {"lu", CacheOperator::lu},
                                                                {"cv", CacheOperator::cv},
                                                                {"wb", CacheOperator::wb},
                                                                {"wt", CacheOperator::wt},
                                                                {"nc", CacheOperator::nc}}};
inline constexpr std::array<Word<Ordering>, 6> kOrderings = {{{"weak", Ordering::weak},
                                                              {"volatile", Ordering::volatile_},
                                                              {"relaxed", Ordering::relaxed},
                                                              {"acquire", Ordering::acquire},
                                                              {"release", Ordering::release},
                                                              {"acq_rel", Ordering::acq_rel}}};
inline constexpr std::array<Word<Space>, 9> kSpaces = {{{"global", Space::global},
                                                        {"shared", Space::shared},
                                                        {"shared::cta", Space::shared},
                                                        {"shared::cluster", Space::shared},
                                                        {"local", Space::local},
                                                        {"const", Space::constant},
                                                        {"param", Space::param},
                                                        {"param::entry", Space::param},
                                                        {"param::func", Space::param}}};
inline constexpr std::array<Word<ShflMode>, 4> kShflModes = {{{"up", ShflMode::up},
                                                              {"down", ShflMode::down},
                                                              {"bfly", ShflMode::bfly},
                                                              {"idx", ShflMode::idx}}};
inline constexpr std::array<Word<VoteMode>, 4> kVoteModes = {{{"all", VoteMode::all},
                                                              {"any", VoteMode::any},
                                                              {"uni", VoteMode::uni},
                                                              {"ballot", VoteMode::ballot}}};
inline constexpr std::array<Word<MatchMode>, 2> kMatchModes = {
    {{"any", MatchMode::any}, {"all", MatchMode::all}}};
inline constexpr std::array<Word<PrmtMode>, 6> kPrmtModes = {{{"f4e", PrmtMode::f4e},
                                                              {"b4e", PrmtMode::b4e},
                                                              {"rc8", PrmtMode::rc8},
                                                              {"ecl", PrmtMode::ecl},
                                                              {"ecr", PrmtMode::ecr},
                                                              {"rc16", PrmtMode::rc16}}};
inline constexpr std::array<Word<TestProperty>, 6> kTests = {
    {{"finite", TestProperty::finite},
     {"infinite", TestProperty::infinite},
     {"number", TestProperty::number},
     {"notanumber", TestProperty::notanumber},
     {"normal", TestProperty::normal},
     {"subnormal", TestProperty::subnormal}}};
inline constexpr std::array<Word<Geometry>, 7> kGeometries = {{{"1d", Geometry::d1},
                                                               {"2d", Geometry::d2},
                                                               {"3d", Geometry::d3},
                                                               {"a1d", Geometry::a1d},
                                                               {"a2d", Geometry::a2d},
                                                               {"cube", Geometry::cube},
                                                               {"acube", Geometry::acube}}};
inline constexpr std::array<Word<Outside>, 3> kOutsides = {
    {{"trap", Outside::trap}, {"clamp", Outside::clamp}, {"zero", Outside::zero}}};
inline constexpr std::array<Word<TextureQuery>, 15> kQueries = {
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
inline constexpr std::array<Word<Space>, 3> kOpaque = {
    {{"texref", Space::texture}, {"surfref", Space::surface}, {"samplerref", Space::sampler}}};
inline constexpr std::array<Word<Mipmap>, 3> kMipmaps = {
    {{"base", Mipmap::base}, {"level", Mipmap::level}, {"grad", Mipmap::gradient}}};

}  // namespace heddle::ptx
