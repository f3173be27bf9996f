#include "plants/plant_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "plants/hidden_modes.h"
#include "plants/signal.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/version.h"

namespace stillpoint {

namespace {

// Relative rounding error of a sum of a few products.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

// Numbers of frequencies of the check: in general, and for a large plant, where each takes a second.
constexpr Index checks = 7, checks_of_large = 3, large_order = 800;

bool is_needed(const ByOrder& matrices, std::size_t order, Index input) {
  return std::any_of(matrices.begin(), matrices.end(), [&](const std::vector<Eigen::MatrixXd>& orders) {
    return order < orders.size() && !orders[order].col(input).isZero(0);
  });
}

/// Returns the distance of iω from the nearest pole, relative to ω.
double distance_from_poles(double omega, const std::vector<Plant::Pole>& poles) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Plant::Pole& pole : poles) {
    nearest = std::min(nearest, std::abs(std::complex<double>(0, omega) - pole.s) / omega);
  }
  return nearest;
}

}  // namespace

Plant named_plant(const LinearSystem& system, PlantForm form, const char* method) {
  Plant plant;
  plant.form = form;
  plant.name = system.name;
  plant.method = method;
  plant.origin.tool_version = version();
  for (Index i = 0; i < system.coordinates(); ++i) plant.coordinate_names.push_back(system.coordinate_name(i));
  for (Index i = 0; i < system.outputs(); ++i) plant.output_names.push_back(system.output_name(i));
  plant.output_units.resize(plant.output_names.size());
  return plant;
}

std::string rate_name(const std::string& name, int order) { return name + std::string(at(order), '\''); }

void choose_channels(const LinearSystem& system, const ByOrder& matrices, Plant& plant) {
  plant.channels.clear();
  plant.input_names.clear();
  for (int order = 0; order < Signals::orders; ++order) {
    for (Index j = 0; j < system.inputs(); ++j) {
      if (order > 0 && !is_needed(matrices, at(order), j)) continue;
      plant.channels.push_back({j, order});
      plant.input_names.push_back(rate_name(system.input_name(j), order));
    }
  }
  plant.input_units.assign(plant.input_names.size(), "");
}

SparseMatrix by_channels(const Plant& plant, const std::vector<Eigen::MatrixXd>& orders) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(orders[0].rows(), static_cast<Eigen::Index>(plant.channels.size()));
  for (std::size_t k = 0; k < plant.channels.size(); ++k) {
    const auto [input, order] = plant.channels[k];
    if (at(order) < orders.size()) columns.col(static_cast<Eigen::Index>(k)) = orders[at(order)].col(input);
  }
  return columns.sparseView();
}

SparseMatrix clean_product(const SparseMatrix& A, const SparseMatrix& B) {
  const SparseMatrix A_magnitudes = A.cwiseAbs(), B_magnitudes = B.cwiseAbs();
  SparseMatrix product = A * B;
  const SparseMatrix magnitudes = A_magnitudes * B_magnitudes;
  product.prune([&](Index i, Index j, double value) { return std::abs(value) > rounding * magnitudes.coeff(i, j); });
  return product;
}

void set_operating_point(const LinearSystem& system, Plant& plant) {
  plant.at.y = system.y;
  plant.at.q = system.q;
  plant.at.lambda = system.lambda;
  plant.at.u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(plant.channels.size()));
  for (std::size_t k = 0; k < plant.channels.size() && system.u.size() > 0; ++k) {
    const auto [input, order] = plant.channels[k];
    if (order == 0) plant.at.u[static_cast<Eigen::Index>(k)] = system.u[input];
  }
}

Eigen::VectorXd values_of(const LinearSystem& system, const std::vector<Index>& independent, Eigen::Index count) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
  if (system.q.size() == 0) return values;
  for (std::size_t i = 0; i < independent.size(); ++i) values[static_cast<Eigen::Index>(i)] = system.q[independent[i]];
  return values;
}

void find_poles(const LinearSystem& system, const PlantOptions& options, Plant& plant) {
  if (!options.poles) return;
  const Spectrum found = options.modes ? Spectrum() : modes_of(system, options.minimal);
  const Spectrum& modes = options.modes ? *options.modes : found;
  plant.poles = poles_of(modes);
  plant.hidden = hidden_modes(system, modes.modes);
  if (plant.hidden.unmoved + plant.hidden.unshown > 0) plant.notes.push_back(to_words(plant.hidden));
  if (system.dof() <= few_dof) return;
  plant.notes.push_back(plant.poles.empty()
                            ? fmt::format("poles: not listed, because {} degrees of freedom are too many", system.dof())
                            : fmt::format("poles: only the lowest {} are listed", plant.poles.size()));
}

double kept_away(double omega, const std::vector<Plant::Pole>& poles) {
  constexpr int tries = 40;
  double best = omega, farthest = distance_from_poles(omega, poles);
  for (int k = 1; k < tries; ++k) {
    const double other = omega * std::pow(2, static_cast<double>(k) / tries);
    const double distance = distance_from_poles(other, poles);
    if (distance > farthest) {
      farthest = distance;
      best = other;
    }
  }
  return best;
}

void find_check(Plant& plant) {
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
  for (const Plant::Pole& pole : plant.poles) {
    const double size = std::abs(pole.s);
    if (size <= pole.error || size == 0) continue;
    slowest = std::min(slowest, size);
    fastest = std::max(fastest, size);
  }
  if (fastest == 0) slowest = fastest = 1;
  const Eigen::Index order = plant.form == PlantForm::second_order ? plant.second.M.rows() : plant.first.A.rows();
  plant.check.omega = log_spaced(slowest / 4, 2 * fastest, order > large_order ? checks_of_large : checks);
  for (double& omega : plant.check.omega) omega = kept_away(omega, plant.poles);
  plant.check.response = response_of(plant, plant.check.omega);
}

}  // namespace stillpoint
