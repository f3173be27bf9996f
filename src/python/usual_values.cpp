// What is asked for where the user does not say it. Signatures in Python take their defaults from here, as the options
// of the command line take theirs from the same structures.
#include <pybind11/stl.h>

#include "base/usual_requests.h"
#include "python/handles.h"
#include "stillpoint/continuation.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/report_page.h"
#include "stillpoint/scene.h"
#include "stillpoint/sensitivity.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/sweep.h"
#include "stillpoint/verify_modes.h"
#include "stillpoint/zeros.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

void bind_usual_values(py::module_& module) {
  const SearchOptions search;
  const ContinuationOptions path;
  module.attr("usual") = py::dict(
      "precision"_a = search.precision, "starts"_a = search.starts, "seed"_a = search.seed,
      "verified_modes"_a = usual::verified_modes, "verified_amplitude"_a = VerifyOptions().amplitude,
      "sensitive_modes"_a = usual::sensitive_modes, "listed_parameters"_a = SensitivityPrint().most_rows,
      "swept_modes"_a = SweepOptions().count, "points_of_interval"_a = usual::points_of_interval,
      "points_of_path"_a = path.most_points, "step_of_path"_a = path.largest_step, "drawn_modes"_a = usual::drawn_modes,
      "drawn_amplitude"_a = ModeMotionOptions().amplitude, "page_modes"_a = PageOptions().modes,
      "zeros"_a = ZeroOptions().count, "gigabytes"_a = SparsityOptions().memory / 1e9, "rest"_a = usual::rest,
      "method"_a = usual::method, "motion_start"_a = usual::motion_start, "motion_method"_a = usual::motion_method,
      "stabilization"_a = usual::stabilization, "dynamic_form"_a = usual::dynamic_form,
      "pseudoinverse"_a = usual::pseudoinverse);
}

}  // namespace stillpoint::python
