// Small PTX modules for the tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/input_file.h"
#include "ptx/module.h"
#include "tests/error_message.h"

namespace heddle::ptx {

inline const std::string kHeader = ".version 7.0\n.target sm_75\n.address_size 64\n";
inline const std::string kRegisters =
    ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<99>;\n.reg .f32 %f<99>;\n.reg .b64 "
    "%rd<99>;\n.reg .f64 %d<9>;\n";

// A kernel k(u64 a, u32 n) with this body, whose first line is line 10 of the module.
inline std::string kernel_text(const std::string& body) {
  return kHeader + ".visible .entry k(.param .u64 a, .param .u32 n) {" + kRegisters + body +
         "\n}\n";
}
inline SymbolAddresses place(const Module& module) {
  SymbolAddresses addresses;
  std::uint64_t next = 0x1000;
  for (const Variable& variable : module.variables()) {
    addresses[variable.name] = Address{next};
    next += (variable.bytes + 255) / 256 * 256;
  }
  return addresses;
}
inline Kernel lower_text(const std::string& text, const std::string& kernel = "k") {
  const Module module = Module::parse(text, "t.ptx");
  return module.lower(kernel, place(module));
}
inline Kernel lower_body(const std::string& body) { return lower_text(kernel_text(body)); }

// The error message of parsing and lowering every kernel, or "" when there is none.
inline std::string complaint(const std::string& text) {
  return message_of(
      [&] {
        const Module module = Module::parse(text, "t.ptx");
        for (const std::string& kernel : module.kernel_names()) module.lower(kernel, place(module));
      },
      "");
}
inline std::string body_complaint(const std::string& body) { return complaint(kernel_text(body)); }

inline std::string module_complaint(const std::string& text) { return complaint(kHeader + text); }

// Texts, and a part of the message that refuses each; empty: it is accepted.
using Refusals = std::vector<std::pair<std::string, std::string>>;
inline void check_refusals(const Refusals& rows,
                           std::string (*complaint_of)(const std::string&) = body_complaint) {
  for (const auto& [text, part] : rows) {
    const std::string message = complaint_of(text);
    EXPECT_EQ(message.empty(), part.empty()) << text << " -> " << message;
    EXPECT_NE(message.find(part), std::string::npos) << text << " -> " << message;
  }
}

inline std::string program(const std::string& name) {
  return read_file(std::string(HEDDLE_SOURCE_DIR) + "/tests/ptx/programs/" + name + ".sm75.ptx");
}

}  // namespace heddle::ptx
