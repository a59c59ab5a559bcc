#include "analysis/form_text.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace heddle::analysis {
namespace {

constexpr std::int64_t kSmallestAddress = std::int64_t{1} << 24;

// A product of a number, symbols and at most one atom.
struct Product {
  std::int64_t factor = 1;
  std::vector<std::uint32_t> symbols;
  std::string atom;
  AtomId order = 0;
};

class Writer {
 public:
  explicit Writer(const Forms& forms) : forms_(forms) {}

  std::string text(const Form& form) const {
    std::vector<Product> products;
    append(products, form.constant, "", ~AtomId{0});
    for (const Term& t : form.terms) append(products, t.coefficient, atom_text(t.atom), t.atom);
    std::string base;
    // The address of an array stands in front.
    for (const bool named : {true, false})
      std::erase_if(products, [&](const Product& p) {
        const bool name = p.atom.empty() && p.symbols.size() == 1 && p.factor == 1 &&
                          form.constant.value >= kSmallestAddress;
        const bool address = p.atom.empty() && p.symbols.empty() && p.factor >= kSmallestAddress;
        if (!base.empty() || products.size() == 1 || !(named ? name : address)) return false;
        base = product_text(p);
        return true;
      });
    std::int64_t common = 0;
    for (const Product& p : products) common = std::gcd(common, p.factor);
    std::string rest;
    if (common > 1 && products.size() > 1) {
      for (Product& p : products) p.factor /= common;
      rest = std::to_string(common) + "*(" + sum(std::move(products)) + ")";
    } else {
      rest = sum(std::move(products));
    }
    if (base.empty()) return rest;
    return rest.front() == '-' ? base + " - " + rest.substr(1) : base + " + " + rest;
  }

  std::string condition(ConditionId id) const {
    const Condition& c = forms_.condition(id);
    switch (c.kind) {
      case Condition::Kind::never: return "never";
      case Condition::Kind::always: return "always";
      case Condition::Kind::unknown: return "data-dependent";
      case Condition::Kind::at_least_zero:
      case Condition::Kind::zero: {
        // Negative terms go to the other side.
        Form left, right;
        for (const Term& t : c.form.terms)
          if (t.coefficient.value > 0)
            left = left + Forms::of(t.atom, t.coefficient);
          else
            right = right + Forms::of(t.atom, t.coefficient * Number{-1});
        if (c.form.constant.value > 0)
          left = left + Form{c.form.constant};
        else
          right = right + Form{c.form.constant * Number{-1}};
        return text(left) + (c.kind == Condition::Kind::zero ? " == " : " >= ") + text(right);
      }
      case Condition::Kind::all_of:
      case Condition::Kind::any_of: {
        std::string joined;
        for (ConditionId part : c.parts) {
          if (!joined.empty()) joined += c.kind == Condition::Kind::all_of ? " && " : " || ";
          const bool nested = !forms_.condition(part).parts.empty();
          joined += nested ? "(" + condition(part) + ")" : condition(part);
        }
        return joined;
      }
    }
    return {};
  }

 private:
  void append(std::vector<Product>& to, const Number& number, const std::string& atom,
              AtomId order) const {
    if (!number.symbolic) {
      if (number.value != 0) to.push_back({number.value, {}, atom, order});
      return;
    }
    for (const auto& [symbols, factor] : *number.symbolic)
      if (factor != 0) to.push_back({factor, symbols, atom, order});
  }

  std::string atom_text(AtomId id) const {
    const Atom& atom = forms_.atom(id);
    switch (atom.kind) {
      case Atom::Kind::variable: return atom.name;
      case Atom::Kind::quotient: {
        const std::string inner = text(atom.first);
        const bool simple = inner.find_first_of(" *") == std::string::npos;
        return "floor(" + (simple ? inner : "(" + inner + ")") + " / " +
               std::to_string(atom.divisor) + ")";
      }
      case Atom::Kind::choice: {
        const Condition& c = forms_.condition(atom.condition);
        const std::string a = text(atom.first), b = text(atom.second);
        if (c.kind == Condition::Kind::at_least_zero) {
          if (c.form == atom.first - atom.second) return "max(" + a + ", " + b + ")";
          if (c.form == atom.second - atom.first) return "min(" + a + ", " + b + ")";
        }
        return "(" + condition(atom.condition) + " ? " + a + " : " + b + ")";
      }
    }
    return {};
  }

  std::string product_text(const Product& p) const {
    std::string text;
    const auto add = [&](const std::string& factor) {
      text += (text.empty() || text == "-" ? "" : "*") + factor;
    };
    const bool alone = p.symbols.empty() && p.atom.empty();
    if (p.factor == -1 && !alone)
      text = "-";
    else if (p.factor != 1 || alone)
      add(std::to_string(p.factor));
    for (std::uint32_t s : p.symbols) add(forms_.symbol_name(s));
    if (!p.atom.empty()) add(p.atom);
    return text;
  }

  // The symbol that most products share is written once.
  std::string sum(std::vector<Product> products) const {
    std::map<std::uint32_t, int> uses;
    for (const Product& p : products)
      for (std::uint32_t s : std::set<std::uint32_t>(p.symbols.begin(), p.symbols.end()))
        if (!p.atom.empty() || p.symbols.size() > 1) ++uses[s];
    const auto most = std::max_element(
        uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string text;
    const auto add = [&](const std::string& part) {
      if (text.empty())
        text = part;
      else
        text += part.front() == '-' ? " - " + part.substr(1) : " + " + part;
    };
    if (most != uses.end() && most->second > 1) {
      std::vector<Product> inner, rest;
      for (Product& p : products) {
        const auto found = std::find(p.symbols.begin(), p.symbols.end(), most->first);
        if (found == p.symbols.end()) {
          rest.push_back(std::move(p));
        } else {
          p.symbols.erase(found);
          inner.push_back(std::move(p));
        }
      }
      std::int64_t common = 0;
      for (const Product& p : inner) common = std::gcd(common, p.factor);
      for (Product& p : inner) p.factor /= common;
      add((common == 1 ? "" : std::to_string(common) + "*") + forms_.symbol_name(most->first) +
          "*(" + sum(std::move(inner)) + ")");
      if (!rest.empty()) add(sum(std::move(rest)));
      return text;
    }
    // CTA indices, then threads, then loop counters, then numbers.
    std::stable_sort(products.begin(), products.end(), [](const Product& a, const Product& b) {
      const auto rank = [](const Product& p) {
        return p.order >= ctaid_x && p.order <= ctaid_z ? p.order
               : p.order <= tid_z                       ? p.order + kAxes
               : p.order == ~AtomId{0}                  ? ~AtomId{0}
                                                        : p.order + 2 * kAxes;
      };
      return rank(a) < rank(b);
    });
    for (const Product& p : products) add(product_text(p));
    return text.empty() ? "0" : text;
  }

  const Forms& forms_;
};

}  // namespace

std::string form_text(const Forms& forms, const Form& form) { return Writer(forms).text(form); }
std::string condition_text(const Forms& forms, ConditionId id) {
  return Writer(forms).condition(id);
}

}  // namespace heddle::analysis
