#include "loads/kronrod.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stillpoint {

namespace {

using Eigen::VectorXd;

// Points and weights on [−1, 1] [Piessens 1983]; those of Gauss are the odd ones.
constexpr std::array<double, 8> points_of_rule{
    0.991455371120812639, 0.949107912342758525, 0.864864423359769073, 0.741531185599394440,
    0.586087235467691130, 0.405845151377397167, 0.207784955007898468, 0};
constexpr std::array<double, 8> weights_of_kronrod{0.022935322010529225, 0.063092092629978553, 0.104790010322250184,
                                                   0.140653259715525919, 0.169004726639267903, 0.190350578064785410,
                                                   0.204432940075298892, 0.209482141084727828};
constexpr std::array<double, 4> weights_of_gauss{0.129484966168869693, 0.279705391489276668, 0.381830050505118945,
                                                 0.417959183673469388};
constexpr Eigen::Index points_each = 15;

constexpr int most_rounds = 60;
constexpr std::size_t most_panels = 3000;  // more are halved only where values are no smooth function but rounding
constexpr double narrowest = 1e-12;  // width of a panel relative to where it is: points of a narrower one coincide

struct Panel {
  double from = 0, to = 0;
  VectorXd value, error;
};

void append_points(const Panel& panel, std::vector<double>& points) {
  const double centre = (panel.from + panel.to) / 2, half = (panel.to - panel.from) / 2;
  for (const double x : points_of_rule) {
    points.push_back(centre - half * x);
    if (x != 0) points.push_back(centre + half * x);
  }
}

void evaluate(const Integrand& integrand, std::vector<Panel>& panels, std::size_t first, Quadrature& result) {
  std::vector<double> points;
  for (std::size_t k = first; k < panels.size(); ++k) append_points(panels[k], points);
  if (points.empty()) return;
  const Eigen::MatrixXd values = integrand(points);
  result.evaluations += static_cast<Index>(points.size());
  for (std::size_t k = first; k < panels.size(); ++k) {
    const auto of_panel = values.middleCols(points_each * static_cast<Eigen::Index>(k - first), points_each);
    VectorXd kronrod = VectorXd::Zero(values.rows()), gauss = kronrod;
    for (std::size_t i = 0; i < points_of_rule.size(); ++i) {
      const auto column = 2 * static_cast<Eigen::Index>(i);
      VectorXd sum = of_panel.col(column);
      if (points_of_rule[i] != 0) sum += of_panel.col(column + 1);
      kronrod += weights_of_kronrod[i] * sum;
      if (i % 2 == 1) gauss += weights_of_gauss[i / 2] * sum;
    }
    const double half = (panels[k].to - panels[k].from) / 2;
    panels[k].value = half * kronrod;
    panels[k].error = half * (kronrod - gauss).cwiseAbs();
  }
}

void sum_up(const std::vector<Panel>& panels, Quadrature& result) {
  result.value.setZero(panels.front().value.size());
  result.error.setZero(panels.front().value.size());
  for (const Panel& panel : panels) {
    result.value += panel.value;
    result.error += panel.error;
  }
}

/// Whether the panel has more than its share of an error that is too large.
bool is_too_wide(const Panel& panel, const VectorXd& allowed, const VectorXd& error, std::size_t panels) {
  if (panel.to - panel.from <= narrowest * std::max(std::abs(panel.from), std::abs(panel.to))) return false;
  for (Eigen::Index i = 0; i < allowed.size(); ++i) {
    if (error[i] > allowed[i] && !(panel.error[i] <= allowed[i] / static_cast<double>(2 * panels))) return true;
  }
  return false;
}

}  // namespace

Quadrature integrate_adaptively(const Integrand& integrand, const std::vector<double>& limits, double tolerance,
                                Eigen::Index counted) {
  Quadrature result;
  std::vector<Panel> panels;
  for (std::size_t k = 1; k < limits.size(); ++k) panels.push_back({limits[k - 1], limits[k], {}, {}});
  evaluate(integrand, panels, 0, result);
  for (int round = 0;; ++round) {
    sum_up(panels, result);
    const VectorXd allowed = tolerance * result.value.head(counted).cwiseAbs();
    result.converged = result.value.allFinite() && (result.error.head(counted).array() <= allowed.array()).all();
    if (result.converged || !result.value.allFinite() || round == most_rounds || panels.size() > most_panels)
      return result;
    const VectorXd error = result.error.head(counted);
    const std::size_t before = panels.size();
    std::vector<Panel> kept, halves;
    for (Panel& panel : panels) {
      if (!is_too_wide(panel, allowed, error, before)) {
        kept.push_back(std::move(panel));
        continue;
      }
      const double centre = (panel.from + panel.to) / 2;
      halves.push_back({panel.from, centre, {}, {}});
      halves.push_back({centre, panel.to, {}, {}});
    }
    if (halves.empty()) return result;
    const std::size_t first = kept.size();
    panels = std::move(kept);
    panels.insert(panels.end(), halves.begin(), halves.end());
    evaluate(integrand, panels, first, result);
  }
}

}  // namespace stillpoint
