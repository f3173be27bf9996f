// How the bodies of a model hang together. Random graphs are compared with a second implementation that knows nothing
// of trees: ranks of incidence matrices, and sets that are merged until nothing changes.

#include "stillpoint/topology.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <random>

#include "stillpoint/elements/all.h"
#include "stillpoint/read_model.h"
#include "support/dense_reference.h"

using namespace stillpoint;

namespace {

using Words = std::vector<std::string>;

/// A model of the plane or of space from the lines of its mechanism.
Model model_of(const std::string& mechanism, bool in_space = false) {
  return read_model_text("stillpoint: 1\n" + std::string(in_space ? "dimension: 3\n" : "") + "mechanism:\n" + mechanism,
                         "test");
}

Words node_names(const Model& model, const std::vector<Index>& nodes) {
  Words names;
  for (const Index node : nodes) names.push_back(node_name(model, node));
  return names;
}

Words joint_names(const Model& model, const Topology& topology, const std::vector<Index>& joints) {
  Words names;
  for (const Index j : joints) names.push_back(joint_name(model, topology.joints[static_cast<std::size_t>(j)]));
  return names;
}

Index depth(const Topology& topology, Index node) {
  Index steps = 0;
  for (; topology.parent[node] != nothing; node = topology.parent[node]) ++steps;
  return steps;
}

/// The incidence matrix by regular labels ([Mufti 1983] §2): +1 at the initial vertex of an arc, −1 at its final one.
Eigen::MatrixXd incidence(const Topology& topology, const std::vector<Index>& joints) {
  Eigen::MatrixXd C =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(topology.node.size()), static_cast<Eigen::Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Topology::Joint& joint = topology.joints[joints[j]];
    const Index a = topology.label[joint.a], b = topology.label[joint.b];
    if (a == b) continue;
    C(std::min(a, b), static_cast<Eigen::Index>(j)) = 1;
    C(std::max(a, b), static_cast<Eigen::Index>(j)) = -1;
  }
  return C;
}

/// The joints of the trees in the order of the labels of the nodes below them.
std::vector<Index> tree_joints(const Topology& topology) {
  std::vector<Index> joints;
  for (const Index node : topology.node) {
    if (topology.joint_above[node] != nothing) joints.push_back(topology.joint_above[node]);
  }
  return joints;
}

/// What must hold for every topology, whatever the model.
void check_promises(const Topology& topology) {
  const auto nodes = static_cast<Index>(topology.parent.size());
  CHECK(topology.loops() == static_cast<Index>(topology.joints.size()) - nodes + topology.trees);
  CHECK(topology.label[0] == 0);
  for (Index label = 0; label < nodes; ++label) CHECK(topology.label[topology.node[label]] == label);
  for (Index node = 0; node < nodes; ++node) {
    if (topology.parent[node] != nothing) CHECK(topology.label[node] > topology.label[topology.parent[node]]);
  }
  for (Index k = 0; k < topology.loops(); ++k) {
    const std::vector<Index> around = loop_nodes(topology, k), through = loop_joints(topology, k);
    const Topology::Joint& cut = topology.joints[topology.cut_joints[k]];
    CHECK(around.front() == cut.a);
    CHECK(around.back() == cut.b);
    REQUIRE(around.size() == through.size());
    for (std::size_t i = 0; i < around.size(); ++i) {  // joint i leads from node i to the next
      const Topology::Joint& joint = topology.joints[through[i]];
      const Index here = around[i], there = around[(i + 1) % around.size()];
      CHECK(((joint.a == here && joint.b == there) || (joint.b == here && joint.a == there)));
    }
  }
  Index coordinates = 0;
  for (const Topology::Part& part : topology.parts) coordinates += part.coordinates;
  CHECK(coordinates == topology.coordinates);
}

const std::string chain_of_three = R"(
  - {body: a, at: '0, 0'}
  - {body: b, at: '1, 0'}
  - {body: c, at: '2, 0'}
  - {revolute: base, between: 'ground, a'}
  - {revolute: first, between: 'a(1, 0), b'}
  - {revolute: second, between: 'b(1, 0), c'}
)";

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Trees

