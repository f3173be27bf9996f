// What the claims about elements share: one case for each element type, the mechanisms made from it, seeded states, and
// matrices from central differences.
//
// A case states only data. The places an element can hold on to are known from its table of fields, and every
// combination of them becomes a specimen: a model with this one element in it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

/// Who pushes back when an element pushes.
enum class Reacts {
  inside,         ///< its other end: it does no work when everything moves together
  outside,        ///< somebody who is not in the model: a dead or follower force, gravity
  on_coordinates  ///< a single coordinate, whatever that means in space
};

struct ElementCase {
  std::string keyword;                                                 ///< its word in model files
  std::vector<std::pair<std::string, std::vector<double>>> numbers{};  ///< by key
  std::string at_rest;  ///< the matrices in which it has entries that are not zero, of M C K J F G, for some attachment
  std::string moving;   ///< the same in motion
  Reacts reacts = Reacts::inside;
  bool conservative = true;  ///< at rest its forces have a potential and its K is symmetric
};

/// Every element type at least once; types whose data change the sparsity once for each way.
const std::vector<ElementCase>& element_cases();

enum class Hold { fixed, point, body, marker, scalar, input, none };

struct Specimen {
  std::string name;  ///< "spring between point, marker"
  Model model;
  std::vector<Hold> holds;
  bool shares_body = false;  ///< all its places are on one body

  bool holds_on_to(Hold what) const;
};

/// One model for each combination of places that the element can hold on to, and one with all of them on one body.
std::vector<Specimen> specimens(const ElementCase& element, const Vec2<double>& gravity);

/// Seeded numbers that are the same with every compiler and library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high);
  Eigen::VectorXd vector(Eigen::Index size, double low, double high);

 private:
  std::mt19937_64 engine_;
};

/// Positions within 2 m of the origin, angles over three turns, everything else between −2 and 2. Places on different
/// blocks are at least half a metre apart, and residuals that are angles keep away from ±π: there a law has no
/// derivative, and near there differences have no digits.
State random_state(const Model& model, Random& random, Assembly::Motion motion);

struct DenseMatrices {
  Eigen::MatrixXd M, C, K, J, F, G;

  const Eigen::MatrixXd& operator[](char letter) const;
};

DenseMatrices exact_matrices(const Matrices& sparse);

/// Central differences of r(q, v, a, u) = inertia + Jᵀλ − f and of Φ(q, u).
class Differences {
 public:
  explicit Differences(const Model& model) : model_(model), assembly_(model) {}
  DenseMatrices at(const State& state);

 private:
  Eigen::VectorXd r_and_phi(const State& state);
  Eigen::MatrixXd by(const State& state, Eigen::VectorXd State::*variable);

  Model model_;
  Assembly assembly_;
};

/// The derivative of g by central differences over h and 2h, extrapolated (Richardson): the error is of the order
/// h⁴ g⁽⁵⁾/30 + ε |g| / h, about 1e-12 for laws whose lengths and data are of the order of one.
constexpr double difference_step = 1e-3;
Eigen::VectorXd central_difference(const std::function<Eigen::VectorXd(double)>& g);

/// The largest difference of two matrices, relative to the largest entry of either. Data here are of the order of one
/// to fifty; a matrix whose largest entry is below 1e-3 contains rounding only, and is compared on that scale.
double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The velocities of all coordinates when the whole moves with (x, y) and turns with omega about the origin.
Eigen::VectorXd rigid_velocity(const Model& model, const State& state, double x, double y, double omega);

}  // namespace stillpoint
