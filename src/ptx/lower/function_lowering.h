// Lowers the instructions of one function. Its parts: lower_instruction.cc (instructions, calls,
// registers), lower_operand.cc (operands that most instructions have), lower_family_operand.cc
// (those of video, texture, copy and matrix instructions).
#pragma once

#include "ptx/lower/lower.h"

namespace heddle::ptx {

class FunctionLowering {
 public:
  FunctionLowering(KernelBuilder& builder, FunctionRef ref, std::uint16_t first_register)
      : builder_(builder),
        ref_(ref),
        unit_(builder.ast.units[ref.unit]),
        function_(unit_.functions[ref.function]),
        framed_(builder.calls.is_framed(ref)),
        first_register_(first_register) {}
  LoweredFunction run();

 private:
  [[noreturn]] void fail(TextPosition at, const std::string& message) const {
    throw UserError(unit_.where(at), message);
  }

  // lower_instruction.cc
  // Can execution reach the end of the body without a ret? Such a body gets one.
  bool can_fall_off(const std::vector<Instruction>& code) const;
  static void append_ret(LoweredFunction& out);
  // The functions that a call may execute. Also decides how the call is made.
  std::vector<std::uint32_t> callees_of(const AstInstruction& instruction, Instruction& out);
  // Host functions read their arguments without a check, so the sizes must match.
  void check_host_call(Opcode opcode, const CallSite& site, const AstCall& call) const;
  Instruction lower(const AstInstruction& instruction);
  std::uint32_t source_line(const AstInstruction& instruction);
  void note_registers(Instruction& out) const;

  // lower_operand.cc
  void lower_operand(Instruction& out, const AstOperand& operand, const OperandShape& shape);
  void lower_destination(Instruction& out, const AstOperand& operand, const OperandShape& shape);
  bool is_wide(const AstOperand& operand) const {
    return operand.kind == AstOperand::Kind::reg &&
           function_.registers[operand.index].type == Type::b128;
  }
  bool in_frame(std::uint32_t variable) const {
    return framed_ && unit_.variables[variable].space == Space::local &&
           unit_.variables[variable].function == ref_.function;
  }
  void lower_source(Instruction& out, const AstOperand& operand, const OperandShape& shape);
  void lower_address(Instruction& out, const AstOperand& operand);
  Operand reg(std::uint32_t index) const;
  Operand source(const AstOperand& operand, Type type);
  Operand constant(std::uint64_t bits, std::uint8_t bytes, TextPosition at);
  std::uint64_t function_address(const AstOperand& operand) const;
  Operand local_frame();
  Operand preset(const AstOperand& operand, std::uint8_t bytes);
  std::uint64_t address_of(std::uint32_t index, TextPosition at) const;

  // lower_family_operand.cc
  // The parts of a register that a video instruction uses (Video::parts_d and others). position: 0
  // for the destination, n for the n-th source.
  void lower_parts(Instruction& out, const AstOperand& operand, std::size_t position);
  void lower_fragment(Instruction& out, const AstOperand& operand, const OperandShape& shape);
  // A gradient, or offsets: a value for each axis.
  void lower_axes(Instruction& out, const AstOperand& operand, Type type);
  // The sampler's handle is the last source.
  void lower_sampler(Instruction& out, const AstInstruction& instruction);
  void lower_texel(Instruction& out, const AstOperand& operand);
  // Other instructions check their constant and do not use it.
  void lower_constant(Instruction& out, const AstOperand& operand) const;
  void lower_copy_size(Instruction& out, const AstOperand& operand) const;
  static bool is_copy(Opcode o) {
    return o == Opcode::cp_async || o == Opcode::bulk_load || o == Opcode::bulk_store;
  }
  void lower_copy_address(Instruction& out, const AstOperand& operand, const OperandShape& shape);

  KernelBuilder& builder_;
  FunctionRef ref_;
  const AstUnit& unit_;
  const AstFunction& function_;
  bool framed_;
  std::uint16_t first_register_;
  std::size_t src_ = 0;  // the next source of the current instruction
};

}  // namespace heddle::ptx