TEST_CASE("topology: a chain is a tree without loops, labelled from the ground outwards") {
  const Model model = model_of(chain_of_three);
  const Topology topology = find_topology(model);
  check_promises(topology);
  CHECK(topology.loops() == 0);
  CHECK(topology.trees == 1);
  CHECK(node_names(model, topology.node) == Words{"ground", "a", "b", "c"});
  CHECK(joint_names(model, topology, tree_joints(topology)) == Words{"base", "first", "second"});
  REQUIRE(topology.parts.size() == 1);
  CHECK(topology.parts[0].grounded);
  CHECK(topology.parts[0].bodies == 3);
  CHECK(topology.parts[0].coordinates == 9);
  CHECK(topology.parts[0].equations == 6);
  CHECK(topology.parts[0].count() == 3);
  CHECK(topology.count() == 3);
}

TEST_CASE("topology: an empty model is the ground alone") {
  const Topology topology = find_topology(ModelBuilder().model());
  check_promises(topology);
  CHECK(topology.parts.empty());
  CHECK(topology.trees == 1);
  CHECK(topology.node == std::vector<Index>{0});
}

// The tree of Fig. 3a: 1 – 2 and 3, 2 – 4, 5 and 6. The peripheral vertex 3 is peeled off first, as 4, 5, 6 are.
TEST_CASE("topology: leaves have the highest labels, however near to the ground (Mufti 1983, regular labelling)") {
  const Model model = model_of(R"(
  - {body: leaf, at: '0, 0'}
  - {body: inner, at: '0, 0'}
  - {body: 'deep[1]', at: '0, 0'}
  - {body: 'deep[2]', at: '0, 0'}
  - {revolute: 'r[1]', between: 'ground, leaf'}
  - {revolute: 'r[2]', between: 'ground, inner'}
  - {revolute: 'r[3]', between: 'inner, deep[1]'}
  - {revolute: 'r[4]', between: 'deep[2], inner'}
)");
  const Topology topology = find_topology(model);
  check_promises(topology);
  CHECK(node_names(model, topology.node) == Words{"ground", "inner", "leaf", "deep[1]", "deep[2]"});
}

TEST_CASE(
    "topology: the path matrix inverts the tree's incidence matrix, which is triangular (Mufti 1983, eqs. 1, 23)") {
  constexpr int n = 15;  // a binary tree, its root last
  ModelBuilder build;
  std::vector<Place> body;
  for (int i = 0; i < n; ++i) body.push_back(build.body({}, {0, 0}));
  for (int i = 1; i < n; ++i) build.add({}, Revolute{.a = body[n - 1 - i], .b = body[n - 1 - (i - 1) / 2]});
  build.add({}, Revolute{.a = ground, .b = body[n - 1]});
  const Model model = build.model();
  const Topology topology = find_topology(model);
  check_promises(topology);
  REQUIRE(topology.loops() == 0);
  const Eigen::MatrixXd C = incidence(topology, tree_joints(topology)).bottomRows(n);
  CHECK(C.isUpperTriangular(0));
  CHECK((C.diagonal().array() == -1).all());

  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, n);  // −1 where the arc of a row is on the path to the body of a column
  for (Index below = 1; below <= n; ++below) {
    for (Index node = topology.node[below]; node != 0; node = topology.parent[node])
      T(topology.label[node] - 1, below - 1) = -1;
  }
  CHECK(T * C == Eigen::MatrixXd::Identity(n, n));
  CHECK(C * T == Eigen::MatrixXd::Identity(n, n));
}

// ---------------------------------------------------------------------------------------------------------------------
// Loops

TEST_CASE("topology: the four-bar with N loops has N loops, each through the ground") {
  for (const double N : {1, 2, 7}) {
    const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", N}});
    const Topology topology = find_topology(model);
    check_promises(topology);
    CHECK(topology.loops() == N);
    CHECK(topology.parts.size() == 1);
    CHECK(topology.parts[0].grounded);
    CHECK(topology.parts[0].scalars == 1);
    CHECK(topology.count() == 1);
    CHECK(topology.parts[0].count() == 1);
    for (Index k = 0; k < topology.loops(); ++k) {
      CHECK(loop_nodes(topology, k).size() == 3);  // the ground is one node, and each pin is one: rods are edges
      CHECK(joint_names(model, topology, {topology.cut_joints[k]})[0] == "coupler[" + std::to_string(k + 1) + "]");
    }
  }
}

TEST_CASE("topology: the five-bar parallelogram has two loops, and Grübler counts its redundant equation") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/five_bar_parallelogram");
  const Topology topology = find_topology(model);
  check_promises(topology);
  CHECK(topology.joints.size() == 6);
  CHECK(topology.loops() == 2);
  CHECK(topology.count() == 0);
  CHECK(topology.parts.size() == 1);
}

TEST_CASE("topology: a loop is walked from one side of its cut joint to the other") {
  const Model model = model_of(chain_of_three + "  - {revolute: last, between: 'c(1, 0), ground(3, 0)'}\n");
  const Topology topology = find_topology(model);
  check_promises(topology);
  REQUIRE(topology.loops() == 1);
  CHECK(joint_names(model, topology, topology.cut_joints) == Words{"second"});  // as far from the ground as can be
  CHECK(node_names(model, loop_nodes(topology, 0)) == Words{"b", "a", "ground", "c"});
  CHECK(joint_names(model, topology, loop_joints(topology, 0)) == Words{"first", "base", "last", "second"});
}

TEST_CASE("topology: two joints between the same bodies are a loop of two") {
  const Model model = model_of(chain_of_three + "  - {slider: twin, slot: b, pin: 'a(0, 1)'}\n");
  const Topology topology = find_topology(model);
  check_promises(topology);
  REQUIRE(topology.loops() == 1);
  CHECK(node_names(model, loop_nodes(topology, 0)) == Words{"b", "a"});
  CHECK(joint_names(model, topology, loop_joints(topology, 0)).size() == 2);
}

TEST_CASE("topology: a joint of a body with itself, or of the ground with itself, is a loop of one") {
  const Model model = model_of(R"(
  - {body: a, at: '0, 0'}
  - {revolute: base, between: 'ground, a'}
  - {revolute: own, between: 'a, a(1, 0)'}
  - {revolute: below, between: 'ground, ground(1, 0)'}
)");
  const Topology topology = find_topology(model);
  check_promises(topology);
  CHECK(joint_names(model, topology, topology.cut_joints) == Words{"own", "below"});
  CHECK(node_names(model, loop_nodes(topology, 0)) == Words{"a"});
  CHECK(node_names(model, loop_nodes(topology, 1)) == Words{"ground"});
  CHECK(topology.parts[0].equations == 4);  // those of the ground with itself belong to no part …
  CHECK(topology.equations == 6);           // … but to the model
  CHECK(topology.count() == -3);
}

TEST_CASE("topology: joints in space and joints of points are joints") {
  const Model model = model_of(R"(
  - {body: a, at: '0, 0, 0'}
  - {body: b, at: '1, 0, 0'}
  - {point: P, at: '1, 1, 0'}
  - {revolute: base, between: 'ground, a', axis: '0, 0, 1'}
  - {universal: u, between: 'a(1, 0, 0), b', axis: '0, 1, 0', second_axis: '0, 0, 1'}
  - {distance: rod, between: 'b, P', length: 1}
  - {point_on_line: rail, line: 'ground(1, 0, 0)', point: P}
)",
                               true);
  const Topology topology = find_topology(model);
  check_promises(topology);
  CHECK(topology.parts.size() == 1);
  CHECK(topology.loops() == 1);
  CHECK(topology.count() == 15 - 5 - 4 - 1 - 2);
  CHECK(joint_names(model, topology, topology.cut_joints) == Words{"rod"});
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

TEST_CASE("topology: two mechanisms that share only the ground are two parts") {
  const Model model = model_of(R"(
  - {body: loose, at: '0, 0'}
  - {body: a, at: '0, 0'}
  - {body: b, at: '1, 0'}
  - {revolute: 'r[1]', between: 'ground, a'}
  - {revolute: 'r[2]', between: 'ground(1, 0), b'}
)");
  const Topology topology = find_topology(model);
  check_promises(topology);
  REQUIRE(topology.parts.size() == 3);
  CHECK(topology.part == std::vector<Index>{2, 0, 1});  // what stands on the ground comes first
  CHECK(topology.parts[0].grounded);
  CHECK(topology.parts[1].grounded);
  CHECK(!topology.parts[2].grounded);
  CHECK(!topology.parts[2].held_by_forces);
  CHECK(topology.parts[2].first_block == 0);
  CHECK(topology.parts[2].count() == 3);
  CHECK(topology.trees == 2);
  CHECK(node_names(model, topology.node) == Words{"ground", "a", "b", "loose"});
}

