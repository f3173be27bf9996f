// A folder of matrices is a model: written and read back it is the same, and what does not fit together is refused.

#include <doctest/doctest.h>

#include <cstring>

#include "stillpoint/linearize.h"
#include "support/linearize/claims.h"
#include "support/scratch_folder.h"
#include "system/matrix_table.h"

using namespace stillpoint;

namespace {

bool are_equal_or_nan(double a, double b) { return a == b || (a != a && b != b); }

void check_same(const LinearSystem& a, const LinearSystem& b) {
  CHECK(a.name == b.name);
  for (const MatrixInfo& info : matrix_table) {
    CAPTURE(info.name);
    CHECK(are_identical(a.*info.matrix, b.*info.matrix));
  }
  REQUIRE(a.coordinates() == b.coordinates());
  for (Index i = 0; i < a.coordinates(); ++i) CHECK(a.coordinate_name(i) == b.coordinate_name(i));
  for (Index i = 0; i < a.constraints(); ++i) CHECK(a.constraint_name(i) == b.constraint_name(i));
  for (Index i = 0; i < a.inputs(); ++i) CHECK(a.input_name(i) == b.input_name(i));
  for (Index i = 0; i < a.outputs(); ++i) CHECK(a.output_name(i) == b.output_name(i));
  CHECK(a.q == b.q);
  CHECK(a.lambda == b.lambda);
  CHECK(a.u == b.u);
  CHECK(a.y == b.y);
  const RankDecision &r = a.rows.rank, &s = b.rows.rank;
  CHECK(r.value == s.value);
  CHECK(r.outcome == s.outcome);
  CHECK(are_equal_or_nan(r.gap, s.gap));
  CHECK(are_equal_or_nan(r.smallest_kept, s.smallest_kept));
  CHECK(are_equal_or_nan(r.largest_dropped, s.largest_dropped));
  CHECK(are_equal_or_nan(r.noise_floor, s.noise_floor));
  CHECK(r.method == s.method);
  CHECK(a.rows.independent == b.rows.independent);
  CHECK(a.rows.dependent == b.rows.dependent);
  CHECK(are_identical(a.rows.null_vectors, b.rows.null_vectors));
  CHECK(a.singular == b.singular);
  REQUIRE(a.branches.size() == b.branches.size());
  for (std::size_t k = 0; k < a.branches.size(); ++k) {
    CHECK(a.branches[k].name == b.branches[k].name);
    CHECK(a.branches[k].tangents == b.branches[k].tangents);
  }
  REQUIRE(a.free_stiffness.size() == b.free_stiffness.size());
  for (std::size_t k = 0; k < a.free_stiffness.size(); ++k)
    CHECK(are_identical(a.free_stiffness[k], b.free_stiffness[k]));
}

const std::string identity = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n";
const std::string one_constraint = "%%MatrixMarket matrix array real general\n1 2\n1\n1\n";

/// Two masses as someone else may have written them.
struct Foreign : ScratchFolder {
  Foreign() {
    write("two/M.mtx", identity);
    write("two/K.mtx", identity);
  }
  std::string folder() const { return *this / "two"; }
  /// What is said about it, without the way to the folder.
  std::string refusal() const {
    const std::string text = error_of([&] { read_linear_system(folder()); });
    return text.starts_with(folder()) ? text.substr(folder().size()) : text;
  }
  std::string refusal(const std::string& json) const {
    write("two/model.json", json);
    return refusal();
  }
};

}  // namespace

TEST_CASE("matrix folder: every case comes back bit for bit") {
  const ScratchFolder scratch;
  std::vector<Model> models{flat_four_bar()};
  for (const std::string& name : case_names()) models.push_back(model_of_case(name));
  for (std::size_t k = 0; k < models.size(); ++k) {
    CAPTURE(models[k].name());
    const LinearSystem system = linearize(models[k], nearest_rest(models[k]));
    const std::string folder = scratch / std::to_string(k);
    CHECK(!is_matrix_folder(folder));
    write_linear_system(system, folder);
    CHECK(is_matrix_folder(folder));
    check_same(system, read_linear_system(folder));
  }
}

TEST_CASE("matrix folder: M and K alone are a model, what is absent is zero") {
  const Foreign files;
  const LinearSystem system = read_linear_system(files.folder());
  CHECK(system.name == "two");
  CHECK(read_linear_system(files.folder() + "/").name == "two");
  CHECK(system.coordinates() == 2);
  CHECK(system.constraints() == 0);
  CHECK(system.inputs() == 0);
  CHECK(system.outputs() == 0);
  CHECK(system.C.nonZeros() == 0);
  CHECK(system.coordinate_name(0) == "q[1]");
  CHECK(system.q.size() == 0);
}

