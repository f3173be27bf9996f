#include "studies/spectrum_at.h"

#include <limits>
#include <utility>

#include "base/at.h"
#include "modes/methods/known_of_system.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/mode_rates.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

FollowedSpectrum followed_of(double parameter, const LinearSystem& system, const std::vector<Mode>& modes,
                             const std::vector<ModeRate>& rates) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const auto count = static_cast<Eigen::Index>(modes.size());
  FollowedSpectrum result{parameter,
                          Eigen::VectorXcd(count),
                          Eigen::VectorXcd(count),
                          Eigen::MatrixXcd(system.coordinates(), count),
                          Eigen::MatrixXcd(system.coordinates(), count),
                          system.M,
                          system.C,
                          Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const Mode& mode = modes[at(i)];
    const ModeRate& rate = rates[at(i)];
    const Complex slope = mode.left.dot(2.0 * mode.s * (system.M * mode.shape) + system.C * mode.shape);
    result.s[i] = mode.s;
    result.errors[i] = mode.error;
    const bool is_known = rate.kind != ModeRate::Kind::defective && mode.s != 0.0;
    result.rates[i] = is_known ? rate.s : Complex(unbounded, unbounded);
    result.x.col(i) = mode.shape;
    result.y.col(i) = mode.left / std::conj(slope);
  }
  return result;
}

SpectrumAt spectrum_of(EquilibriumPath& path, double parameter, const Which& which, Eigen::Index least) {
  AnalysisOptions options;
  options.modes.which = which;
  SpectrumAt result;
  auto [point, matrices] = path.reached(parameter);
  result.point = point;
  const LinearSystem system = matrices ? linearize(point->model, point->rest, *std::exchange(matrices, {}))
                                       : linearize(point->model, point->rest);
  const BorderedProblem problem(system);
  KnownOfSystem known{problem, path.partition(), path.take_motions()};
  ModeFinder finder(system, options, known);
  const FoundModes found = finder.find(Method::mcs, true);
  result.verdict = judge(finder, found);
  result.certified = found.spectrum.certified;
  result.structural_zeros = found.spectrum.at_zero;
  std::vector<Mode> modes;
  for (const Mode& mode : found.spectrum.modes) {
    if (!mode.is_infinite() && mode.s != 0.0) modes.push_back(mode);  // of minimal coordinates none is spurious
  }
  for (const Mode& mode : found.spectrum.modes) {
    if (mode.s == 0.0 && static_cast<Eigen::Index>(modes.size()) < least) modes.push_back(mode);
  }
  path.keep_partition(known.partition);
  path.keep_motions(std::move(known.motions));
  const std::vector<ModeRate> rates = ModeDifferentiator(system, modes, problem).rates(result.point->rates);
  result.followed = followed_of(result.point->parameter, system, modes, rates);
  return result;
}

}  // namespace

SpectrumAt spectrum_at(EquilibriumPath& path, double parameter, Eigen::Index least) {
  return spectrum_of(path, parameter, All{.is_required = true}, least);
}

SpectrumAt lowest_at(EquilibriumPath& path, double parameter, Index count) {
  return spectrum_of(path, parameter, Lowest{count}, 0);
}

}  // namespace stillpoint
