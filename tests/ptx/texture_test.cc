// Texture and surface instructions: operands, references and refusals.
#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

Instruction only_instruction(const std::string& statement) {
  return lower_body(statement + "\nret;").code.at(0);
}

const std::string kReferences = ".global .texref t;\n.visible .global .surfref s;\n";
std::string with_references(const std::string& body) {
  return kHeader + kReferences + ".visible .entry k(.param .u64 a, .param .u32 n) {" + kRegisters +
         body + "\n}\n";
}

TEST(Textures, AFetchReadsAHandleAndItsCoordinates) {
  const Instruction i =
      only_instruction("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];");
  EXPECT_EQ(i.opcode, Opcode::tex);
  EXPECT_EQ(i.op_class, OpClass::load);
  EXPECT_EQ(i.space, Space::texture);
  EXPECT_EQ(i.as<TextureFetch>().geometry, Geometry::d2);
  EXPECT_EQ(i.source_type, Type::f32);
  EXPECT_EQ(i.read_count, 3);
  EXPECT_EQ(i.write_count, 4);
  EXPECT_TRUE(i.is_long());
}

TEST(Textures, ASingleCoordinateNeedsNoBraces) {
  EXPECT_EQ(only_instruction("tex.1d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, %r5];").read_count, 2);
  EXPECT_EQ(only_instruction("tex.1d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {7}];").src[1].kind,
            Operand::Kind::constant);
}

TEST(Textures, TheFourthOfThreeCoordinatesIsPadding) {
  const Instruction i =
      only_instruction("tex.3d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1, %f2, %f3, %f4}];");
  EXPECT_EQ(i.read_count, 4);
  EXPECT_FALSE(i.src[4]);
  EXPECT_EQ(only_instruction("tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r5, %r6, %r7, %r8}];")
                .read_count,
            2);  // as in the PTX of CUDA 4
}

TEST(Textures, ALayerIsAnIntegerBeforeFloatCoordinates) {
  const Instruction i =
      only_instruction("tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f5, %f6, %f6}];");
  EXPECT_EQ(i.as<TextureFetch>().geometry, Geometry::a2d);
  EXPECT_EQ(i.read_count, 4);
  EXPECT_NE(body_complaint("tex.a1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %rd2}];"), "");
}

TEST(Textures, AReferenceIsReplacedByItsHandle) {
  const Module module = Module::parse(
      with_references("mov.u64 %rd1, t;\ntex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}];\nret;"),
      "t.ptx");
  const SymbolAddresses handles = place(module);
  const Kernel kernel = module.lower("k", handles);
  const Operand handle = kernel.code.at(1).src[0];
  ASSERT_EQ(handle.kind, Operand::Kind::constant);
  EXPECT_EQ(handle.bytes, 8);
  EXPECT_EQ(kernel.code.at(0).src[0].row, handle.row);
  EXPECT_EQ(kernel.constants.at(std::size_t{handle.row} * 32), handles.at("t").value);
}

TEST(Textures, ReferencesAreVariablesOfTextureAndSurfaceSpace) {
  const Module module = Module::parse(with_references("ret;"), "t.ptx");
  ASSERT_EQ(module.variables().size(), 2u);
  for (const Variable& v : module.variables())
    EXPECT_EQ(v.space, v.name == "t" ? VariableSpace::texture : VariableSpace::surface);
}

TEST(Textures, TheLevelFollowsTheCoordinates) {
  EXPECT_EQ(only_instruction("tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], %f7;")
                .read_count,
            4);
  EXPECT_EQ(only_instruction(
                "tex.level.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f5, %f6, %f7}], %f8;")
                .read_count,
            6);
}

TEST(Textures, GradientsHaveAnElementForEachCoordinate) {
  const Instruction i = only_instruction(
      "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%f1,%f2}, {%f3,%f4};");
  EXPECT_EQ(i.as<TextureFetch>().mipmap, Mipmap::gradient);
  EXPECT_EQ(i.read_count, 7);
  EXPECT_EQ(only_instruction("tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}], {%f6}, %f7;")
                .read_count,
            4);
  EXPECT_EQ(only_instruction(
                "tex.grad.a1d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r5, %f5}], {%f6}, {%f7};")
                .read_count,
            5);
  const Instruction deep = only_instruction(
      "tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6,%f7,%f7}], {%f1,%f2,%f3,%f3}, "
      "{%f4,%f2,%f8,%f8};");
  EXPECT_EQ(deep.src[9].kind, Operand::Kind::reg);
  EXPECT_EQ(deep.read_count, 9);
  const std::string lacking =
      "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%f1}, {%f3,%f4};";
  EXPECT_NE(body_complaint(lacking).find("2 elements of a gradient"), std::string::npos);
  EXPECT_NE(body_complaint(
                "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], %f1, {%f3,%f4};")
                .find("needs a gradient"),
            std::string::npos);
}

