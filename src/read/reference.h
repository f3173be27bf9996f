// Names as model files write them: with expressions for indices, and places given on the spot.
//
//   B[i-1]             the thing called B[…]
//   crank.phi          a coordinate of it
//   crank(l/2, 0)      a point on it, in its own axes;  crank(l/2, 0, 90*deg) also turned
#pragma once

#include <string>
#include <vector>

#include "read/expression.h"
#include "stillpoint/model.h"

namespace stillpoint {

/// A name whose indices are expressions.
class NameTemplate {
 public:
  /// Throws Error (without place) if the text is no such name.
  NameTemplate(const std::string& text, const Scope& scope);

  /// The name now; it views this template, which must outlive it. Throws Error if an index is not a whole number.
  Name name() const;
  bool empty() const { return family_.empty(); }

 private:
  std::string family_;
  std::vector<Expression> indices_;
};

/// A reference to a place, a coordinate or an input.
class Reference {
 public:
  Reference(const std::string& text, FieldKind kind, const Scope& scope);

  /// What it refers to now: a marker, coordinate or input. Makes a marker for a place given on the spot.
  Index resolve(ModelBuilder& builder) const;

 private:
  FieldKind kind_;
  std::string text_;
  NameTemplate name_;
  std::string component_;
  std::vector<Expression> spot_;
};

/// Without white space on both sides.
std::string trimmed(const std::string& text);

/// Splits at the commas that are outside of brackets, and trims the parts.
std::vector<std::string> split_list(const std::string& text);

}  // namespace stillpoint
