// Folders of matrices that tests of several verbs look at.
#pragma once

#include <array>
#include <string>

#include "support/scratch_folder.h"

namespace stillpoint {

/// Two masses that one spring ties together and another, 10¹¹ times as soft, holds: whether they are free cannot be
/// told from all eigenvalues at once.
inline std::string write_softly_held(const ScratchFolder& folder) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n2 2 ";
  folder.write("soft/M.mtx", head + "2\n1 1 1\n2 2 1\n");
  folder.write("soft/K.mtx", head + "3\n1 1 1.00000000005\n2 1 -1\n2 2 1\n");
  return folder / "soft";
}

/// Two masses of 1, each on a damper and a spring of its own.
inline std::string write_two_masses(const ScratchFolder& folder, const std::array<std::string, 2>& dampers,
                                    const std::array<std::string, 2>& springs) {
  const auto write = [&](const std::string& name, const std::array<std::string, 2>& diagonal) {
    folder.write("two/" + name, "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 " + diagonal[0] +
                                    "\n2 2 " + diagonal[1] + "\n");
  };
  write("M.mtx", {"1", "1"});
  write("C.mtx", dampers);
  write("K.mtx", springs);
  return folder / "two";
}

}  // namespace stillpoint
