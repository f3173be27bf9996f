#include "read/flexible_body_entry.h"

#include <fmt/format.h>

#include <cmath>

#include "model/validation.h"
#include "stillpoint/elements/space/flexible_body.h"

namespace stillpoint {

namespace {

struct FlexibleBodyEntry {
  std::vector<space::FrameOf> nodes;
  std::vector<double> dofs;
  std::string folder;
  double modes = unset, damping_ratio = 0;
  Rayleigh damping{};

  static const ElementInfo& info() {
    using Entry = FlexibleBodyEntry;
    static const ElementInfo info{
        "flexible_body",
        "A flexible body from matrices of mass and stiffness, with nodes to which joints and forces are attached. Its "
        "other degrees of freedom, or its modes with fixed nodes, are the scalars NAME[1], NAME[2], …",
        "½ uᵀ K u, and inertia by M, in the axes of its first node",
        {field<&Entry::nodes>("between", "", "its nodes; the first has the axes in which the matrices are given"),
         field<&Entry::dofs>("freedoms", "", "for each node the first of its six rows in the matrices, from 1")
             .must_be(Allowed::positive),
         field<&Entry::folder>(
             "folder", "", "the folder with M.mtx, K.mtx and R.mtx, the rigid motions; from that of the model file"),
         field<&Entry::modes>("modes", "", "number of its modes with fixed nodes (Craig and Bampton)")
             .optional("no reduction: all degrees of freedom")
             .must_be(Allowed::non_negative),
         rayleigh_field<&Entry::damping>(),
         field<&Entry::damping_ratio>("damping_ratio", "", "of every elastic mode of the free body")
             .optional("0")
             .must_be(Allowed::non_negative)}};
    return info;
  }

  void add(ModelBuilder& builder, const Name& name) const {
    require("flexible_body", name, "damping", {damping.mass, damping.stiffness}, Allowed::non_negative);
    require("flexible_body", name, "damping_ratio", {damping_ratio}, Allowed::non_negative);
    if (modes == modes) require("flexible_body", name, "modes", {modes}, Allowed::non_negative);
    if (name.empty()) throw Error("a flexible_body needs a name, for its scalars are called by it");
    const auto matrices = std::make_shared<const FlexibleMatrices>(prepared());
    const Index others = matrices->size() - 6 * static_cast<Index>(nodes.size());
    space::FlexibleBody body{.nodes = nodes, .matrices = matrices, .damping = damping};
    for (Index k = 1; k <= others; ++k) {
      Name own = name;
      if (own.rank == Name::max_rank) throw Error("a flexible_body may have at most three indices");
      own.index[own.rank++] = k;
      builder.scalar(own, 0);
      if (k == 1) body.first_scalar = builder.coordinate(own).coordinate;
    }
    builder.add(name, body);
  }

 private:
  static Index whole(std::string_view key, double value) {
    if (value == std::floor(value) && value >= 0 && value <= 1e9) return static_cast<Index>(value);
    throw FieldError(std::string(key), fmt::format("{} is {:.6g}; it must be a whole number", key, value));
  }

  /// Runs an action, and attributes its errors to a field.
  template <class Action>
  static auto of_field(const char* key, Action action) {
    try {
      return action();
    } catch (const FieldError&) {
      throw;
    } catch (const Error& error) {
      throw FieldError(key, fmt::format("{}: {}", key, error.what()));
    }
  }

  FlexibleMatrices prepared() const {
    if (dofs.size() != nodes.size()) {
      throw FieldError("freedoms", fmt::format("freedoms names {} rows for {} nodes; there must be one for each",
                                               dofs.size(), nodes.size()));
    }
    FlexibleMatrices body = of_field("folder", [&] { return read_flexible_matrices(folder); });
    std::vector<Index> first_rows;
    for (const double dof : dofs) first_rows.push_back(whole("freedoms", dof) - 1);
    body = of_field("freedoms", [&] { return with_nodes_first(body, first_rows); });
    if (modes == modes) {
      const Index kept = 6 * static_cast<Index>(nodes.size());
      body = of_field("modes", [&] { return craig_bampton(body, kept, whole("modes", modes)); });
    }
    if (damping_ratio > 0) {
      constexpr Index most = 3000;  // the damping matrix is dense
      if (body.size() > most) {
        throw FieldError("damping_ratio", fmt::format("damping_ratio is for bodies of at most {} degrees of freedom, "
                                                      "and this one has {}; reduce it with 'modes'",
                                                      most, body.size()));
      }
      body.D = of_field("damping_ratio", [&] { return modal_damping(body, damping_ratio); });
    }
    return body;
  }
};

}  // namespace

EntryType flexible_body_type() { return entry_type<FlexibleBodyEntry>(EntryType::Stage::elements); }

}  // namespace stillpoint
