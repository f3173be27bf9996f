// stillpoint-slepc-real, stillpoint-slepc-complex: an engine of docs/engines.md under MPI, by SLEPc, PETSc and MUMPS.
//
//   mpirun -n RANKS stillpoint-slepc-real FOLDER...
//
// Answers the request in each folder. What fails is said in one line on stderr, and no answer appears.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engines/slepc/searches.h"

namespace {

using namespace stillpoint::slepc;
using Json = nlohmann::ordered_json;

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

double largest_of_ranks(double here) {
  double largest = here;
  MPI_Allreduce(&here, &largest, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return largest;
}

double sum_of_ranks(double here) {
  double sum = here;
  MPI_Allreduce(&here, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return sum;
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return largest_of_ranks(static_cast<double>(usage.ru_maxrss) / (1 << 20));
}

std::string versions() {
  char slepc[256] = "", petsc[256] = "";
  SlepcGetVersion(slepc, sizeof slepc);
  PetscGetVersion(petsc, sizeof petsc);
  const auto number = [](std::string text) {  // "SLEPc Release Version 3.18.2, ..."
    text = text.substr(0, text.find(','));
    return text.substr(text.rfind(' ') + 1);
  };
  return "slepc " + number(slepc) + ", petsc " + number(petsc) + ", mumps";
}

Json json_of(const SignsOfMatrix& signs) {
  return {{"of", signs.a},
          {"negative", signs.negative},
          {"zero", signs.zero},
          {"seconds", signs.seconds},
          {"entries", signs.entries},
          {"flops", signs.flops},
          {"megabytes_of_a_rank", signs.megabytes_of_a_rank}};
}

void write_vectors(const EngineTask& task, const Pairs& pairs) {
  const std::string path = task.folder + "/vectors.petsc", doing = path + " cannot be written";
  OwnedViewer file;
  check(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path.c_str(), FILE_MODE_WRITE, file.out()), doing.c_str());
  check(PetscViewerBinarySetSkipInfo(file.get(), PETSC_TRUE), doing.c_str());
  for (const OwnedVector& vector : pairs.vectors) check(VecView(vector.get(), file.get()), doing.c_str());
}

/// On one rank. The answer appears whole.
void write_answer(const EngineTask& task, const Json& answer) {
  const std::string path = task.folder + "/answer.json", part = path + ".part";
  std::ofstream file(part);
  file << answer.dump(1) << "\n";
  file.close();
  if (!file) throw EngineFailure(path + " cannot be written");
  std::filesystem::rename(part, path);
}

void answer_request(const std::string& folder) {
  const double start = MPI_Wtime();
  const EngineTask task = read_task(folder);
  const double read_seconds = MPI_Wtime() - start;
  const Pairs pairs = task.is_quadratic ? find_quadratic(task) : find_symmetric(task);
  int ranks = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  Json answer = {{"schema", "stillpoint.engine.answer/1"},
                 {"identity", task.identity},
                 {"engine", versions()},
                 {"scalar", is_complex_build ? "complex" : "real"},
                 {"ranks", ranks},
                 {"status", pairs.is_converged ? "converged" : "incomplete"},
                 {"message", pairs.message}};
  answer["values"] = Json::array();
  for (const std::complex<double>& value : pairs.values) {
    if (task.is_quadratic) answer["values"].push_back({value.real(), value.imag()});
    else answer["values"].push_back(value.real());
  }
  answer["region"] = {pairs.from, pairs.to};
  answer["inertia"] = Json::array();
  for (const SignsOfMatrix& signs : pairs.inertia) answer["inertia"].push_back(json_of(signs));
  write_vectors(task, pairs);
  PetscLogDouble flops = 0;
  PetscGetFlops(&flops);
  answer["searches"] = pairs.searches;
  answer["iterations"] = pairs.iterations;
  answer["seconds"] = {{"read", read_seconds}, {"searches", pairs.search_seconds}, {"all", MPI_Wtime() - start}};
  answer["gigabytes_of_a_rank"] = peak_gigabytes();
  answer["flops_outside_factorisations"] = sum_of_ranks(flops);
  answer["messages"] = sum_of_ranks(petsc_send_ct + petsc_isend_ct);
  answer["bytes_of_messages"] = sum_of_ranks(petsc_send_len + petsc_isend_len);
  answer["reductions"] = petsc_allreduce_ct;
  if (rank_here() == 0) write_answer(task, answer);
  MPI_Barrier(PETSC_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "stillpoint-slepc: usage: mpirun -n RANKS %s FOLDER...\n", argv[0]);
    return 2;
  }
  int none = 1;  // PETSc takes options from its own variable PETSC_OPTIONS, not from the words here
  if (SlepcInitialize(&none, &argv, nullptr, nullptr) != 0) return 1;
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);
  PetscPopSignalHandler();
  try {
    for (int k = 1; k < argc; ++k) answer_request(argv[k]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stillpoint-slepc: %s\n", error.what());
    std::fflush(stderr);
    MPI_Abort(PETSC_COMM_WORLD, 1);
  }
  PetscPopErrorHandler();
  return SlepcFinalize();
}
