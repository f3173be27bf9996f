// Time to linearize at rest and to find all eigenvalues by each method, against the printed times of [González 2017]
// (Table
// 1) and against LAPACK's bare solution of a problem of the same size.
//
//   ./dev bench dense_modes
#include <fmt/format.h>

#include <Eigen/Core>

#include "algebra/dense/lapack.h"
#include "base/whole_program.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "timing.h"

using namespace stillpoint;

namespace {

// MATLAB on an Intel i7-4790K at 4.0 GHz, in ms.
struct Printed {
  int N;
  double mcs, rcs, ucs;
};
constexpr Printed table[] = {{1, 0.115, 0.108, 0.185},
                             {5, 0.188, 0.356, 0.548},
                             {10, 0.313, 0.954, 1.684},
                             {15, 0.556, 1.872, 3.612},
                             {20, 0.752, 4.517, 6.152}};

// The pencil of q and v of a quadratic problem, as large as what UCS solves.
struct Pencil {
  Eigen::MatrixXd A, E;
};
Pencil linearized(const PenaltyForm& form) {
  const Eigen::Index n = form.M.rows();
  Pencil pencil{Eigen::MatrixXd::Zero(2 * n, 2 * n), Eigen::MatrixXd::Identity(2 * n, 2 * n)};
  pencil.A.topRightCorner(n, n).setIdentity();
  pencil.A.bottomLeftCorner(n, n) = -form.K.toDense();
  pencil.A.bottomRightCorner(n, n) = -form.C.toDense();
  pencil.E.bottomRightCorner(n, n) = form.M.toDense();
  return pencil;
}

void measure(const Printed& printed) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", printed.N}});
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem at_rest = linearize(model, rest);
  const TrueCount count = count_true(at_rest, minimal_form(at_rest));
  const PenaltyOptions penalty{.alpha = Eigen::VectorXd::Constant(1, 1e6)};

  const double linearizing = milliseconds([&] { linearize(model, rest); });
  const double mcs = milliseconds([&] {
    const LinearSystem system = linearize(model, rest);
    solve_modes(system, minimal_form(system));
  });
  const double rcs = milliseconds([&] { solve_modes(at_rest, descriptor_form(at_rest), count); });
  const double ucs = milliseconds([&] { solve_modes(at_rest, penalty_form(at_rest, penalty), count); });
  const DescriptorForm descriptor = descriptor_form(at_rest);
  const double bare_rcs = milliseconds([&] { solve_pencil(descriptor.A.toDense(), descriptor.E.toDense()); });
  const Pencil pencil = linearized(penalty_form(at_rest, penalty));
  const double bare_ucs = milliseconds([&] { solve_pencil(pencil.A, pencil.E); });

  fmt::print("{:4}{:7}{:12.3f}{:10.3f}{:8.1f}{:12.3f}{:8.2f}{:8.1f}{:12.3f}{:8.2f}{:8.1f}\n", printed.N,
             at_rest.coordinates(), linearizing, mcs, printed.mcs / mcs, rcs, rcs / bare_rcs,
             printed.rcs / (linearizing + rcs), ucs, ucs / bare_ucs, printed.ucs / (linearizing + ucs));
}

}  // namespace

int main() {
  set_up_whole_program();
  fmt::print(
      "times in ms; MCS with linearize, RCS and UCS after it; bare: against LAPACK's QZ of the same order with\n"
      "both vectors; paper: how much faster than printed, with linearize\n\n");
  fmt::print("{:>4}{:>7}{:>12}{:>10}{:>8}{:>12}{:>8}{:>8}{:>12}{:>8}{:>8}\n", "N", "n", "linearize", "MCS", "paper",
             "RCS", "bare", "paper", "UCS", "bare", "paper");
  for (const Printed& each : table) measure(each);
}