TEST_CASE("topology: springs hold a part, also by way of another; dampers and forces do not") {
  const std::string apart = R"(
  - {body: a, at: '0, 0'}
  - {body: b, at: '1, 0'}
)";
  const auto held = [&](const std::string& forces) {
    const Topology topology = find_topology(model_of(apart + forces));
    REQUIRE(topology.parts.size() == 2);
    CHECK(!topology.parts[0].grounded);
    return std::pair(topology.parts[0].held_by_forces, topology.parts[1].held_by_forces);
  };
  const std::string to_ground = "  - {spring: s, between: 'ground, a(0, 1)', stiffness: 1, free_length: 1}\n";
  CHECK(held("") == std::pair(false, false));
  CHECK(held(to_ground) == std::pair(true, false));
  CHECK(held(to_ground + "  - {torsion_spring: t, between: 'a, b', stiffness: 1}\n") == std::pair(true, true));
  CHECK(held("  - {torsion_spring: t, between: 'a, b', stiffness: 1}\n") == std::pair(false, false));
  CHECK(held("  - {damper: d, between: 'ground, a(0, 1)', damping: 1}\n") == std::pair(false, false));
  CHECK(held("  - {force: f, at: a, vector: '0, 1'}\n") == std::pair(false, false));
  CHECK(held("  - {input: u}\n  - {actuator: c, between: 'ground, a(0, 1)', input: u}\n") == std::pair(false, false));
  CHECK(held("  - {torque: m, on: a, magnitude: 1}\n") == std::pair(false, false));
}

TEST_CASE("topology: a bushing holds a body in space") {
  const Model model = model_of(R"(
  - {body: a, at: '0, 0, 0'}
  - {bushing: b, between: 'ground, a', stiffness: '1, 1, 1, 1, 1, 1'}
)",
                               true);
  const Topology topology = find_topology(model);
  CHECK(!topology.parts[0].grounded);
  CHECK(topology.parts[0].held_by_forces);
}

TEST_CASE("topology: an angle that is only measured ties nothing; one that is prescribed does") {
  const std::string measured = R"(
  - {point: P, at: '1, 0'}
  - {scalar: phi, value: 0}
  - {angle: phi, of: phi, between: 'ground, P'}
)";
  const auto part_of = [&](const std::string& more) {
    const Topology topology = find_topology(model_of(measured + more));
    check_promises(topology);
    REQUIRE(topology.parts.size() == 1);  // the scalar stays with what it is measured on
    CHECK(topology.parts[0].points == 1);
    CHECK(topology.parts[0].scalars == 1);
    CHECK(topology.joints.empty());
    return topology.parts[0];
  };
  CHECK(!part_of("").grounded);
  CHECK(part_of("").count() == 2);
  CHECK(!part_of("").held_by_forces);
  const Topology::Part prescribed = part_of("  - {input: u}\n  - {prescribed: p, coordinate: phi, input: u}\n");
  CHECK(prescribed.grounded);
  CHECK(prescribed.count() == 1);
  const Topology::Part sprung = part_of("  - {torsion_spring: s, between: 'ground, phi', stiffness: 1}\n");
  CHECK(!sprung.grounded);
  CHECK(sprung.held_by_forces);
}

TEST_CASE("topology: a drive between two bodies that float does not tie them to the ground, nor does a spring") {
  const std::string floating = R"(
  - {body: a, at: '0, 0, 0'}
  - {body: b, at: '1, 0, 0'}
  - {revolute: hinge, between: 'a, b', axis: '0, 0, 1'}
  - {scalar: phi, value: 0}
  - {angle: phi, of: phi, between: 'a, b'}
  - {input: u}
)";
  const Topology driven = find_topology(model_of(floating + "  - {prescribed: p, coordinate: phi, input: u}\n", true));
  check_promises(driven);
  REQUIRE(driven.parts.size() == 1);
  CHECK(!driven.parts[0].grounded);
  CHECK(driven.parts[0].count() == 13 - 5 - 2);
}

TEST_CASE(
    "topology: a coupling ties together what it couples, and is no joint; a single coordinate counts from ground") {
  const std::string gear = R"(
  - {body: a, at: '0, 0'}
  - {body: b, at: '1, 0'}
  - {scalar: s, value: 0}
  - {coupling: gear, coordinates: 'a.phi, b.phi', factors: '1, 2'}
)";
  const Topology geared = find_topology(model_of(gear));
  check_promises(geared);
  REQUIRE(geared.parts.size() == 2);
  CHECK(geared.part == std::vector<Index>{0, 0, 1});
  CHECK(!geared.parts[0].grounded);
  CHECK(geared.parts[0].count() == 5);
  CHECK(geared.joints.empty());
  CHECK(geared.loops() == 0);

  const Topology locked = find_topology(model_of(gear + "  - {coupling: lock, coordinates: a.x, factors: 1}\n"));
  REQUIRE(locked.parts.size() == 2);
  CHECK(locked.parts[0].grounded);
  const Topology scalar = find_topology(model_of(gear + "  - {coupling: lock, coordinates: s, factors: 1}\n"));
  REQUIRE(scalar.parts.size() == 2);
  CHECK(scalar.parts[0].grounded);
  CHECK(scalar.parts[0].scalars == 1);
  CHECK(scalar.part == std::vector<Index>{1, 1, 0});
}

