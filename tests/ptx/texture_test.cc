// Texture and surface instructions: their operands, their references, and what is refused.
#include <gtest/gtest.h>

#include "ptx/modes.h"
#include "ptx_text.h"

namespace heddle::ptx {
namespace {

Instruction only(const std::string& statement) { return lower_body(statement + "\nret;").code.at(0); }

const std::string kReferences = ".global .texref t;\n.visible .global .surfref s;\n";
std::string with_references(const std::string& body) {
  return kHeader + kReferences + ".visible .entry k(.param .u64 a, .param .u32 n) {" + kRegisters + body + "\n}\n";
}

TEST(Textures, AFetchReadsAHandleAndItsCoordinates) {
  const Instruction i = only("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];");
  EXPECT_EQ(i.opcode, Opcode::tex);
  EXPECT_EQ(i.op_class, OpClass::load);
  EXPECT_EQ(i.space, Space::texture);
  EXPECT_EQ(static_cast<Geometry>(i.mode), Geometry::d2);
  EXPECT_EQ(i.source_type, Type::f32);
  EXPECT_EQ(i.read_count, 3);
  EXPECT_EQ(i.write_count, 4);
  EXPECT_TRUE(i.is_long());
}

TEST(Textures, ASingleCoordinateNeedsNoBraces) {
  EXPECT_EQ(only("tex.1d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, %r5];").read_count, 2);
  EXPECT_EQ(only("tex.1d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {7}];").src[1].kind, Operand::Kind::constant);
}

TEST(Textures, TheFourthOfThreeCoordinatesIsPadding) {
  const Instruction i = only("tex.3d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1, %f2, %f3, %f4}];");
  EXPECT_EQ(i.read_count, 4);
  EXPECT_FALSE(i.src[4]);
  EXPECT_EQ(only("tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r5, %r6, %r7, %r8}];").read_count, 2);  // as CUDA 4 wrote it
}

TEST(Textures, ALayerIsAnIntegerBeforeFloatCoordinates) {
  const Instruction i = only("tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f5, %f6, %f6}];");
  EXPECT_EQ(static_cast<Geometry>(i.mode), Geometry::a2d);
  EXPECT_EQ(i.read_count, 4);
  EXPECT_NE(body_complaint("tex.a1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %rd2}];"), "");
}

TEST(Textures, AReferenceStandsForItsHandle) {
  const Module module = Module::parse(with_references("mov.u64 %rd1, t;\ntex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}];\nret;"), "t.ptx");
  const SymbolAddresses handles = place(module);
  const Kernel kernel = module.lower("k", handles);
  const Operand handle = kernel.code.at(1).src[0];
  ASSERT_EQ(handle.kind, Operand::Kind::constant);
  EXPECT_EQ(handle.bytes, 8);
  EXPECT_EQ(kernel.code.at(0).src[0].row, handle.row);
  EXPECT_EQ(kernel.constants.at(std::size_t{handle.row} * 32), handles.at("t").value);
}

TEST(Textures, ReferencesAreVariablesOfTheirOwnSpaces) {
  const Module module = Module::parse(with_references("ret;"), "t.ptx");
  ASSERT_EQ(module.variables().size(), 2u);
  for (const Variable& v : module.variables()) EXPECT_EQ(v.space, v.name == "t" ? VariableSpace::texture : VariableSpace::surface);
}

TEST(Textures, TheLevelIsReadWhereThereIsRoom) {
  EXPECT_EQ(only("tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], %f7;").read_count, 4);
  EXPECT_EQ(only("tex.level.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f5, %f6, %f7}], %f8;").read_count, 5);
}

TEST(Textures, GradientsHaveAnElementForEachCoordinate) {
  const Instruction i = only("tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%f1,%f2}, {%f3,%f4};");
  EXPECT_EQ(static_cast<Mipmap>(i.immediate), Mipmap::gradient);
  EXPECT_EQ(i.read_count, 7);
  EXPECT_EQ(only("tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}], {%f6}, %f7;").read_count, 4);
  EXPECT_EQ(only("tex.grad.a1d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r5, %f5}], {%f6}, {%f7};").read_count, 5);
  const Instruction deep = only("tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6,%f7,%f7}], {%f1,%f2,%f3,%f3}, {%f4,%f2,%f8,%f8};");
  EXPECT_EQ(deep.src[9].kind, Operand::Kind::reg);
  EXPECT_EQ(deep.read_count, 9);
  const std::string lacking = "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%f1}, {%f3,%f4};";
  EXPECT_NE(body_complaint(lacking).find("2 elements of a gradient"), std::string::npos);
  EXPECT_NE(body_complaint("tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], %f1, {%f3,%f4};").find("needs a gradient"), std::string::npos);
}

TEST(Textures, ALevelMayBeAskedAbout) {
  EXPECT_EQ(only("txq.level.width.b32 %r1, [%rd1], %r2;").read_count, 2);
  EXPECT_EQ(static_cast<TextureQuery>(only("txq.num_mipmap_levels.b32 %r1, [%rd1];").mode), TextureQuery::levels);
}

TEST(Textures, AGatherNamesItsChannel) { EXPECT_EQ(only("tld4.b.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];").immediate, 2u); }

TEST(Textures, AQueryIsNoAccess) {
  const Instruction i = only("txq.height.b32 %r1, [%rd1];");
  EXPECT_EQ(i.op_class, OpClass::alu);
  EXPECT_EQ(static_cast<TextureQuery>(i.mode), TextureQuery::height);
}

TEST(Surfaces, AccessesAreLoadsAndStoresOfGlobalMemory) {
  const Instruction load = only("suld.b.1d.b8.zero %h1, [%rd1, {%r1}];");
  EXPECT_EQ(load.op_class, OpClass::load);
  EXPECT_EQ(load.space, Space::global);
  EXPECT_EQ(load.access_bytes, 1);
  EXPECT_EQ(static_cast<Outside>(load.immediate), Outside::zero);
  const Instruction store = only("@%p1 sust.b.3d.v4.b32.trap [%rd1, {%r1, %r2, %r3, %r3}], {%r4, %r5, %r6, %r7};");
  EXPECT_EQ(store.op_class, OpClass::store);
  EXPECT_EQ(store.vector, 4);
  EXPECT_EQ(store.read_count, 9);
}

TEST(Surfaces, FormattedStoresTakeRegistersOf32Bits) {
  const Instruction i = only("sust.p.2d.v2.f32.zero [%rd1, {%r1, %r2}], {%f1, %f2};");
  EXPECT_TRUE(i.formatted);
  EXPECT_EQ(i.op_class, OpClass::store);
  EXPECT_EQ(i.read_count, 5);
  EXPECT_FALSE(only("sust.b.2d.b32.zero [%rd1, {%r1, %r2}], %r3;").formatted);
  EXPECT_NE(body_complaint("sust.p.1d.b64.zero [%rd1, {%r1}], %rd2;"), "");
}

TEST(Surfaces, ReductionsAreAtomics) {
  const Instruction i = only("sured.b.max.2d.s32.clamp [%rd1, {%r1, %r2}], %r3;");
  EXPECT_EQ(i.op_class, OpClass::atomic);
  EXPECT_EQ(i.atomic, AtomicOp::max);
  EXPECT_EQ(i.space, Space::global);
  EXPECT_EQ(i.access_bytes, 4);
  EXPECT_EQ(static_cast<Outside>(i.immediate), Outside::clamp);
  EXPECT_EQ(only("sured.b.add.1d.u64.trap [%rd1, {%r1}], %rd2;").access_bytes, 8);
  EXPECT_NE(body_complaint("sured.b.exch.1d.b32.trap [%rd1, {%r1}], %r2;"), "");
}

TEST(Surfaces, ASingleElementMayHaveBraces) {
  EXPECT_EQ(only("suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}];").write_count, 1);
  EXPECT_EQ(only("sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1};").read_count, 4);
  EXPECT_NE(body_complaint("ld.global.u32 {%r1}, [%rd1];"), "");
}

TEST(Surfaces, TheHandleIsThatOfASurface) {
  EXPECT_EQ(complaint(with_references("sust.b.2d.b32.clamp [s, {%r1, %r2}], %r3;\nret;")), "");
  EXPECT_NE(complaint(with_references("sust.b.2d.b32.clamp [t, {%r1, %r2}], %r3;\nret;")).find("'t' is no .surfref"), std::string::npos);
}

TEST(Textures, WhatIsNotSupportedIsRefusedByName) {
  const auto says = [](const std::string& statement, const std::string& words) {
    const std::string said = body_complaint(statement);
    EXPECT_NE(said.find("t.ptx:"), std::string::npos) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  says("tex.grad.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6,%f7,%f7}], {%f1,%f2,%f3,%f3}, {%f1,%f2,%f3,%f3};", "combination of modifiers");
  says("sured.p.add.1d.b32.trap [%rd1, {%r1}], %r2;", "'.p' is not supported with sured");
  says("suld.p.2d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%rd1, {%r1,%r2}];", "'.p' is not supported with suld");
  says("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f5}];", "samplers apart from textures");
  says("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}];", "needs 2 coordinates");
  says("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1];", "needs [handle, {coordinates}]");
  says("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f5, %f6}];", "cannot hold a handle");
  says("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}], %f6;", "too many operands");
  EXPECT_NE(complaint(kHeader + ".global .samplerref q;").find("samplers apart from textures"), std::string::npos);
  EXPECT_NE(complaint(kHeader + ".global .texref t[4];").find("arrays of texture and surface references"), std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx
