// What PTX means, and what damaged PTX is refused with, stays what it is.
#include <gtest/gtest.h>

#include "base/fnv.h"
#include "ptx/forms/forms.h"
#include "ptx/forms/forms_table.h"
#include "ptx/syntax/declarations.h"
#include "tests/damaged_text.h"
#include "tests/ptx/fuzz_texts.h"
#include "tests/ptx/kernel_text.h"
#include "tests/recorded.h"

namespace heddle::ptx {
namespace {

// Declarations, pragmas and calls in their rare forms.
const std::string kRare =
    ".version 8.5\n.target sm_90a\n.address_size 64\n.file 1 \"a.cu\", 7, 8\n"
    ".pragma \"nounroll\";\n.section .debug_str { b: .b8 1,2 { .b8 3 } }\n"
    ".global .align 16 .b8 rows[][2][3] = {{{1, 2}, {3}}, {4, 5, 6, 7}, 8};\n"
    ".visible .global .attribute(.unified(1, 2)) .v2 .f32 pairs[2] = {{1.5, 0f40000000}, 3};\n"
    ".weak .const .f64 c = -1.5;\n.const .f64 d[2] = {0d3ff0000000000000, 7.0 / 2};\n"
    ".common .global .u32 e, f<3>;\n.extern .global .u8 far[];\n"
    ".global .samplerref s = { addr_mode_0 = mirror, addr_mode_1 = clamp_to_border, addr_mode_2 = "
    "wrap, filter_mode = linear, force_unnormalized_coords = 1 };\n.global .texref t;\n"
    ".global .surfref u;\n.tex .u32 old;\n"
    ".func (.param .align 8 .b8 out[8]) helper(.param .u32 n, .param .align 4 .b8 more[12])\n"
    "{ .reg .b64 %q; mov.b64 %q, 5; st.param.b64 [out], %q; ret; }\n"
    ".global .u64 words[5] = {e, e+4, generic(e)-8, helper, WARP_SZ * 2};\n"
    ".global .u8 split[8] = {0xff(e), 0xff00(e), 0xff0000(e), 0xff000000(e), 0xff00000000(e), "
    "0xff0000000000(e), 0xff000000000000(e), 0xff00000000000000(e)};\n"
    ".const .u32 sums[9] = {1 ? 2 : 3, 4 << 2 | 1, 9 % 4 ^ 6, 5 > 4 && 3 <= 3, !0 || 0, -7 / 2, "
    "0xffffffffffffffffU >> 60, 5 != 4, 6 & (3 == 3)};\n"
    ".shared .align 8 .b64 bar;\n.extern .shared .align 16 .b8 dynamic[];\n"
    ".func (.reg .u32 r) twice(.reg .u32 x) { add.u32 r, x, x; }\n"
    ".func (.reg .u32 r) double(.reg .u32 x);\n.alias double, twice;\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".func many(.param .u32 n, .param .b8 rest[]) { .reg .u32 %x; ld.u32 %x, [rest]; ret; }\n"
    ".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u32 n)\n"
    ".reqntid 64, 2 .reqnctapercluster 2 .maxclusterrank 4 .minnctapersm 2 .maxnreg 40\n"
    ".pragma \"heddle_cta_direction y\"; {\n" +
    kRegisters +
    ".local .align 8 .b8 frame[32]; .shared .u32 own[4]; .global .u32 kept = 3;\n"
    ".loc 1 3 4, function_name here+4, inlined_at 1 2 3\n"
    "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u64 %rd2, frame; mov.u32 %r9, own;\n"
    "ld.global.u32 %r2, rows[4]; mov.u64 %rd3, words[%r1]; add.u32 %r3, %r1+4, 5;\n"
    ".pragma \"heddle_ps_begin 4\";\nL: ld.global.u32 %r4, [%rd1+8]; mov.u32 %r8, %clock;\n"
    "setp.gt.u32 %p1, %r4, 10; selp.u32 %r5, %r4, 1, %p1; bar.sync 0; shfl.sync.bfly.b32 %r5|%p2, "
    "%r5, 1, 31, -1;\n"
    "@%p1 bra L;\n.pragma \"heddle_ps_end\";\n"
    "M: .pragma \"heddle_ps_loop 3\"; sub.u32 %r4, %r4, 1; setp.ne.u32 %p3, %r4, 0; @%p3 bra M;\n"
    "{ .param .align 8 .b8 o[8]; .param .u32 x; .param .align 4 .b8 y[12]; st.param.u32 [x], %r1; "
    "st.param.u32 [y+8], 3; call (o), helper, (x, y); ld.param.b64 %rd4, [o]; }\n"
    "call (%r6), double, (%r5); call (%r7), twice, (5);\n"
    "{ .param .b8 more[8]; st.param.u32 [more+4], 1; call many, (%r1, more); }\n"
    "F: .calltargets helper;\nP: .callprototype (.param .align 8 .b8 _[8]) _ (.param .u32 _, "
    ".param .align 4 .b8 _[12]);\n"
    "{ .param .align 8 .b8 o[8]; .param .u32 x; .param .align 4 .b8 y[12]; mov.u64 %rd5, helper; "
    "call (o), %rd5, (x, y), P; }\n"
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r9], %r1, [bar];\n"
    "st.global.v2.u32 [%rd1+16], {%r5, %r6}; atom.shared.cas.b32 %r1, [own+4], 1, %r2; ret;\n}\n";

std::string meaning_of(const std::string& text) {
  std::string meaning;
  for (const Declaration& d : scan_declarations(text, "t.ptx"))
    meaning +=
        fmt::format("{} {} {} {}\n", static_cast<int>(d.kind), d.is_external, d.is_shared, d.name);
  const Module module = Module::parse(text, "t.ptx");
  for (const Variable& variable : module.variables()) meaning += text_of(variable);
  for (const std::string& kernel : module.kernel_names())
    meaning += text_of(module.lower(kernel, place(module)));
  return meaning;
}
std::string outcome_of(const std::string& text) {
  std::string outcome;
  try {
    outcome = meaning_of(text);
  } catch (const UserError& refusal) {
    outcome = refusal.what();
  }
  std::vector<std::string> refusals;
  try {
    Module::survey(text, "t.ptx", refusals);
  } catch (const UserError& refusal) {
    refusals.emplace_back(refusal.what());
  }
  return outcome + fmt::format("{}", fmt::join(refusals, "\n"));
}

TEST(RecordedTexts, TheMeaningAndTheRefusalOfDamagedText) {
  const std::pair<const char*, std::string> texts[] = {
      {"many", kMany}, {"newer", kNewer}, {"names", kNames}, {"rare", kRare}};
  for (const auto& [name, text] : texts) {
    EXPECT_EQ(complaint(text), "") << name;
    std::map<std::size_t, Fnv64> lines;
    for_each_damage(text, [&lines](std::size_t line, const std::string& damaged) {
      lines[line].add(outcome_of(damaged));
    });
    for (const auto& [number, hash] : lines)
      check_recorded_text("ptx/recorded_texts.txt", fmt::format("{}, line {:02}", name, number),
                          fmt::format("{:016x}", hash.value()));
  }
}

TEST(RecordedTexts, TheMeaningOfPrograms) {
  for (const char* name : {"reduce", "sgemm", "spmv", "vecadd"})
    check_recorded_text("ptx/recorded_texts.txt", name,
                        fmt::format("{:016x}", fnv64(meaning_of(program(name)))));
}

std::vector<std::string> choices_of(std::string_view slot) {
  std::vector<std::string> choices;
  const bool optional = slot.ends_with('?');
  if (optional) slot.remove_suffix(1);
  for (const FormSet& set : form_sets())
    if (set.name == slot) slot = set.members;
  for (std::size_t at = 0; at <= slot.size();) {
    const std::size_t end = std::min(slot.find('|', at), slot.size());
    choices.push_back("." + std::string(slot.substr(at, end - at)));
    at = end + 1;
  }
  if (optional) choices.emplace_back();
  return choices;
}
std::string form_text(const std::string& name) {
  InstructionForm form;
  std::string text = name + " " + decode_form(name, form) + " " + operation_text(form.prototype) +
                     " " + isa::text_of(form.prototype);
  for (const OperandShape& s : form.operands)
    text += fmt::format(" {} {} {}{}{}{}{}{}{}{} {} {} {}", static_cast<int>(s.role),
                        static_cast<int>(s.type), s.optional, s.relaxed, s.vector, s.pack, s.sink,
                        s.address_of, s.or_predicate, s.or_descriptor, static_cast<int>(s.space),
                        s.elements, s.place);
  return text;
}

// Each modifier of each form, beside the first or the last choice of the others.
TEST(RecordedTexts, TheFormsOfInstructions) {
  std::map<std::string, Fnv64> mnemonics;
  for (const FormRow& row : form_rows()) {
    std::vector<std::vector<std::string>> slots;
    std::istringstream words{std::string(row.modifiers)};
    for (std::string word; words >> word;) slots.push_back(choices_of(word));
    Fnv64& hash = mnemonics[std::string(row.mnemonic)];
    for (std::size_t chosen = 0; chosen < std::max<std::size_t>(1, slots.size()); ++chosen)
      for (std::size_t choice = 0; choice < (slots.empty() ? 1 : slots[chosen].size()); ++choice)
        for (const bool last : {false, true}) {
          std::string name(row.mnemonic);
          for (std::size_t n = 0; n < slots.size(); ++n)
            name += n == chosen ? slots[n][choice] : last ? slots[n].back() : slots[n].front();
          hash.add(form_text(name));
        }
  }
  for (const auto& [mnemonic, hash] : mnemonics)
    check_recorded_text("ptx/recorded_forms.txt", mnemonic, fmt::format("{:016x}", hash.value()));
}

}  // namespace
}  // namespace heddle::ptx
