// Random inputs by name, and how they belong together.
#include <fmt/format.h>

#include <utility>

#include "stillpoint/error.h"
#include "stillpoint/random_response.h"

namespace stillpoint {

namespace {

Eigen::Index place_of(const std::string& name, const std::vector<RandomInput>& inputs) {
  std::vector<std::string> names;
  for (const RandomInput& one : inputs) {
    if (one.input == name) return static_cast<Eigen::Index>(names.size());
    names.push_back(one.input);
  }
  throw Error(
      fmt::format("option 'coherence': no spectral density is given for '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace

RandomInput random_input(const std::string& name, SpectralDensity density) {
  const std::size_t letters = name.find_last_not_of('\'') + 1;
  return {name.substr(0, letters), static_cast<int>(name.size() - letters), std::move(density)};
}

std::function<Eigen::MatrixXcd(double)> coherence_between(const std::vector<RandomInput>& inputs,
                                                          const std::vector<Coherence>& pairs) {
  if (pairs.empty()) return {};
  const auto count = static_cast<Eigen::Index>(inputs.size());
  Eigen::MatrixXcd gamma = Eigen::MatrixXcd::Identity(count, count);
  for (const auto& [first, second, value] : pairs) {
    const Eigen::Index i = place_of(first, inputs), j = place_of(second, inputs);
    if (i == j) throw Error(fmt::format("option 'coherence': two inputs are meant, not '{}' twice", first));
    gamma(i, j) = gamma(j, i) = value;
  }
  return [gamma](double) { return gamma; };
}

}  // namespace stillpoint
