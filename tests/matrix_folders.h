// Folders of matrices that tests of several verbs look at.
#pragma once

#include <string>

#include "scratch_folder.h"

namespace stillpoint {

/// Two masses that one spring ties together and another, 10¹¹ times as soft, holds: whether they are free cannot be
/// told from all eigenvalues at once.
inline std::string write_softly_held(const ScratchFolder& folder) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n2 2 ";
  folder.write("soft/M.mtx", head + "2\n1 1 1\n2 2 1\n");
  folder.write("soft/K.mtx", head + "3\n1 1 1.00000000005\n2 1 -1\n2 2 1\n");
  return folder / "soft";
}

}  // namespace stillpoint
