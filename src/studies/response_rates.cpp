#include "stillpoint/response_rates.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "algebra/lu/refined_solution.h"
#include "algebra/sparse/chosen_rows.h"
#include "forms/motion_outputs.h"
#include "forms/prescribed_motion.h"
#include "response/bordered_system.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"
#include "studies/channel_rates.h"
#include "studies/rates_in_words.h"

namespace stillpoint {

/// Coordinates and multipliers of independent constraints.
struct MotionAndForces {
  Eigen::VectorXcd q, lambda;

  MotionAndForces magnitudes() const {
    return {q.cwiseAbs().cast<std::complex<double>>(), lambda.cwiseAbs().cast<std::complex<double>>()};
  }
  // Without conjugation.
  std::complex<double> times(const MotionAndForces& other) const {
    return q.cwiseProduct(other.q).sum() + lambda.cwiseProduct(other.lambda).sum();
  }
};

namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

constexpr double rounding_of_products = 8 * std::numeric_limits<double>::epsilon();

/// The bordered matrix Z, or its derivative.
struct DynamicStiffness {
  Complex s;
  SparseMatrix M, C, K, J;

  MotionAndForces times(const MotionAndForces& x) const {
    const ComplexVector motion = (M * (x.q * s) + C * x.q) * s + K * x.q;
    return {motion + J.transpose() * x.lambda, J * x.q};
  }
  DynamicStiffness magnitudes() const { return {std::abs(s), M.cwiseAbs(), C.cwiseAbs(), K.cwiseAbs(), J.cwiseAbs()}; }
};

/// Of one input and one output: the right-hand side b, what is read h, and the feedthrough.
struct ChannelVectors {
  MotionAndForces b, h;
  Complex direct;

  ChannelVectors(const LinearSystem& channels, const std::vector<Index>& rows, Complex s) {
    const auto of_rows = [&](const SparseMatrix& A) {
      return ComplexVector(chosen_rows(A, rows).toDense().cast<Complex>());
    };
    b = {channels.F.toDense().cast<Complex>(), of_rows(channels.G)};
    const Eigen::RowVectorXcd along = channels.Hq.toDense().cast<Complex>() +
                                      s * channels.Hv.toDense().cast<Complex>() +
                                      s * s * channels.Ha.toDense().cast<Complex>();
    h = {along.transpose(), of_rows(channels.Hl.transpose())};
    direct = channels.Hu.coeff(0, 0);
  }
};

}  // namespace

double decibel_rate(Complex response, Complex rate) {
  return response == 0.0 ? std::numeric_limits<double>::quiet_NaN()
                         : 20 / std::numbers::ln10 * (rate / response).real();
}

double phase_rate(Complex response, Complex rate) {
  return response == 0.0 ? std::numeric_limits<double>::quiet_NaN() : 180 / std::numbers::pi * (rate / response).imag();
}

struct ResponseDifferentiator::Shared {
  /// One number of the response.
  struct Pair {
    ResponseRequest request;
    Complex s, value;
    MotionAndForces xi, eta;
    BorderedSystem bordered;
    ComplexSparseMatrix matrix;  // scaled
    ComplexLu lu;

    MotionAndForces solve(const MotionAndForces& b) const;
    MotionAndForces solve_transposed(const MotionAndForces& h) const;
  };

  explicit Shared(const LinearSystem& given)
      : system(given), problem(system), pencil(problem), analysed(pencil.complex_lu()), J(independent_rows(system)) {}

  void add(const ResponseRequest& request);
  ResponseRate rate(const Pair& pair, const ChannelRates& channels, const SystemRates& of_system) const;

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
  ComplexLu analysed;
  SparseMatrix J;  // independent rows
  std::vector<std::unique_ptr<Pair>> pairs;
};

MotionAndForces ResponseDifferentiator::Shared::Pair::solve(const MotionAndForces& b) const {
  const Eigen::MatrixXcd x = solve_refined(lu, matrix, bordered.right_side(b.q, b.lambda)).x;
  return {bordered.coordinates(x), bordered.multipliers(x)};
}

MotionAndForces ResponseDifferentiator::Shared::Pair::solve_transposed(const MotionAndForces& h) const {
  const ComplexVector b = bordered.right_side(h.q.conjugate(), h.lambda.conjugate());
  ComplexVector x = lu.solve_adjoint(b);
  x += lu.solve_adjoint(ComplexVector(b - matrix.adjoint() * x));
  const Eigen::MatrixXcd found = x.conjugate();
  return {bordered.coordinates(found), bordered.multipliers(found)};
}

