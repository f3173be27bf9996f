// What reports on modes have in common as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/report.h"

namespace stillpoint {

using Json = nlohmann::ordered_json;

/// Name, sizes, rank, redundant constraints, parameters.
Json model_json(const Subject& subject);
/// As the verb `equilibrium` prints it; null without a model.
Json equilibrium_json(const Subject& subject, const PrintOptions& options);

Json modes_json(const Subject& subject, const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts,
                const PrintOptions& options);
Json count_json(const Spectrum& spectrum);
/// null except for UCS.
Json penalty_json(const MethodReport& method);
Json branches_json(const Subject& subject, const std::vector<BranchReport>& branches, const PrintOptions& options);
/// Adds verdict, verdict_basis, ... to an object.
void add_verdict(Json& json, const Verdict& verdict);

/// With a line end; text that is not UTF-8 is mended.
std::string dumped(const Json& json);

}  // namespace stillpoint
