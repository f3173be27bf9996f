#include "support/plants/made_plants.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;

constexpr double damping = 0.1, stiffness = 100;

SparseMatrix sparse(const Matrix& A) { return A.sparseView(0, 0); }

/// Every entry, zeros too.
SparseMatrix with_zeros(const Matrix& A) {
  SparseMatrix S(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) S.insert(i, j) = A(i, j);
  }
  S.makeCompressed();
  return S;
}

Matrix K() { return stiffness * Eigen::Matrix2d{{2, -1}, {-1, 2}}; }
Matrix C() { return damping * Matrix::Identity(2, 2); }
Matrix B() { return Eigen::Vector2d(1, 0); }
// y₁ = z₂; y₂ = z̈₁ = u − K₁ z − C₁ ż
Matrix F() { return Eigen::Matrix2d{{0, 1}, {-2 * stiffness, stiffness}}; }
Matrix G() { return Eigen::Matrix2d{{0, 0}, {-damping, 0}}; }
Matrix D() { return Eigen::Vector2d(0, 1); }

Plant::SecondOrder second_order_of_two_masses() {
  return {sparse(Matrix::Identity(2, 2)), sparse(C()), sparse(K()), sparse(B()), sparse(F()), sparse(G()), sparse(D())};
}

Plant::FirstOrder first_order_of_two_masses() {
  Matrix A = Matrix::Zero(4, 4), b = Matrix::Zero(4, 1), c(2, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -K();
  A.bottomRightCorner(2, 2) = -C();
  b.bottomRows(2) = B();
  c << F(), G();
  return {{}, sparse(A), sparse(b), sparse(c), sparse(D())};
}

void turn_into_modes(Plant::FirstOrder& plant) {
  Matrix V = Matrix::Zero(4, 4);
  V.topLeftCorner(2, 2) << 1, 1, 1, -1;
  V /= std::sqrt(2.0);
  V.bottomRightCorner(2, 2) = V.topLeftCorner(2, 2);  // V = Vᵀ = V⁻¹
  plant.A = sparse(V * Matrix(plant.A) * V);
  plant.B = sparse(V * Matrix(plant.B));
  plant.C = sparse(Matrix(plant.C) * V);
}

// The same with every equation doubled: E = 2.
void make_descriptor(Plant::FirstOrder& plant) {
  plant.E = sparse(2 * Matrix::Identity(4, 4));
  plant.A = SparseMatrix(2 * plant.A);
  plant.B = SparseMatrix(2 * plant.B);
}

Eigen::MatrixXcd response_of_two_masses(double omega) {
  const std::complex<double> s(0, omega);
  const Eigen::MatrixXcd Z = s * s * Matrix::Identity(2, 2) + s * C() + K();
  return (F() + s * G()) * Z.partialPivLu().solve(B().cast<std::complex<double>>()) + D();
}

void add_history(Plant& plant) {
  plant.origin = {"0.1.0",
                  "stillpoint export two_masses -o plant.mat",
                  std::string(64, 'a'),
                  "2026-11-22T13:00:00Z",
                  {"not at rest: residual 3.2e-03"}};
  plant.notes = {"made by hand", "for the tests"};
}

std::vector<std::string> some_names(const std::string& word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(word + "[" + std::to_string(i + 1) + "]");
  return names;
}

Matrix awkward_numbers(Index rows, Index columns) {
  using Limits = std::numeric_limits<double>;
  const double numbers[] = {
      1.0 / 3, -0.0, Limits::denorm_min(), Limits::max(), 0.1 + 0.2, -Limits::min(), 6.02214076e+23, 1, 0,
      -1e-300, M_PI};
  Matrix A(rows, columns);
  for (Index k = 0; k < A.size(); ++k) A(k) = numbers[(k + rows) % 11];
  return A;
}

}  // namespace

