// Effective modal masses: how much of the mass each mode takes along when the base moves.
//
// The ground of a model, with all that is fixed to it, moves as a rigid body with the acceleration a in one of six
// directions: along x, y, z, or about these axes through a point. Coordinates q describe the motion relative to the
// ground, so that the undamped mechanism moves by
//
//   M q̈ + K q + Jᵀλ = −p a,   J q = 0,     p = M r + M_g r_g                                                  (16.1)
//
// p are the generalised momenta of the whole mechanism in that motion at unit speed: r are the rates of its
// coordinates, and M_g couples it to the ground, which moves at r_g (masses of rods and beams that end there). For a
// mode v,
//
//   L = vᵀ p     momentum of the mode in this direction       m = vᵀ M v     modal mass
//   Γ = L / m    participation factor                         L² / m         effective modal mass               (16.2)
//
// in kg for the directions of x, y and z, and in kg m² for rotations. Γ depends on the scale of v, whose largest entry
// is 1; the effective mass does not. Summed over all modes, the effective masses are the part of the total mass, or
// moment of inertia, which the constraints let move; the rest is held by the ground and moves with it in any case:
//
//   total  =  moving, Σ L² / m = pᵀ x,  +  held,      [M Jᵀ; J 0] [x; μ] = [p; 0]                             (16.3)
//
// `moving` is computed from (16.3), without any mode, so that the sum over modes proves that none is missing, or tells
// what those carry that were not computed.
#pragma once

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "stillpoint/find_modes.h"
#include "stillpoint/model.h"

namespace stillpoint {

/// The momenta of a mechanism in rigid-body motions of its base, and what the motions are called.
struct BaseMotions {
  std::vector<std::string> names;  ///< "x", "y", "z", "rx", "ry", "rz"; in the plane "x", "y", "rz"
  std::vector<std::string> units;  ///< of the effective mass: "kg" or "kg m²"
  Eigen::MatrixXd momenta;         ///< p for each direction, n × directions
  Eigen::VectorXd total;           ///< mass or moment of inertia for each direction
  Vec3<double> about{};            ///< the point through which the axes of rotation pass (m)
};

/// The motions of the ground of a model, in the axes of the ground. Scalar coordinates and those of nodes in floating
/// frames are relative to what they describe, and stay as they are.
BaseMotions base_motions(const Model& model, const State& state, const Vec3<double>& about = {});

/// The centre of mass of a model at a state. Throws Error if nothing has a mass.
Vec3<double> centre_of_mass(const Model& model, const State& state);

struct EffectiveMasses {
  BaseMotions base;
  struct OfMode {
    std::complex<double> s;         ///< eigenvalue of the undamped mode, Im s ≥ 0 (1/s)
    double modal_mass = 0;          ///< m, for a shape whose largest entry is 1
    Eigen::VectorXd participation;  ///< Γ for each direction
    Eigen::VectorXd mass;           ///< L² / m for each direction
  };
  std::vector<OfMode> modes;  ///< in the order of |s|
  bool all_modes = true;      ///< these are all modes of the mechanism
  Eigen::VectorXd moving;     ///< the part of the total that the constraints let move, for each direction
  Eigen::VectorXd sum;        ///< of the effective masses of `modes`
  bool certified = true;      ///< the modes are certified, and all of them add up to `moving`
  std::vector<std::string> warnings;

  const Eigen::VectorXd& total() const { return base.total; }
  Eigen::VectorXd held() const { return base.total - moving; }
};

/// Finds the undamped modes, or those asked for, and their effective masses. Damping and gyroscopic terms are left out,
/// and a warning says so. Throws Error if the stiffness is not symmetric, since then right and left eigenvectors
/// differ and no effective masses exist, in a singular configuration, if a size does not fit, and if unstable modes
/// alone are asked for.
EffectiveMasses effective_masses(const LinearSystem& system, const BaseMotions& base, const ModesOptions& which = {});

/// The same for a model; `system` is its linearization at the state.
EffectiveMasses effective_masses(const Model& model, const State& state, const LinearSystem& system,
                                 const Vec3<double>& about = {}, const ModesOptions& which = {});

/// Returns a table for a terminal, in percent of the total.
std::string to_text(const EffectiveMasses& masses);
/// Returns one JSON object with the numbers themselves.
std::string to_json(const EffectiveMasses& masses);

}  // namespace stillpoint
