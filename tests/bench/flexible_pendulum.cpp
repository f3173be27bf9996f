// The flexible double pendulum of [González 2017]: time to linearize and to find all eigenvalues by each method, or the
// first four modes only, beside Table 4 of [González 2017]; and differences between the methods, beside Table 5.
//
//   ./dev bench flexible_pendulum [LARGEST-n_p]
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <cstdlib>

#include "algebra/dense/lapack.h"
#include "base/whole_program.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "timing.h"

using namespace stillpoint;

namespace {

// MATLAB on an Intel i7-4790K at 4.0 GHz, in s; and the largest differences of the first four eigenvalues, RCS and UCS.
struct Printed {
  int n_p;
  double mcs, rcs, ucs;
};
constexpr Printed table[] = {{10, 0.015, 0.020, 0.019},
                             {25, 0.185, 0.176, 0.170},
                             {50, 1.338, 1.229, 1.219},
                             {75, 6.411, 5.800, 5.388},
                             {100, 17.940, 16.072, 14.228}};

struct Differences {
  double real = 0, imaginary = 0;
};

std::vector<std::complex<double>> first_four(const Spectrum& spectrum, bool corrected = false) {
  std::vector<std::complex<double>> all;
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine && mode.s.imag() > 0 && all.size() < 4) {
      all.push_back(corrected ? mode.corrected : mode.s);
    }
  }
  return all;
}

Differences between(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
  Differences most;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    most.real = std::max(most.real, std::abs(a[k].real() - b[k].real()));
    most.imaginary = std::max(most.imaginary, std::abs(a[k].imag() - b[k].imag()));
  }
  return most;
}

void measure(const Printed& printed) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/flexible_double_pendulum", {{"n_p", printed.n_p}});
  const Equilibrium rest = find_equilibrium(model);
  const PenaltyOptions penalty{.alpha = Eigen::VectorXd::Constant(1, 1e7), .omega = 10};
  const PenaltyEquilibrium own =
      find_penalty_equilibrium(model, rest, Eigen::VectorXd::Constant(model.constraints(), 1e7), *penalty.omega);
  const LinearSystem at_rest = linearize(model, rest);
  const TrueCount count = count_true(at_rest, minimal_form(at_rest));
  const auto often = static_cast<std::size_t>(printed.n_p <= 25 ? 5 : 1);
  Spectrum mcs, rcs, ucs, ucs_own;
  const double time_mcs = milliseconds(
      [&] {
        const LinearSystem system = linearize(model, rest);
        mcs = solve_modes(system, minimal_form(system));
      },
      often, 0);
  const double time_ucs = milliseconds(
      [&] {
        const LinearSystem system = linearize(model, rest);
        ucs = solve_modes(system, penalty_form(system, penalty), count);
      },
      often, 0);
  const double time_rcs = milliseconds(
      [&] {
        const LinearSystem system = linearize(model, rest);
        rcs = solve_modes(system, descriptor_form(system), count);
      },
      often, 0);
  const double time_first = milliseconds([&] { solve_conservative(linearize(model, rest), {.which = Lowest{4}}); });
  const DescriptorForm descriptor = descriptor_form(at_rest);
  const double bare = milliseconds([&] { solve_pencil(descriptor.A.toDense(), descriptor.E.toDense()); }, often, 0);
  ucs_own = solve_modes(at_rest, penalty_form(linearize(model, rest, own), penalty), count);

  const auto exact = first_four(mcs);
  const Differences of_rcs = between(exact, first_four(rcs)), of_ucs = between(exact, first_four(ucs_own)),
                    at_constrained = between(exact, first_four(ucs)), corrected = between(exact, first_four(ucs, true));
  fmt::print("{:4}{:5}{:9.4f}{:7.0f}{:9.3f}{:7.1f}{:9.3f}{:7.1f}{:7.2f}{:9.3f}{:7.1f}", printed.n_p,
             at_rest.coordinates(), 1e-3 * time_first, 1e3 * printed.mcs / time_first, 1e-3 * time_mcs,
             1e3 * printed.mcs / time_mcs, 1e-3 * time_rcs, 1e3 * printed.rcs / time_rcs, time_rcs / bare,
             1e-3 * time_ucs, 1e3 * printed.ucs / time_ucs);
  for (const Differences& d : {of_rcs, of_ucs, at_constrained, corrected}) {
    fmt::print("   {:.1e} {:.1e}", d.real, d.imaginary);
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  set_up_whole_program();
  const int largest = argc > 1 ? std::atoi(argv[1]) : 100;
  fmt::print(
      "times in s with linearize, and how much faster than printed (first four: than MCS); bare: RCS against LAPACK's\n"
      "QZ with the same vectors\n"
      "differences from MCS of the first four, real and imaginary: RCS, UCS at its own rest position, UCS at the\n"
      "constrained one, the same corrected\n\n");
  fmt::print("{:>4}{:>5}{:>9}{:>7}{:>9}{:>7}{:>9}{:>7}{:>7}{:>9}{:>7}   {:15}   {:15}   {:15}   {:15}\n", "n_p", "n",
             "first 4", "paper", "MCS", "paper", "RCS", "paper", "bare", "UCS", "paper", "RCS", "UCS", "constrained",
             "corrected");
  for (const Printed& each : table) {
    if (each.n_p <= largest) measure(each);
  }
}