// ---------------------------------------------------------------------------------------------------------------------
// Against a second implementation

TEST_CASE("topology: random graphs have the parts and loops that the rank of the incidence matrix tells") {
  std::mt19937 random(2026);
  const auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  int with_loops = 0, with_loose_parts = 0;
  for (int round = 0; round < 200; ++round) {
    const bool in_space = round % 2 == 1;
    const int blocks = pick(1, 12), joints = pick(0, 16);
    ModelBuilder build;
    std::vector<Place> plane{ground};
    std::vector<space::Place> spatial{space::ground};
    for (int b = 0; b < blocks; ++b) {
      if (in_space) spatial.push_back(pick(0, 1) ? build.space_body({}, {0, 0, 0}) : build.space_point({}, {0, 0, 0}));
      else plane.push_back(pick(0, 1) ? build.body({}, {0, 0}) : build.point({}, {0, 0}));
    }
    std::vector<std::pair<int, int>> edges;
    for (int j = 0; j < joints; ++j) {
      const int a = pick(0, blocks), b = pick(0, blocks);
      edges.emplace_back(a, b);
      if (in_space) build.add({}, space::Spherical{.a = spatial[a], .b = spatial[b]});
      else build.add({}, Revolute{.a = plane[a], .b = plane[b]});
    }
    const Model model = build.model();
    const Topology topology = find_topology(model);
    check_promises(topology);

    std::vector<Index> all(edges.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<Index>(j);
    const Eigen::MatrixXd C = incidence(topology, all);
    const auto rank = dense::rank(C);
    CHECK(topology.loops() == joints - rank);
    CHECK(topology.trees == blocks + 1 - rank);
    const Eigen::MatrixXd tree = incidence(topology, tree_joints(topology));
    CHECK(dense::rank(tree) == rank);

    // Sets, merged until nothing changes; the ground is in none, but marks those that it touches.
    std::vector<int> set(blocks + 1);
    for (int b = 0; b <= blocks; ++b) set[b] = b;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : edges) {
        if (a == 0 || b == 0 || set[a] == set[b]) continue;
        set[a] = set[b] = std::min(set[a], set[b]);
        changed = true;
      }
    }
    std::vector<bool> grounded(blocks + 1, false);
    for (const auto& [a, b] : edges) {
      if ((a == 0) != (b == 0)) grounded[set[std::max(a, b)]] = true;
    }
    int sets = 0;
    for (int b = 1; b <= blocks; ++b) {
      sets += set[b] == b;
      const Topology::Part& part = topology.parts[topology.part[b - 1]];
      CHECK(part.first_block == set[b] - 1);
      CHECK(part.grounded == grounded[set[b]]);
      CHECK((depth(topology, b) > 0) == (part.grounded || part.first_block != b - 1));
      with_loose_parts += !part.grounded;
    }
    CHECK(topology.parts.size() == static_cast<std::size_t>(sets));
    CHECK(std::is_partitioned(topology.parts.begin(), topology.parts.end(),
                              [](const auto& part) { return part.grounded; }));
    with_loops += topology.loops() > 0;
  }
  CHECK(with_loops > 50);
  CHECK(with_loose_parts > 50);
}

TEST_CASE("topology: paths from the ground are as short as can be") {
  // a ring of ten points, one of them on the ground: none is farther than five rods from there
  ModelBuilder build;
  std::vector<Place> ring;
  for (int i = 0; i < 10; ++i) ring.push_back(build.point({}, {0, 0}));
  for (int i = 0; i < 10; ++i) build.add({}, Distance{.a = ring[i], .b = ring[(i + 1) % 10], .length = 1});
  build.add({}, Revolute{.a = ground, .b = ring[3]});
  const Topology topology = find_topology(build.model());
  check_promises(topology);
  for (int i = 0; i < 10; ++i) {
    const int around = std::min((i + 7) % 10, (13 - i) % 10);
    CHECK(depth(topology, i + 1) == 1 + around);
  }
}
