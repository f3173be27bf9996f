// The programs that people load our files with. `./dev test` installs them; where they are missing, tests that need
// them fail and say so.
#pragma once

#include <string>

#include "support/tool.h"

namespace stillpoint {

/// Debian's Python, for which Debian's SciPy is: one that comes first in PATH may know nothing of it.
inline const std::string python = "/usr/bin/python3";

inline void require_client(const std::string& command, const std::string& what) {
  const Answer answer = shell(command);
  REQUIRE_MESSAGE(answer.code == 0, what << " is missing, './dev test' installs it: " << answer.err);
}

inline void require_python() { require_client(python + " -c 'import scipy.signal'", "python3-scipy"); }

inline void require_octave() {
  require_client("octave-cli --norc --eval 'pkg load control; ss(1);' >/dev/null", "octave with octave-control");
}

}  // namespace stillpoint
