// The parts that JSON reports on modes share.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/report.h"

namespace stillpoint {

using Json = nlohmann::ordered_json;

/// Returns [Re z, Im z].
Json complex_json(std::complex<double> z);
/// Returns name, sizes, rank, redundant constraints and parameters.
Json model_json(const AnalysisCase& analysis);
/// Returns the object that the verb `equilibrium` prints, or null without a model.
Json equilibrium_json(const AnalysisCase& analysis, const PrintOptions& options);

Json modes_json(const AnalysisCase& analysis, const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts,
                const PrintOptions& options);
/// Which engine found the modes, and why.
Json plan_json(const FoundModes& found);
Json count_json(const Spectrum& spectrum);
/// Returns the penalty, or null except for UCS.
Json penalty_json(const MethodReport& method);
Json branches_json(const AnalysisCase& analysis, const std::vector<BranchReport>& branches,
                   const PrintOptions& options);
/// Adds verdict, verdict_basis, ... to an object.
void add_verdict(Json& json, const Verdict& verdict);

/// Returns the text of the object with a line end. Bytes that are not UTF-8 are replaced.
std::string dumped(const Json& json);

}  // namespace stillpoint
