// The answers of the verb `response` other than a Bode plot: in time, of loops, and of all directions at once.
#pragma once

#include <optional>

#include "cli/verbs.h"
#include "stillpoint/linear_system.h"

namespace stillpoint::cli {

struct ResponseKinds {
  bool step = false, impulse = false, nyquist = false, nichols = false, singular_values = false;
  bool figures = false;         ///< the table of figures in place of the curves
  std::optional<double> until;  ///< s
  Index order = 0;              ///< states of a reduced plant for an answer in time; 0: none
};

/// Adds --step, --impulse, --nyquist, --nichols, --singular-values, --figures, --until and --order.
void add_response_kinds(CLI::App& verb, ResponseKinds& kinds);

/// What the verb was asked besides.
struct AnswerRequest {
  double from = 0, to = 0;  ///< rad/s; 0: not given
  Index points = 0;         ///< 0: not given
  Eigen::VectorXd omega;    ///< rad/s, for singular values
  bool hertz = true, minimum_norm = false;
};

/// A text in the format that was asked for, and the table of its figures.
struct ResponseTexts {
  std::string content, figures;
  std::vector<std::string> warnings;
};

/// Whether something else than a Bode plot or its table is asked for.
bool is_other_kind(const ResponseKinds& kinds);

/// Computes an answer of another kind. `format` is "csv", "json", "svg" or "table".
ResponseTexts other_response(const LinearSystem& system, const ResponseKinds& kinds, const AnswerRequest& request,
                             const std::string& format);

}  // namespace stillpoint::cli
