#include "motion/identified_signals.h"

namespace stillpoint {

std::vector<std::pair<std::string, Identified>> identified_in(const Model& model, const Motion& motion) {
  std::vector<std::pair<std::string, Identified>> all;
  for (Index i = 0; i < model.outputs(); ++i)
    all.emplace_back(model.output_name(i), identify(motion.times, motion.outputs.row(i)));
  for (Index i = 0; i < model.coordinates() && model.outputs() == 0; ++i) {
    const std::vector<double> values = coordinate_over_time(model, motion, i);
    all.emplace_back(model.coordinate_name(i),
                     identify(motion.times, Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values))));
  }
  return all;
}

}  // namespace stillpoint
