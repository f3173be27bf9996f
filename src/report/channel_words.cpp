#include "report/channel_words.h"

namespace stillpoint {

std::vector<std::string> names_of_channels(Index count, const NameOf& name) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(name(i));
  return names;
}

std::string leading_coordinate(const Eigen::VectorXcd& shape, const LinearSystem& system) {
  if (shape.size() == 0) return "";
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  return system.coordinate_name(static_cast<Index>(largest));
}

}  // namespace stillpoint