Plant two_masses(PlantForm form) {
  Plant plant;
  plant.form = form;
  plant.name = "two_masses";
  plant.method = "mcs";
  if (form == PlantForm::second_order) {
    plant.second = second_order_of_two_masses();
    plant.state_names = {"z[1]", "z[2]"};
    plant.state_units = {"m", "m"};
  } else {
    plant.first = first_order_of_two_masses();
    plant.state_names = {"z[1]", "z[2]", "ż[1]", "ż[2]"};
    plant.state_units = {"m", "m", "m/s", "m/s"};
  }
  if (form == PlantForm::modal) turn_into_modes(plant.first);
  if (form == PlantForm::descriptor) make_descriptor(plant.first);
  plant.input_names = {"force"};
  plant.input_units = {"N"};
  plant.output_names = {"place", "acceleration"};
  plant.output_units = {"m", "m/s²"};
  plant.at.u = Eigen::VectorXd::Zero(1);
  plant.check.omega = Eigen::Vector4d(0.5, 8, 13, 40);
  for (const double omega : plant.check.omega) plant.check.response.push_back(response_of_two_masses(omega));
  for (const std::complex<double> s : two_masses_poles()) plant.poles.push_back({s, 1e-13});
  add_history(plant);
  return plant;
}

std::vector<std::complex<double>> two_masses_poles() {
  const double slow = std::sqrt(stiffness - damping * damping / 4),
               fast = std::sqrt(3 * stiffness - damping * damping / 4);
  return {{-damping / 2, slow}, {-damping / 2, -slow}, {-damping / 2, fast}, {-damping / 2, -fast}};
}

Plant awkward_plant(PlantForm form) {
  constexpr Index n = 4, inputs = 3, outputs = 2, coordinates = 5;
  Plant plant;
  plant.form = form;
  plant.name = "Größe 'n' \"m\" \\ []";
  plant.method = "rcs";
  if (form == PlantForm::second_order) {
    plant.second = {with_zeros(awkward_numbers(n, n)),       sparse(awkward_numbers(n, n) / 3),
                    sparse(awkward_numbers(n, n) / 7),       sparse(awkward_numbers(n, inputs)),
                    sparse(awkward_numbers(outputs, n)),     SparseMatrix(outputs, n),
                    sparse(awkward_numbers(outputs, inputs))};
  } else {
    const bool has_E = form == PlantForm::descriptor;
    plant.first = {has_E ? with_zeros(awkward_numbers(n, n) / 3) : SparseMatrix(), with_zeros(awkward_numbers(n, n)),
                   with_zeros(awkward_numbers(n, inputs)), with_zeros(awkward_numbers(outputs, n)),
                   SparseMatrix(outputs, inputs)};
  }
  plant.state_names = {"Kurbel[1].φ", "a b", "日本.x", "𝛿.y"};
  plant.input_names = {"Führung'", "Führung''", "u"};
  plant.channels = {{0, 1}, {0, 2}, {1, 0}};
  plant.output_names = {"it's \"one\"", "back\\slash, {comma}"};
  plant.state_units = {"rad", "", "m", "µm"};
  plant.input_units = {"m/s", "m/s²", "N"};
  plant.output_units = {"", ""};
  plant.coordinate_names = some_names("q", coordinates);
  plant.T = sparse(awkward_numbers(coordinates, n));
  plant.S = SparseMatrix(coordinates, inputs);
  plant.at.x = awkward_numbers(n, 1);
  plant.at.y = awkward_numbers(outputs, 1);
  plant.at.q = awkward_numbers(coordinates, 1);
  plant.at.lambda = Eigen::VectorXd(0);
  plant.hidden = {7, 3, 2, 1};
  plant.at.is_rest = false;
  plant.poles = {{{-1.0 / 3, 1e300}, 1e-16}, {{-0.0, 0.1}, 0}};
  plant.check.omega = Eigen::Vector3d(1.0 / 3, 2, 1e5);
  for (Index k = 0; k < 3; ++k) {
    const Eigen::MatrixXcd re = awkward_numbers(outputs, inputs).cast<std::complex<double>>() / (k + 1.0);
    plant.check.response.push_back(re + std::complex<double>(0, 0.25) * awkward_numbers(outputs, inputs));
  }
  add_history(plant);
  plant.origin.command = "stillpoint export 'Größe' -o λ.mat";
  plant.origin.overrides = {"", "at 'Kurbel[1].φ'"};
  plant.notes = {};
  return plant;
}

}  // namespace stillpoint
