// A motion as NPZ of NumPy: an array over the times for each column, with the keys of the JSON.
#include "formats/npz.h"
#include "motion/end_of_motion.h"

namespace stillpoint {

std::string to_npz(const Model& model, const Motion& motion, const MotionSupplement& supplement) {
  std::vector<NpzMember> members;
  const auto add = [&](const std::string& name, const std::vector<double>& x) {
    members.push_back({name, npy_reals({std::ssize(x)}, x.data(), std::ssize(x))});
  };
  members.push_back({"schema", npy_texts({motion_schema}, {})});
  members.push_back({"model", npy_texts({model.name()}, {})});
  members.push_back({"status", npy_texts({status_of(motion)}, {})});
  add("times", motion.times);
  for (Index i = 0; i < model.outputs(); ++i) add("outputs." + model.output_name(i), output_over_time(motion, i));
  for (Index i = 0; i < model.coordinates() && !motion.states.empty(); ++i)
    add("coordinates." + model.coordinate_name(i), coordinate_over_time(model, motion, i));
  for (Index i = 0; i < supplement.linear.rows(); ++i) {
    const Eigen::VectorXd row = supplement.linear.row(i).transpose();
    add("linear." + model.output_name(i), {row.begin(), row.end()});
  }
  add("energy.kinetic", motion.kinetic);
  add("energy.potential", motion.potential);
  add("energy.work", motion.work);
  return npz(members);
}

}  // namespace stillpoint