TEST(Textures, AQueryMayNameALevel) {
  EXPECT_EQ(only_instruction("txq.level.width.b32 %r1, [%rd1], %r2;").read_count, 2);
  EXPECT_EQ(only_instruction("txq.num_mipmap_levels.b32 %r1, [%rd1];").as<TextureQuery>(),
            TextureQuery::levels);
}

TEST(Textures, AGatherHasAChannel) {
  EXPECT_EQ(only_instruction("tld4.b.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];")
                .as<TextureFetch>()
                .channel,
            2u);
}

TEST(Textures, AQueryIsNotAMemoryAccess) {
  const Instruction i = only_instruction("txq.height.b32 %r1, [%rd1];");
  EXPECT_EQ(i.op_class, OpClass::alu);
  EXPECT_EQ(i.as<TextureQuery>(), TextureQuery::height);
}

TEST(Surfaces, AccessesAreLoadsAndStoresOfGlobalMemory) {
  const Instruction load = only_instruction("suld.b.1d.b8.zero %h1, [%rd1, {%r1}];");
  EXPECT_EQ(load.op_class, OpClass::load);
  EXPECT_EQ(load.space, Space::global);
  EXPECT_EQ(load.access_bytes, 1);
  EXPECT_EQ(load.as<SurfaceAccess>().outside, Outside::zero);
  const Instruction store = only_instruction(
      "@%p1 sust.b.3d.v4.b32.trap [%rd1, {%r1, %r2, %r3, %r3}], {%r4, %r5, %r6, %r7};");
  EXPECT_EQ(store.op_class, OpClass::store);
  EXPECT_EQ(store.vector, 4);
  EXPECT_EQ(store.read_count, 9);
}

TEST(Surfaces, FormattedStoresUse32BitRegisters) {
  const Instruction i = only_instruction("sust.p.2d.v2.f32.zero [%rd1, {%r1, %r2}], {%f1, %f2};");
  EXPECT_TRUE(i.as<SurfaceAccess>().formatted);
  EXPECT_EQ(i.op_class, OpClass::store);
  EXPECT_EQ(i.read_count, 5);
  EXPECT_FALSE(only_instruction("sust.b.2d.b32.zero [%rd1, {%r1, %r2}], %r3;")
                   .as<SurfaceAccess>()
                   .formatted);
  EXPECT_NE(body_complaint("sust.p.1d.b64.zero [%rd1, {%r1}], %rd2;"), "");
}

TEST(Surfaces, ReductionsAreAtomics) {
  const Instruction i = only_instruction("sured.b.max.2d.s32.clamp [%rd1, {%r1, %r2}], %r3;");
  EXPECT_EQ(i.op_class, OpClass::atomic);
  EXPECT_EQ(i.atomic, AtomicOp::max);
  EXPECT_EQ(i.space, Space::global);
  EXPECT_EQ(i.access_bytes, 4);
  EXPECT_EQ(i.as<SurfaceAccess>().outside, Outside::clamp);
  EXPECT_EQ(only_instruction("sured.b.add.1d.u64.trap [%rd1, {%r1}], %rd2;").access_bytes, 8);
  EXPECT_NE(body_complaint("sured.b.exch.1d.b32.trap [%rd1, {%r1}], %r2;"), "");
}

TEST(Surfaces, ASingleElementMayHaveBraces) {
  EXPECT_EQ(only_instruction("suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}];").write_count, 1);
  EXPECT_EQ(only_instruction("sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1};").read_count, 4);
}

TEST(Surfaces, TheHandleMustBeASurface) {
  EXPECT_EQ(complaint(with_references("sust.b.2d.b32.clamp [s, {%r1, %r2}], %r3;\nret;")), "");
  EXPECT_NE(complaint(with_references("sust.b.2d.b32.clamp [t, {%r1, %r2}], %r3;\nret;"))
                .find("'t' is not a .surfref"),
            std::string::npos);
}

