// Steps that plants of all forms share.
#pragma once

#include "response/poles.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

/// Returns a plant with the names of coordinates and outputs, the method, and the version of this library.
Plant named_plant(const LinearSystem& system, PlantForm form, const char* method);

/// Returns the name of a time derivative: "phi'", "phi''".
std::string rate_name(const std::string& name, int order);

/// The factors of u, u̇, ü, ... in each of the matrices of a plant: [matrix][order], rows × inputs.
using ByOrder = std::vector<std::vector<Eigen::MatrixXd>>;

/// Sets and names the channels of `plant`: all inputs, and those of their derivatives with an entry in some matrix.
void choose_channels(const LinearSystem& system, const ByOrder& matrices, Plant& plant);

/// Joins the columns of the channels of the plant.
SparseMatrix by_channels(const Plant& plant, const std::vector<Eigen::MatrixXd>& orders);

/// Returns A · B with entries that are no more than rounding of their terms set to zero: whether the derivative of an
/// input is a channel must not depend on rounding.
SparseMatrix clean_product(const SparseMatrix& A, const SparseMatrix& B);

/// Sets u, y, q and λ of the operating point; x stays empty.
void set_operating_point(const LinearSystem& system, Plant& plant);

/// Returns the values of the coordinates z at the operating point; 0 for a z that is no coordinate of the system, and
/// if the operating point is unknown.
Eigen::VectorXd values_of(const LinearSystem& system, const std::vector<Index>& independent, Eigen::Index count);

/// Finds the poles of the system as the options request, and adds a note if some are not listed.
void find_poles(const LinearSystem& system, const PlantOptions& options, Plant& plant);

/// Returns the frequency between omega and 2 omega that is farthest from all poles.
double kept_away(double omega, const std::vector<Plant::Pole>& poles);

/// Computes H at frequencies away from the poles, with which a reader can verify the plant.
void find_check(Plant& plant);

/// Makes the state space without a note about rounding.
Plant whole_state_space(const LinearSystem& system, const PlantOptions& options);

}  // namespace stillpoint
