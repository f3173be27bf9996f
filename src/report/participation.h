// Who takes part in a motion, and how much.
//
//   p_i = Re( x̄_i (M x)_i ) / xᴴ M x
//
// is the share of coordinate i in the kinetic energy; what two coordinates share is split in halves. Without kinetic
// energy, in a motion of coordinates that have no mass, it is |x_i|² / xᴴx, in the numbers of the shape.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

Eigen::VectorXd participation(const LinearSystem& system, const Eigen::VectorXcd& shape);

/// Names with a common beginning, "B[0].x", "B[0].y", "B[1].x", ..., are one item, unless few of them make up most of
/// it.
struct Participant {
  std::string name;             ///< "cart", "B[0..20]"
  double share = 0;             ///< of the whole; may be negative
  Index members = 1;            ///< how many things the name stands for
  double along[3] = {0, 0, 0};  ///< of the share: in coordinates x, y, z,
  double turning = 0;           ///< and in angles
};

/// The largest ones first.
class Participants {
 public:
  /// The name of a coordinate or of an element.
  void add(const std::string& name, double share);
  std::vector<Participant> largest_first() const;

 private:
  struct Member {
    std::string index;  ///< what stands in the brackets
    double share = 0;
    double along[3] = {0, 0, 0};
    double turning = 0;
  };
  struct Family {
    std::string name;
    std::vector<Member> members;
  };

  static Participant one(const Family& family, const Member& member);
  static Participant all(const Family& family);

  std::vector<Family> families_;
};

}  // namespace stillpoint