TEST(Textures, UnsupportedFeaturesAreRefused) {
  const auto check = [](const std::string& statement, const std::string& words) {
    const std::string message = body_complaint(statement);
    EXPECT_NE(message.find("t.ptx:"), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  check("suld.p.2d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%rd1, {%r1,%r2}];",
        "'.p' is not supported with suld");
  check("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f5}];",
        "a separate sampler needs tex or tld4 and .target texmode_independent");
  check("sured.p.max.1d.u32.trap [%rd1, {%r1}], %r2;", "combination of modifiers");
  check("tex.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6,%f7,%f7}], {1, 2, 3, 3};",
        "cubes have no offsets");
  check("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}], {1, 2, 3};", "needs 2 offsets");
  check("txq.force_unnormalized_coords.b32 %r1, [%rd1];", "needs .target texmode_independent");
  check("istypep.texref %p1, [%rd1];", "does not fit");
  check("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}];", "needs 2 coordinates");
  check("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1];", "needs [handle, {coordinates}]");
  check("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f5, %f6}];", "cannot hold a handle");
  check("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}], %f6;",
        "depth comparison is not supported");
  EXPECT_NE(complaint(kHeader + ".global .texref t[4];")
                .find("arrays of texture, sampler and surface references"),
            std::string::npos);
}

// .target texmode_independent: separate samplers.
const std::string kIndependent =
    ".version 7.0\n.target sm_75, texmode_independent\n.address_size 64\n";
std::string sampled(const std::string& fields, const std::string& body) {
  return kIndependent + ".global .texref t;\n.global .samplerref q" + fields +
         ";\n.visible .entry k(.param .u64 a, .param .u32 n) {" + kRegisters + body + "\nret;\n}\n";
}

TEST(Samplers, AreVariablesWithFields) {
  const Module module =
      Module::parse(sampled(" = { addr_mode_0 = clamp_to_border, addr_mode_2 = mirror, filter_mode "
                            "= linear, force_unnormalized_coords = 1 }",
                            ""),
                    "t.ptx");
  ASSERT_EQ(module.variables().size(), 2u);
  const Variable& q = module.variables()[module.variables()[0].name == "q" ? 0 : 1];
  EXPECT_EQ(q.space, VariableSpace::sampler);
  EXPECT_TRUE(q.sampler.linear_filter);
  EXPECT_TRUE(q.sampler.force_unnormalized);
  using Addressing = SamplerFields::Addressing;
  EXPECT_EQ(q.sampler.address, (std::array{Addressing::clamp_to_border, Addressing::clamp_to_edge,
                                           Addressing::mirror}));
}

TEST(Samplers, AreTheLastSourceOfAFetch) {
  const Kernel kernel = lower_text(sampled(
      "",
      "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, q, {%f5, %f6}], {1, "
      "%r2};\ntex.grad.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, "
      "[%rd1, %rd2, {%r1, %f5, %f6, %f7}], {%f8, %f9, %f10, %f10}, {%f11, %f12, %f13, %f13};"));
  const Instruction& plain = kernel.code.at(0);
  EXPECT_TRUE(plain.as<TextureFetch>().has_offsets);
  EXPECT_TRUE(plain.as<TextureFetch>().has_sampler);
  EXPECT_EQ(plain.read_count, 3);  // two coordinates and an offset
  EXPECT_EQ(plain.src[5].bytes, 8);
  EXPECT_EQ(plain.src[5].kind, Operand::Kind::constant);
  EXPECT_EQ(kernel.code.at(1).read_count, 12);
}

TEST(Samplers, MistakesAreRefusedWithAPlace) {
  const auto check = [](const std::string& text, const std::string& words) {
    const std::string message = complaint(text);
    EXPECT_NE(message.find("t.ptx:"), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  check(sampled(" = { filter_mode = bilinear }", ""), "nearest or linear");
  check(sampled(" = { addr_mode_3 = wrap }", ""), "no field 'addr_mode_3'");
  check(sampled(" = { addr_mode_0 = clamp }", ""), "an address mode is");
  check(sampled("", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [q, {%f5, %f6}];"),
        "'q' is not a .texref");
  check(sampled("", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, t, {%f5, %f6}];"),
        "'t' is not a .samplerref");
  check(sampled("", "txq.filter_mode.b32 %r1, [t];"), "'t' is not a .samplerref");
  check(sampled("", "sust.b.2d.b32.clamp [t, q, {%r1, %r2}], %r3;"), "'t' is not a .surfref");
}

TEST(WideRegisters, AreTwo64BitRegisters) {
  const std::string wide = ".reg .b128 %q<4>;\n";
  const Kernel kernel = lower_body(wide +
                                   "mov.b128 %q1, {%rd1, %rd2};\nmov.b128 {%rd3, %rd4}, "
                                   "%q1;\nld.global.b128 %q2, [%rd1];\nst.shared.b128 [%r1], %q2;\n"
                                   "atom.global.cas.b128 %q3, [%rd1], %q1, %q2;\nret;");
  for (const std::size_t pc : {0, 1}) {
    EXPECT_EQ(kernel.code.at(pc).read_count, 2);
    EXPECT_EQ(kernel.code.at(pc).write_count, 2);
  }
  EXPECT_EQ(kernel.code.at(2).vector * kernel.code.at(2).access_bytes, 16);
  EXPECT_EQ(kernel.code.at(3).read_count, 3);
  EXPECT_EQ(kernel.code.at(4).read_count, 5);
  EXPECT_EQ(kernel.code.at(4).access_bytes, 16);
  EXPECT_NE(body_complaint(wide + "mov.b128 %q1, {%r1, %r2, %r3, %r4};").find("two elements"),
            std::string::npos);
  EXPECT_NE(body_complaint(wide + "mov.b128 %q1, 5;").find("needs a register"), std::string::npos);
  EXPECT_NE(body_complaint(wide + "add.u64 %rd1, %rd2, %q1;").find("does not fit"),
            std::string::npos);
  EXPECT_NE(body_complaint(wide + "atom.global.add.b128 %q3, [%rd1], %q1;").find("combination"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx
