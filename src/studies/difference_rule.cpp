#include "studies/difference_rule.h"

#include <cstddef>

namespace stillpoint {

namespace {

// Weights of the first derivative at 0 of the polynomial through the nodes: the derivatives of Lagrange's polynomials.
std::vector<double> weights_at_zero(const std::vector<double>& nodes) {
  std::vector<double> weights(nodes.size());
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    double sum = 0;
    for (std::size_t left_out = 0; left_out < nodes.size(); ++left_out) {
      if (left_out == j) continue;
      double product = 1 / (nodes[j] - nodes[left_out]);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (k != j && k != left_out) product *= -nodes[k] / (nodes[j] - nodes[k]);
      }
      sum += product;
    }
    weights[j] = sum;
  }
  return weights;
}

// The lower order leaves out the last nodes.
DifferenceRule rule(const std::vector<double>& nodes, std::size_t left_out) {
  DifferenceRule result{nodes, weights_at_zero(nodes), {}};
  result.lower_weights = weights_at_zero({nodes.begin(), nodes.end() - static_cast<std::ptrdiff_t>(left_out)});
  result.lower_weights.resize(nodes.size(), 0.0);
  return result;
}

DifferenceRule on_one_side(double sign) {
  std::vector<double> nodes;
  for (int k = 0; k <= 8; ++k) nodes.push_back(sign * k);
  return rule(nodes, 1);
}

// The weight of the value at 0 itself vanishes.
DifferenceRule on_both_sides() {
  DifferenceRule all = rule({0, 1, -1, 2, -2, 3, -3, 4, -4}, 2);
  for (std::vector<double>* list : {&all.nodes, &all.weights, &all.lower_weights}) list->erase(list->begin());
  return all;
}

}  // namespace

const DifferenceRule& central_rule() {
  static const DifferenceRule rule = on_both_sides();
  return rule;
}

const DifferenceRule& shortest_rule() {
  static const DifferenceRule two_sided = rule({0, 1, -1}, 1);
  return two_sided;
}

const DifferenceRule& one_sided_rule(bool is_forward) {
  static const DifferenceRule forward = on_one_side(1), backward = on_one_side(-1);
  return is_forward ? forward : backward;
}

}  // namespace stillpoint
