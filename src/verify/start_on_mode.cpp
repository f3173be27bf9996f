#include <algorithm>
#include <cmath>

#include "model/displacement.h"
#include "stillpoint/motion.h"
#include "stillpoint/verify_modes.h"

namespace stillpoint {

double extent_of_shape(const Model& model, const Eigen::VectorXcd& shape, const State& rest) {
  const double size = size_of_configuration(model, rest.q);
  double largest = 0;
  for (const Block& block : model.blocks()) {
    for (Index k = 0; k < coordinates_of(block.kind); ++k)
      largest = std::max(largest, std::abs(shape[block.first + k]) / (k < lengths_of(block.kind) ? size : 1));
  }
  return largest;
}

State start_on_mode(const Model& model, const State& rest, const Mode& mode, double amplitude,
                    const ConsistentOptions& how) {
  const double extent = mode.shape.size() > 0 ? extent_of_shape(model, mode.shape, rest) : 0;
  if (!(extent > 0)) throw Error("the mode has no shape on which a motion could start");
  const Eigen::VectorXcd x = amplitude / extent * mode.shape;
  State start = model.displaced(rest, x.real());
  start.v = (mode.s * x).real();
  start.a.resize(0);
  start.lambda.resize(0);
  return consistent_state(model, start, how);
}

}  // namespace stillpoint
