// Some modes of a large system of any kind: those of the bordered problem at a shift, none missed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/energy_count.h"
#include "modes/finish.h"
#include "modes/quadratic_search.h"
#include "modes/rayleigh.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

struct Vectors {
  BorderedVector right, left;
};

/// Left vectors, and right ones made better, by solving with the matrix beside an eigenvalue. Of a symmetric system
/// the left vector is the conjugate of the right one.
class VectorsOf {
 public:
  VectorsOf(const BorderedProblem& problem, const QuadraticPencil& pencil) : problem_(problem), pencil_(pencil) {
    if (!pencil.is_symmetric()) lu_.emplace(pencil.pattern());
  }

  /// `x`: coordinates and multipliers, scaled.
  Vectors at(Complex s, const Eigen::VectorXcd& x) {
    if (!lu_ || !factor_beside(s)) return {problem_.unscaled(x), problem_.unscaled(x.conjugate())};
    const double gamma = problem_.frequency_scale();
    const auto coordinates = [&](const Eigen::VectorXcd& both) { return problem_.unscaled(both).coordinates; };
    // What x has of the eigenvectors decides which left ones come: those that belong to it, of multiple values, too.
    Eigen::VectorXcd start = x;
    start.tail(problem_.multiplier_scale().size()).setZero();
    const Eigen::VectorXcd right = lu_->solve(problem_.scaled_slope(gamma * s, coordinates(x)));
    Eigen::VectorXcd left = lu_->solve_adjoint(start);
    left = lu_->solve_adjoint(problem_.scaled_left_slope(gamma * s, coordinates(left / left.norm())));
    return {problem_.unscaled(right / right.norm()), problem_.unscaled(left / left.norm())};
  }

 private:
  bool factor_beside(Complex s) {
    constexpr double nearest = 1e-10, farthest = 1e-4;
    for (double off = nearest; off < farthest; off *= 100) {
      if (lu_->factor(pencil_.matrix(s + off * std::max(std::abs(s), farthest)))) return true;
    }
    return false;
  }

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  std::optional<ComplexLu> lu_;
};

// Within its error bar of zero it is zero: a motion that nothing brings back.
Mode mode_of(Complex s, const Vectors& vectors, const BorderedProblem& problem) {
  const RayleighValue value = rayleigh_value(problem.sandwich(vectors.right, vectors.left), s);
  Mode mode;
  mode.error = value.rounding + value.change;
  mode.s = std::abs(value.s) <= mode.error ? 0 : value.s;
  if (s.imag() == 0) mode.s = mode.s.real();
  mode.shape = vectors.right.coordinates;
  mode.left = vectors.left.coordinates;
  mode.residual = problem.residual(mode.s, mode.shape, problem.forces(vectors.right.multipliers));
  mode.backward_error = mode.residual;
  mode.condition = problem.condition(mode.s, mode.shape, mode.left);
  mode.violation = problem.violation(mode.shape);
  normalise(mode, problem);
  return mode;
}

Mode conjugate(Mode mode) {
  mode.s = std::conj(mode.s);
  mode.shape = mode.shape.conjugate().eval();
  mode.left = mode.left.conjugate().eval();
  return mode;
}

}  // namespace

Spectrum solve_general(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  if (options.band) throw Error("a band of frequencies can be asked for of conservative systems only");
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double gamma = problem.frequency_scale();
  const Index most = 2 * system.freedom();
  const QuadraticPairs found = find_lowest(problem, pencil, options.all ? most : options.count, options.certify);

  Spectrum spectrum{.method = "rcs",
                    .solver = options.certify ? "sparse Krylov, counted" : "uncounted sparse Krylov",
                    .size = pencil.size()};
  spectrum.region = fmt::format("with |s| < {:.6g} rad/s", gamma * found.radius);
  VectorsOf vectors(problem, pencil);
  for (Eigen::Index k = 0; k < found.s.size(); ++k) {
    spectrum.modes.push_back(mode_of(gamma * found.s[k], vectors.at(found.s[k], found.x.col(k)), problem));
    if (found.s[k].imag() != 0) spectrum.modes.push_back(conjugate(spectrum.modes.back()));
  }
  spectrum.counted = count_by_energy(problem, pencil, found.radius, spectrum.modes);
  spectrum.expected = static_cast<Index>(spectrum.modes.size()) + found.missing;
  if (options.certify) spectrum.certificate_seconds = found.counting_seconds;
  doubt(spectrum, options.certify ? found.doubt : "that no mode is missing was not proved, as asked");
  finish(spectrum, system, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
