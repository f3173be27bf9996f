// What plants of all forms have in common.
#pragma once

#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Names of coordinates, inputs and outputs, the method, and who made it.
Plant named_plant(const LinearSystem& system, PlantForm form, const char* method);

/// "phi'", "phi''".
std::string rate_name(const std::string& name, int order);

/// What is multiplied with u, u̇, ü, ... in each of the matrices of a plant: [matrix][order], rows × inputs.
using ByOrder = std::vector<std::vector<Eigen::MatrixXd>>;

/// All inputs, and those of their rates with an entry in some matrix; named in `plant`.
void choose_channels(const LinearSystem& system, const ByOrder& matrices, Plant& plant);

/// The columns of the channels, side by side.
SparseMatrix by_channels(const Plant& plant, const std::vector<Eigen::MatrixXd>& orders);

/// A · B, where entries are exactly zero that are no more than rounding of what they are summed from: whether a rate
/// of an input is needed must not depend on rounding.
SparseMatrix clean_product(const SparseMatrix& A, const SparseMatrix& B);

/// u, y, q and λ of the operating point; x stays empty.
void set_operating_point(const LinearSystem& system, Plant& plant);

/// Values at rest of coordinates z that are coordinates of the system; 0 for others, and where nothing is known.
Eigen::VectorXd values_of(const LinearSystem& system, const std::vector<Index>& independent, Eigen::Index count);

/// The modes of the system, by MCS: all if it is small, the lowest of a large one; none of a large singular one.
/// `form`: its minimal form, where that is at hand.
Spectrum modes_of(const LinearSystem& system, const PlantOptions& options, const MinimalForm* form = nullptr);

/// The poles of the system, as the options want them, and a note where some are not listed.
void find_poles(const LinearSystem& system, const PlantOptions& options, Plant& plant,
                const MinimalForm* form = nullptr);

/// Those modes that are poles.
std::vector<Plant::Pole> poles_of(const Spectrum& spectrum);

/// Of frequencies up to twice as high the one that is farthest from all poles.
double kept_away(double omega, const std::vector<Plant::Pole>& poles);

/// H at frequencies that keep away from the poles.
void find_check(Plant& plant);

/// As range_of_modes().
ResponseRange range_of_poles(const std::vector<Plant::Pole>& poles);

/// The state space without a word about rounding.
Plant whole_state_space(const LinearSystem& system, const PlantOptions& options);

}  // namespace stillpoint