TEST_CASE("matrix folder: what was written without a name is called by its folder") {
  const Foreign folder;
  LinearSystem system = read_linear_system(folder.folder());
  CHECK(system.name == "two");
  system.name.clear();
  write_linear_system(system, folder / "nameless");
  CHECK(read_linear_system(folder / "nameless").name == "nameless");
}

TEST_CASE("matrix folder: without a decision about the rank one is made, and a given one replaces another") {
  const Foreign files;
  files.write("two/J.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n1\n2\n");
  CHECK(read_linear_system(files.folder()).rank() == 1);
  CHECK(read_linear_system(files.folder(), {.rank = 2}).rank() == 2);

  LinearSystem system = read_linear_system(files.folder());
  system.singular = true;
  system.free_stiffness = {SparseMatrix(2, 2)};
  write_linear_system(system, files / "again");
  const LinearSystem kept = read_linear_system(files / "again");
  CHECK(kept.singular);
  CHECK(kept.free_stiffness.size() == 1);
  CHECK(kept.rows.rank.outcome == RankOutcome::deficient);
  CHECK(read_linear_system(files / "again", {.rank = 1}).rows.rank.outcome == RankOutcome::given);
  const LinearSystem replaced = read_linear_system(files / "again", {.rank = 2});
  CHECK(replaced.rank() == 2);
  CHECK(!replaced.singular);
  CHECK(replaced.free_stiffness.empty());
  CHECK(replaced.rows.null_vectors.cols() == 0);
}

TEST_CASE("matrix folder: what was there before of the same names is gone, the rest stays") {
  const ScratchFolder scratch;
  const Model flat = flat_four_bar(), plain = model_of_case("cart_pole");
  const std::string folder = scratch / "m";
  write_linear_system(linearize(flat, nearest_rest(flat)), folder);
  CHECK(content_of(folder + "/free_stiffness_1.mtx") != "");
  CHECK(content_of(folder + "/C.mtx") == "");  // no damping
  scratch.write("m/notes.txt", "mine");
  const LinearSystem system = linearize(plain, nearest_rest(plain));
  write_linear_system(system, folder);
  CHECK(content_of(folder + "/free_stiffness_1.mtx") == "");
  CHECK(content_of(folder + "/null_vectors.mtx") == "");
  CHECK(content_of(folder + "/notes.txt") == "mine");
  check_same(system, read_linear_system(folder));
}

TEST_CASE("matrix folder: names and numbers of any kind go through the JSON") {
  const Foreign files;
  LinearSystem system = read_linear_system(files.folder());
  system.name = "a \"quoted\" name\\ of ω\n";
  system.coordinate_name = [](Index i) { return i == 0 ? "\t" : "φ[1]"; };
  system.q = Eigen::Vector2d(-0.0, 1e-308);
  write_linear_system(system, files / "again");
  const LinearSystem again = read_linear_system(files / "again");
  CHECK(again.name == system.name);
  CHECK(again.coordinate_name(0) == "\t");
  CHECK(again.coordinate_name(1) == "φ[1]");
  CHECK(std::memcmp(again.q.data(), system.q.data(), 16) == 0);
}

