#include "engines/slepc/engine_task.h"

#include <fstream>

namespace stillpoint::slepc {

namespace {

using Json = nlohmann::ordered_json;

void load(const std::string& path, PetscInt size, bool is_symmetric, OwnedMatrix& A) {
  const std::string doing = path + " cannot be read";
  OwnedViewer file;
  check(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path.c_str(), FILE_MODE_READ, file.out()), doing.c_str());
  check(MatCreate(PETSC_COMM_WORLD, A.out()), doing.c_str());
  check(MatSetType(A.get(), MATAIJ), doing.c_str());
  check(MatLoad(A.get(), file.get()), doing.c_str());
  check(MatSetOption(A.get(), MAT_SYMMETRIC, is_symmetric ? PETSC_TRUE : PETSC_FALSE), doing.c_str());
  PetscInt rows = 0, columns = 0;
  check(MatGetSize(A.get(), &rows, &columns), doing.c_str());
  if (rows != size || columns != size) throw EngineFailure(path + " has another size than request.json says");
}

Json request_in(const std::string& folder) {
  const std::string path = folder + "/request.json";
  std::ifstream file(path);
  if (!file) throw EngineFailure(path + " cannot be read");
  const Json request = Json::parse(file);
  if (request.at("schema") != "stillpoint.engine.request/1")
    throw EngineFailure(path + " has a schema that this program does not know");
  const std::string ours = is_complex_build ? "complex" : "real", wanted = request.at("scalar");
  if (wanted != ours)
    throw EngineFailure("the request is for " + wanted + " numbers, and this is stillpoint-slepc-" + ours);
  return request;
}

}  // namespace

EngineTask read_task(const std::string& folder) try {
  const Json request = request_in(folder), &asked = request.at("asked");
  EngineTask task;
  task.folder = folder;
  task.identity = request.at("identity");
  task.kind = asked.at("kind");
  task.is_quadratic = request.at("problem") == "quadratic";
  task.is_symmetric = request.at("symmetric_matrices");
  task.wants_inertia = request.at("inertia");
  task.unknowns = request.at("unknowns");
  task.coordinates = request.at("coordinates");
  task.constraints = request.at("constraints");
  task.zero = request.at("zero");
  task.tolerance = request.at("tolerance");
  if (task.kind == "band") {
    task.from = asked.at("from");
    task.to = asked.at("to");
  } else {
    task.count = asked.at("count");
    task.at = {asked.at("at")[0], asked.at("at")[1]};
  }
  for (const std::size_t k : {0u, 1u, 2u}) {
    if (k == 1 && !task.is_quadratic) continue;
    load(folder + "/A" + std::to_string(k) + ".petsc", task.unknowns, task.is_symmetric, task.A[k]);
  }
  return task;
} catch (const nlohmann::json::exception& error) {
  throw EngineFailure(folder + "/request.json: " + error.what());
}

}  // namespace stillpoint::slepc