void ResponseDifferentiator::Shared::add(const ResponseRequest& request) {
  if (!(request.omega >= 0) || !std::isfinite(request.omega))
    throw Error(fmt::format("a frequency of {} rad/s: it must be a number, and not negative", request.omega));
  LinearSystem channels = with_channels(system, {request.input}, {request.output});
  require_consistent_motion(channels);
  std::vector<std::string> notes;
  channels.Hl = determined_reactions(channels, false, notes);
  const Complex s(0, request.omega);
  const ChannelVectors at(channels, system.rows.independent, s);
  auto pair = std::make_unique<Pair>(
      Pair{request, s, 0, {}, {}, BorderedSystem(problem, pencil), {}, analysed.share_analysis()});
  pair->matrix = pair->bordered.at(request.omega);
  bool is_pole = !pair->lu.factor(pair->matrix);
  if (!is_pole) {
    pair->xi = pair->solve(at.b);
    pair->eta = pair->solve_transposed(at.h);
    pair->value = at.h.times(pair->xi) + at.direct;
    // Beside a pole rounding of the matrices decides on everything.
    constexpr double decided = 1e-2;
    const DynamicStiffness Z = DynamicStiffness{s, system.M, system.C, system.K, J}.magnitudes();
    const MotionAndForces size = pair->xi.magnitudes();
    const double rounding = rounding_of_products * pair->eta.magnitudes().times(Z.times(size)).real();
    is_pole = !(rounding <= decided * (at.h.magnitudes().times(size).real() + std::abs(at.direct)));
  }
  if (is_pole)
    throw Error(request.omega == 0
                    ? fmt::format("no DC gain from '{}' to '{}' can be given: a motion that nothing holds has its "
                                  "pole at zero",
                                  request.input, request.output)
                    : fmt::format("there is a pole at {:.6g}i, where the response from '{}' to '{}' has no value",
                                  request.omega, request.input, request.output));
  pairs.push_back(std::move(pair));
}

ResponseRate ResponseDifferentiator::Shared::rate(const Pair& pair, const ChannelRates& channels,
                                                  const SystemRates& of_system) const {
  const std::vector<Index>& rows = system.rows.independent;
  const auto stiffness = [&](SparseMatrix MatrixRate::*part) {
    return DynamicStiffness{pair.s, of_system.M.*part, of_system.C.*part, of_system.K.*part,
                            chosen_rows(of_system.J.*part, rows)};
  };
  const DynamicStiffness Z_rate = stiffness(&MatrixRate::rate), Z_error = stiffness(&MatrixRate::error).magnitudes();
  const ChannelVectors rate(channels.rate, rows, pair.s), error(channels.error, rows, pair.s);
  MotionAndForces change = Z_rate.times(pair.xi);  // b' − Z' ξ
  change = {rate.b.q - change.q, rate.b.lambda - change.lambda};
  ResponseRate result{rate.h.times(pair.xi) + rate.direct + pair.eta.times(change)};

  const MotionAndForces xi = pair.xi.magnitudes(), eta = pair.eta.magnitudes(), moved = pair.solve(change).magnitudes();
  const auto sizes_of = [&](const ChannelVectors& part, const DynamicStiffness& Z) {
    return (part.h.magnitudes().times(xi) + eta.times(part.b.magnitudes()) + eta.times(Z.times(xi))).real() +
           std::abs(part.direct);
  };
  const DynamicStiffness Z = DynamicStiffness{pair.s, system.M, system.C, system.K, J}.magnitudes();
  // Rounding of Z moves ξ, η and with them the rate, each by as much.
  result.error = sizes_of(error, Z_error) +
                 rounding_of_products * (sizes_of(rate, Z_rate.magnitudes()) + 2 * eta.times(Z.times(moved)).real());
  return result;
}

ResponseDifferentiator::ResponseDifferentiator(const LinearSystem& system, const std::vector<ResponseRequest>& requests)
    : shared_(std::make_unique<Shared>(system)) {
  for (const ResponseRequest& request : requests) shared_->add(request);
}

ResponseDifferentiator::~ResponseDifferentiator() = default;

std::vector<Complex> ResponseDifferentiator::values() const {
  std::vector<Complex> values;
  for (const auto& pair : shared_->pairs) values.push_back(pair->value);
  return values;
}

std::vector<ResponseRate> ResponseDifferentiator::rates(const Variation& variation, const Equilibrium& rest,
                                                        const SystemRates& of_system) const {
  const DifferentiatedChannels channels(shared_->system, variation, rest, of_system);
  std::vector<ResponseRate> result;
  for (const auto& pair : shared_->pairs)
    result.push_back(shared_->rate(*pair, channels.between(pair->request.input, pair->request.output), of_system));
  return result;
}

ResponseSensitivity find_response_sensitivity(const LinearSystem& system, const Equilibrium& rest,
                                              const std::vector<ResponseRequest>& requests,
                                              const std::vector<Variation>& parameters,
                                              const std::function<void(const std::string&)>& progress) {
  const ResponseDifferentiator differentiator(system, requests);
  ResponseSensitivity result{requests, differentiator.values(), {}};
  for (const Variation& parameter : parameters) {
    if (progress) progress(rates_in_words(result.parameters.size(), parameters));
    ResponseSensitivity::OfParameter& one = result.parameters.emplace_back();
    one.parameter = parameter;
    try {
      one.rates = differentiator.rates(parameter, rest, system_rates(parameter, rest));
    } catch (const Error& refused) {  // the report says so in the place of the rates
      one.refused = refused.what();
    }
  }
  return result;
}

}  // namespace stillpoint
