// Participation of coordinates and elements in a motion.
//
//   p_i = Re( x̄_i (M x)_i ) / xᴴ M x
//
// is the share of coordinate i in the kinetic energy; the energy of a mass coupling is split in halves. In a motion
// without kinetic energy, of coordinates without mass, it is |x_i|² / xᴴx.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Returns the share of each coordinate.
Eigen::VectorXd participation(const LinearSystem& system, const Eigen::VectorXcd& shape);

/// A participant in a motion. Names with a common beginning, "B[0].x", "B[0].y", "B[1].x", ..., form one participant
/// unless few of them have most of its share.
struct Participant {
  std::string name;             ///< "cart", "B[0..20]"
  double share = 0;             ///< share of the total; may be negative
  Index members = 1;            ///< number of parts for which the name stands
  double along[3] = {0, 0, 0};  ///< parts of the share in the coordinates x, y, z
  double rotating = 0;          ///< part of the share in angles
};

/// Collects the shares of coordinates or elements and groups them into participants.
class Participants {
 public:
  /// Adds the share of a coordinate or an element.
  void add(const std::string& name, double share);
  std::vector<Participant> largest_first() const;

 private:
  struct Member {
    std::string index;  ///< the text in brackets
    double share = 0;
    double along[3] = {0, 0, 0};
    double rotating = 0;
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
