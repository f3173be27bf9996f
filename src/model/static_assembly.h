// The matrices of statics at a sequence of states: K, J, F and G of theory (1.2), without M and C, which take a third
// of the memory of a large model.
#pragma once

#include "stillpoint/assembly.h"

namespace stillpoint {

class StaticAssembly {
 public:
  explicit StaticAssembly(const Model& model);

  /// The matrices at a state at rest, valid until the next call; M and C are empty.
  const Matrices& at(const State& state);

 private:
  Model model_;
  Matrices matrices_;
};

}  // namespace stillpoint
