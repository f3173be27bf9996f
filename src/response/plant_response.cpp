// Frequency responses of plants, and their errors relative to the system.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

#include "algebra/lu/refined_solution.h"
#include "base/at.h"
#include "base/in_parallel.h"
#include "stillpoint/frequency_response.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;

// With a larger share of nonzero entries a dense factorization is faster.
constexpr double dense_part = 0.1;

MatrixXcd solved(const ComplexSparseMatrix& A, const MatrixXcd& b) {
  if (b.size() == 0) return b;
  const double all = static_cast<double>(A.rows()) * static_cast<double>(A.cols());
  if (static_cast<double>(A.nonZeros()) > dense_part * all) return Eigen::PartialPivLU<MatrixXcd>(A.toDense()).solve(b);
  ComplexLu lu(A.cwiseAbs());
  if (!lu.factor(A)) return MatrixXcd::Constant(b.rows(), b.cols(), {std::nan(""), std::nan("")});
  return solve_refined(lu, A, b).x;
}

MatrixXcd first_order(const Plant::FirstOrder& plant, Complex s) {
  SparseMatrix E = plant.E;
  if (E.rows() == 0) {
    E.resize(plant.A.rows(), plant.A.cols());
    E.setIdentity();
  }
  const ComplexSparseMatrix A = s * E.cast<Complex>() - plant.A.cast<Complex>();
  return plant.C * solved(A, plant.B.toDense().cast<Complex>()) + plant.D.toDense();
}

MatrixXcd second_order(const Plant::SecondOrder& plant, Complex s) {
  const ComplexSparseMatrix A = s * s * plant.M.cast<Complex>() + s * plant.C.cast<Complex>() + plant.K.cast<Complex>();
  const MatrixXcd z = solved(A, plant.B.toDense().cast<Complex>());
  return plant.F * z + s * (plant.G * z) + plant.D.toDense();
}

/// Returns the largest |H| over ω of each pair, or of all components of its output if that is larger.
Eigen::MatrixXd largest_magnitudes(const FrequencyResponse& exact, Eigen::Index outputs, Eigen::Index inputs) {
  Eigen::MatrixXd largest = Eigen::MatrixXd::Zero(outputs, inputs);
  for (const MatrixXcd& H : exact.response) {
    if (!H.hasNaN()) largest = largest.cwiseMax(H.cwiseAbs());
  }
  std::map<std::string, Eigen::RowVectorXd> of_vector;
  const auto vector_of = [&](Eigen::Index i) {
    const std::string& name = exact.output_names[at(i)];
    return name.substr(0, name.rfind('.'));
  };
  for (Eigen::Index i = 0; i < outputs; ++i) {
    Eigen::RowVectorXd& row = of_vector.emplace(vector_of(i), largest.row(i)).first->second;
    row = row.cwiseMax(largest.row(i)).eval();
  }
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const Eigen::RowVectorXd row = of_vector.at(vector_of(i));
    // An output that an input does not move at all is compared with what the others do to it.
    largest.row(i) = (row.array() > 0).select(row, row.maxCoeff());
  }
  return largest;
}

}  // namespace

std::vector<MatrixXcd> response_of(const Plant& plant, const Eigen::VectorXd& omega) {
  std::vector<MatrixXcd> response(at(omega.size()));
  in_parallel(static_cast<Index>(omega.size()), [&](Index k) {
    // In discrete time z = e^{iωT} takes the place of s.
    const Complex s = plant.sampling ? std::polar(1.0, omega[k] * plant.sampling->time) : Complex(0, omega[k]);
    response[at(k)] =
        plant.form == PlantForm::second_order ? second_order(plant.second, s) : first_order(plant.first, s);
  });
  return response;
}

std::vector<MatrixXcd> input_response_of(const Plant& plant, const Eigen::VectorXd& omega) {
  Index inputs = 0;
  for (const Plant::Channel& channel : plant.channels) inputs = std::max(inputs, channel.input + 1);
  std::vector<MatrixXcd> response = response_of(plant, omega);
  for (std::size_t k = 0; k < response.size(); ++k) {
    const Complex s(0, omega[static_cast<Eigen::Index>(k)]);
    MatrixXcd together = MatrixXcd::Zero(response[k].rows(), inputs);
    for (std::size_t c = 0; c < plant.channels.size(); ++c) {
      const auto [input, order] = plant.channels[c];
      together.col(input) += std::pow(s, order) * response[k].col(static_cast<Eigen::Index>(c));
    }
    response[k] = std::move(together);
  }
  return response;
}

// Outputs have different units, so each error is relative to the largest value of its own output. The components of one
// vector have the same unit, and one of them may be zero up to rounding; they share the largest value.
ResponseError response_error(const FrequencyResponse& exact, const Plant& plant) {
  const std::vector<MatrixXcd> own = input_response_of(plant, exact.omega);
  ResponseError error;
  if (own.empty() || own[0].size() == 0) return error;
  const Eigen::MatrixXd largest = largest_magnitudes(exact, own[0].rows(), own[0].cols());
  for (std::size_t k = 0; k < own.size(); ++k) {
    const MatrixXcd& H = exact.response[k];
    if (H.hasNaN()) continue;
    const Eigen::MatrixXd difference = (own[k] - H).cwiseAbs();
    const double relative =
        (largest.array() > 0).select(difference.array() / largest.array(), difference.array()).maxCoeff();
    if (!(relative <= error.relative)) error = {relative, exact.omega[static_cast<Eigen::Index>(k)]};
  }
  return error;
}

}  // namespace stillpoint