TEST_CASE("matrix folder: sizes that do not fit, missing and unknown files are refused") {
  {
    const Foreign files;
    files.write("two/J.mtx", "%%MatrixMarket matrix coordinate real general\n1 3 0\n");
    CHECK(files.refusal() == ": M is 2 x 2 and J is 1 x 3: these are 2 and 3 coordinates");
  }
  {
    const Foreign files;
    files.write("two/D.mtx", identity);
    CHECK(files.refusal() ==
          ": 'D.mtx' is not a matrix of a linear system; the known ones are M.mtx, C.mtx, K.mtx, J.mtx, F.mtx, G.mtx, "
          "Hq.mtx, "
          "Hv.mtx, Ha.mtx, Hl.mtx, Hu.mtx");
  }
  {
    const Foreign files;
    std::filesystem::remove(files / "two/K.mtx");
    CHECK(is_matrix_folder(files.folder()));
    CHECK(files.refusal() == ": there is no K.mtx: a folder of matrices needs M.mtx and K.mtx");
  }
  {
    const Foreign files;
    files.write("two/C.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
    CHECK(files.refusal() == "/C.mtx:3:1: the row is '3': it must be a whole number from 1 to 2");
  }
  {
    const Foreign files;
    files.write("two/J.mtx", one_constraint);
    files.write("two/null_vectors.mtx", identity);
    CHECK(files.refusal() == ": null_vectors.mtx requires a rank, which model.json does not state");
    const std::string rank = R"({"rank": {"value": 0, "method": "SVD"}, "dependent_rows": [1]})";
    CHECK(files.refusal(rank) == "/null_vectors.mtx: is 2 x 2; with 1 constraints and a rank of 0 it must be 1 x 1");
    files.write("two/null_vectors.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    files.write("two/free_stiffness_1.mtx", identity);
    files.write("two/free_stiffness_2.mtx", identity);
    CHECK(contains(files.refusal(),
                   "there are 2 files free_stiffness_*.mtx; there must be one for each column of "
                   "null_vectors.mtx, of which there are 1"));
    std::filesystem::remove(files / "two/free_stiffness_1.mtx");
    CHECK(contains(files.refusal(), "/free_stiffness_1.mtx: cannot be read"));
  }
  const ScratchFolder scratch;
  CHECK(contains(error_of([&] { read_linear_system(scratch / "none"); }), "none: cannot be read: No such file"));
}

TEST_CASE("matrix folder: a model.json that does not fit is refused by its key") {
  const Foreign files;
  files.write("two/J.mtx", one_constraint);
  const auto check = [&](const std::string& json, const std::string& expected) {
    const std::string text = files.refusal(json);
    CHECK_MESSAGE(contains(text, "/model.json: " + expected), text);
  };
  check("{", "is not valid JSON: parse error at line 1, column 2");
  check("[]", "must be an object");
  check(R"({"coordinate": []})",
        "must not contain the key 'coordinate' (did you mean 'coordinates'?); the known keys are schema, name");
  check(R"({"schema": "stillpoint.modes/1"})", "schema must be 'stillpoint.matrices/1'");
  check(R"({"name": 3})", "name must be a text");
  check(R"({"coordinates": {}})", "coordinates must be a list of names");
  check(R"({"coordinates": ["x"]})", "coordinates must be a list of 2 names, according to the matrices; it has 1");
  check(R"({"inputs": ["x"]})", "inputs must be a list of 0 names, according to the matrices; it has 1");
  check(R"({"coordinates": ["x", 2]})", "coordinates[2] must be a text");
  check(R"({"coordinates": ["x", "x"]})", "coordinates[2] repeats the name 'x': names must be unique");
  check(R"({"operating_point": {"p": []}})", "operating_point must not contain the key 'p'");
  check(R"({"operating_point": {"q": [1]}})", "operating_point.q must be a list of 2 numbers");
  check(R"({"operating_point": {"q": [1, null]}})", "operating_point.q[2] must be a number");
  check(R"({"rank": {"value": 1}})", "contains rank but not dependent_rows: both or neither must be given");
  check(R"({"dependent_rows": []})", "contains dependent_rows but not rank: both or neither must be given");
  check(R"({"rank": {"value": 2}, "dependent_rows": []})", "rank.value is 2; it must be a whole number from 0 to 1");
  check(R"({"rank": {"value": 0.5}, "dependent_rows": []})",
        "rank.value is 0.5; it must be a whole number from 0 to 1");
  check(R"({"rank": {"value": 1, "decision": "ful"}, "dependent_rows": []})", "rank.decision must be full, deficient");
  check(R"({"rank": {"value": 1, "gap": "x"}, "dependent_rows": []})", "rank.gap must be a number or null");
  check(R"({"rank": {"value": 0}, "dependent_rows": []})",
        "dependent_rows has 0 rows; with 1 constraints and a rank of 0 there must be 1");
  check(R"({"rank": {"value": 0}, "dependent_rows": [2]})",
        "dependent_rows[1] is 2; it must be a whole number from 1 to 1");
  check(R"({"singular": 1})", "singular must be true or false");
  check(R"({"branches": [{"name": "b", "tangents": [[1]]}]})", "branches[1].tangents[1] must be a list of 2 numbers");
}

TEST_CASE("matrix folder: units and a comment may stand in model.json, for people") {
  const Foreign files;
  files.write("two/model.json", R"({"name": "n", "units": "mm, N, s", "comment": ["from elsewhere"]})");
  CHECK(read_linear_system(files.folder()).name == "n");
}

TEST_CASE("matrix folder: a folder that holds a model, or a file in its place, is left as it is") {
  const Foreign files;
  const LinearSystem system = read_linear_system(files.folder());
  files.write("model/model.yaml", "stillpoint: 1\n");
  CHECK(contains(error_of([&] { write_linear_system(system, files / "model"); }), "holds a model.yaml"));
  CHECK(!is_matrix_folder(files / "model"));
  files.write("model/M.mtx", identity);
  CHECK(!is_matrix_folder(files / "model"));
  files.write("file", "mine");
  CHECK(contains(error_of([&] { write_linear_system(system, files / "file"); }), "file: cannot be created"));
  CHECK(content_of(files / "file") == "mine");
}
