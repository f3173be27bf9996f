// Names in model files: with expressions as indices, and with places given on the spot.
//
//   B[i-1]             the object with the name B[…]
//   crank.phi          one of its coordinates
//   crank(l/2, 0)      a point on it, in its own axes;  crank(l/2, 0, 90*deg) has an angle as well
#pragma once

#include <string>
#include <vector>

#include "read/expression.h"
#include "stillpoint/model.h"

namespace stillpoint {

/// A name whose indices are expressions.
class NameTemplate {
 public:
  /// Throws Error (without a place) if the text is not such a name.
  NameTemplate(const std::string& text, const Scope& scope);

  /// Evaluates the name; it views this template, which must outlive it. Throws Error if an index is not a whole number.
  Name name() const;
  bool empty() const { return family_.empty(); }
  bool uses(const std::vector<const Scope::Variable*>& variables) const;

 private:
  std::string family_;
  std::vector<Expression> indices_;
};

/// A reference to a place, a coordinate or an input.
class Reference {
 public:
  Reference(const std::string& text, FieldKind kind, const Scope& scope);

  /// Evaluates the reference: the index of a marker, coordinate or input. A place given on the spot becomes a new
  /// marker.
  Index resolve(ModelBuilder& builder) const;
  bool uses(const std::vector<const Scope::Variable*>& variables) const;

 private:
  FieldKind kind_;
  std::string text_;
  NameTemplate name_;
  std::string component_;
  std::vector<Expression> spot_;
};

/// The text without white space at both ends.
std::string trimmed(const std::string& text);

/// Splits a text at the commas outside of brackets, and trims the parts.
std::vector<std::string> split_list(const std::string& text);

}  // namespace stillpoint
