// What campaigns share: how many draws, notes on what went wrong, and witnesses that share nothing with the solver but
// the values of f, Φ and their derivatives.
//
// With the environment variable STILLPOINT_CAMPAIGN set, all draws are made and every failure is written to standard
// output with its model.
#pragma once

#include <string>

#include "stillpoint/model.h"

namespace stillpoint {

/// The number of draws: few by default, many in a campaign.
int campaign_size(int few, int many);

/// Which draws: those that STILLPOINT_SEEDS=FIRST:COUNT asks for, or else so many from 0 on. Throws
/// std::invalid_argument where that says something else.
struct CampaignSeeds {
  int first = 0, count = 0;
  bool are_chosen = false;

  int end() const { return first + count; }
};
CampaignSeeds campaign_seeds(int few, int many);

/// Says something in a campaign; nothing otherwise.
void note(const std::string& sentence, const std::string& model_text = {});

/// The value of a coordinate, by its name. Throws std::invalid_argument if there is none.
double value_of(const Model& model, const State& state, const std::string& name);

/// How far a state with its λ is from rest: no units, lengths are compared with `length` (m), turns with one radian.
struct Balance {
  /// Largest of |f − Jᵀλ|, relative to the largest of |f| + |J|ᵀ|λ| and of the forces that a displacement by `length`
  /// calls up: springs that balance each other leave no f.
  double force = 0;
  double gap = 0;  ///< largest of |Φ|, each relative to what its coordinates change it by
};
Balance balance_at(const Model& model, const State& state, double length);

/// Signs of the eigenvalues of the reduced stiffness RᵀKR, in long double, R an orthonormal basis of null(J) in
/// coordinates without units. Below 1e-12 of the largest entry of K they count as zero.
struct Signs {
  Index negative = 0, zero = 0, positive = 0;
  double largest_zero = 0;      ///< magnitude of the largest that counts as zero, relative to K
  double smallest_counted = 0;  ///< magnitude of the smallest that does not
};
Signs reduced_signs(const Model& model, const State& state, double length);

}  // namespace stillpoint
