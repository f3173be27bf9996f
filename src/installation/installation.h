// The program and what it runs on: versions and places of its libraries, optional parts, the machine; and in sentences
// what does not work, and what is missing or slower than need be.
#pragma once

#include <string>
#include <vector>

namespace stillpoint {

/// A library or an optional part.
struct SoftwarePart {
  std::string name;
  std::string version;  ///< empty if it does not tell
  std::string place;    ///< file from which it was loaded; empty for what is compiled in
  std::string note;     ///< what it is for, or why it is missing
  bool is_there = true;
};

/// The dense libraries as they were loaded.
struct BlasFacts {
  std::string blas_file, lapack_file;  ///< with links resolved; empty if not known
  std::string openblas_version;        ///< "0.3.21"; empty: another implementation
  std::string kernels;                 ///< the processor whose kernels OpenBLAS runs: "Haswell", "Prescott"
  bool has_threads = true;             ///< OpenBLAS was built with threads, and so with locks
};

/// The largest differences from known answers, relative.
struct SelfCheck {
  double product = 0;      ///< a product of matrices of whole numbers, which is exact
  double eigenvalues = 0;  ///< of a chain of masses, by the dense solver
  double pendulum = 0;     ///< frequency of a pendulum, from the model to its modes
};

struct Installation {
  std::string version;           ///< of stillpoint
  std::string compiler, system;  ///< "GCC 12.2.0", "Debian GNU/Linux 12 (bookworm)"
  std::string processor;
  double memory = 0;  ///< bytes; NaN if not known
  int processors = 1, threads = 1;
  bool has_avx2 = false;  ///< the processor has vectors of four doubles
  bool is_utf8 = true;    ///< the locale shows characters such as ±
  BlasFacts blas;
  std::vector<SoftwarePart> libraries, optional;
  std::string python_version;  ///< of stillpoint, as `import stillpoint` tells; empty if it cannot be imported
  SelfCheck check;
};

/// Looks at the running program. It starts `python3` to see whether the module can be imported.
Installation inspect_installation();

struct Diagnosis {
  std::vector<std::string> problems;  ///< what does not work
  std::vector<std::string> advice;    ///< what is missing or slower than need be
};
Diagnosis diagnose(const Installation& found);

std::string to_text(const Installation& found);
std::string to_json(const Installation& found);

}  // namespace stillpoint
