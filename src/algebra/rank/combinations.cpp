#include "algebra/rank/combinations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stillpoint {

namespace {

using Term = Combination::Term;

// Limits that practical linkages do not reach. They keep the effort linear where thousands of combinations share a row.
constexpr std::size_t most_partners = 16;  // number of partners tried for each term
constexpr std::size_t longest = 2000;      // number of terms up to which a combination is shortened
constexpr int most_rounds = 20;
constexpr double most_cancellation = 1e-3;  // a sum that cancels further has lost its digits

const Term* find(const Combination& combination, Index row) {
  const auto& terms = combination.terms;
  const auto found =
      std::lower_bound(terms.begin(), terms.end(), row, [](const Term& term, Index r) { return term.row < r; });
  return found != terms.end() && found->row == row ? &*found : nullptr;
}

/// Returns a + factor · b without `row` and without negligible terms; empty unless it has fewer terms than a.
std::vector<Term> shorter_sum(const Combination& a, const Combination& b, double factor, Index row, double negligible) {
  std::vector<Term> sum;
  double largest = 0;
  auto i = a.terms.begin(), j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    Term term;
    double scale = 0;
    if (j == b.terms.end() || (i != a.terms.end() && i->row < j->row)) {
      term = *i++;
      scale = std::abs(term.value);
    } else if (i == a.terms.end() || j->row < i->row) {
      term = {j->row, factor * j->value};
      scale = std::abs(term.value);
      ++j;
    } else {
      term = {i->row, i->value + factor * j->value};
      scale = std::abs(i->value) + std::abs(factor * j->value);
      ++i, ++j;
    }
    largest = std::max(largest, scale);
    if (term.row == row || std::abs(term.value) <= negligible * scale) continue;
    sum.push_back(term);
    if (sum.size() >= a.terms.size()) return {};
  }
  double largest_left = 0;
  for (const Term& term : sum) largest_left = std::max(largest_left, std::abs(term.value));
  if (largest_left < most_cancellation * largest) return {};
  for (Term& term : sum) term.value /= largest_left;
  return sum;
}

/// For each row the combinations that contain it. Outdated entries remain and are recognised when they are read.
class Occurrences {
 public:
  Occurrences(const std::vector<Combination>& combinations, Index rows) : of_row_(static_cast<std::size_t>(rows)) {
    for (std::size_t a = 0; a < combinations.size(); ++a) add(combinations[a], static_cast<Index>(a));
  }
  void add(const Combination& combination, Index a) {
    if (combination.terms.size() > longest) return;
    for (const Term& term : combination.terms) {
      std::vector<Index>& list = of_row_[term.row];
      if (list.size() < 4 * most_partners) list.push_back(a);
    }
  }
  const std::vector<Index>& operator[](Index row) const { return of_row_[row]; }

 private:
  std::vector<std::vector<Index>> of_row_;
};

/// Replaces combination a by its shortest sum with another combination; false if none is shorter.
bool shorten_one(std::vector<Combination>& combinations, Index a, const Occurrences& occurrences, double negligible) {
  std::vector<Term> best;
  for (const Term& term : combinations[a].terms) {
    std::size_t tried = 0;
    for (const Index b : occurrences[term.row]) {
      if (b == a || combinations[b].terms.size() > combinations[a].terms.size()) continue;
      const Term* const other = find(combinations[b], term.row);
      if (!other) continue;
      if (++tried > most_partners) break;
      std::vector<Term> sum =
          shorter_sum(combinations[a], combinations[b], -term.value / other->value, term.row, negligible);
      if (!sum.empty() && (best.empty() || sum.size() < best.size())) best = std::move(sum);
    }
  }
  if (best.empty()) return false;
  combinations[a].terms = std::move(best);
  return true;
}

}  // namespace

void sort_by_row(Combination& combination) {
  std::sort(combination.terms.begin(), combination.terms.end(),
            [](const Term& one, const Term& other) { return one.row < other.row; });
}

void shorten(std::vector<Combination>& combinations, Index rows, double negligible) {
  if (combinations.size() < 2) return;
  Occurrences occurrences(combinations, rows);
  bool improved = true;
  for (int round = 0; improved && round < most_rounds; ++round) {
    improved = false;
    for (std::size_t a = 0; a < combinations.size(); ++a) {
      if (combinations[a].terms.size() > longest) continue;
      while (shorten_one(combinations, static_cast<Index>(a), occurrences, negligible)) {
        occurrences.add(combinations[a], static_cast<Index>(a));
        improved = true;
      }
    }
  }
}

SparseMatrix matrix_of(const std::vector<Combination>& combinations, const std::vector<int>& exponents) {
  SparseMatrix result(static_cast<Index>(exponents.size()), static_cast<Index>(combinations.size()));
  std::size_t entries = 0;
  for (const Combination& combination : combinations) entries += combination.terms.size();
  result.reserve(static_cast<Index>(entries));
  for (std::size_t a = 0; a < combinations.size(); ++a) {
    result.startVec(static_cast<Index>(a));
    // The exponents may be so far apart that a power of two cannot be represented. They are taken relative to the
    // largest.
    const Term* top = nullptr;
    const auto exponent = [&](const Term& term) { return std::ilogb(term.value) + exponents[term.row]; };
    for (const Term& term : combinations[a].terms) {
      if (!top || exponent(term) > exponent(*top)) top = &term;
    }
    if (!top) continue;
    const auto relative = [&](const Term& term) {
      return std::ldexp(term.value, exponents[term.row] - exponents[top->row]);
    };
    for (const Term& term : combinations[a].terms) {
      if (std::abs(relative(term)) > std::abs(relative(*top))) top = &term;
    }
    const double largest = top->value;
    const int base = exponents[top->row];
    for (const Term& term : combinations[a].terms) {
      const double value = std::ldexp(term.value / largest, exponents[term.row] - base);
      if (value != 0) result.insertBack(term.row, static_cast<Index>(a)) = value;
    }
  }
  result.finalize();
  return result;
}

}  // namespace stillpoint
