// The state space of a system in balanced coordinates, x = D x̂, with the groups of its eigenvalues and the tests of
// both sides.
#pragma once

#include "reduction/hautus.h"
#include "stillpoint/forms.h"

namespace stillpoint {

struct StateSpaceGroups {
  Eigen::VectorXd scale;          ///< D
  Eigen::MatrixXd A;              ///< D⁻¹ A D
  double size = 0;                ///< its norm
  ModalParts all;                 ///< block-diagonal form of A
  std::vector<ModeGroup> groups;  ///< of these
  std::vector<ModeGroup> duals;   ///< the groups of Aᵀ
  ChannelColumns inputs;          ///< D⁻¹ B; of derivatives by their orders, or each channel as an input of its own
  ChannelColumns outputs;         ///< (C D)ᵀ
};

enum class Derivatives {
  of_inputs,   ///< u, u̇ and ü are one input
  independent  ///< each channel is an input of its own, as in the file of a plant
};
/// Channels that do nothing to the motions that the constraints allow but for rounding: a force across them, for
/// example. What rounding leaves of their rows and columns has only itself to be compared with, so it is decided here,
/// beside the size that the channel has in all coordinates.
struct SilentChannels {
  std::vector<bool> inputs, outputs;
};
SilentChannels silent_channels(const LinearSystem& system, const MinimalForm& form);

/// Silent channels count as zero.
StateSpaceGroups groups_of(const Plant& plant, Derivatives derivatives, const SilentChannels& silent);

}  // namespace stillpoint
