// The data of the page as JSON, schema stillpoint.page/1.
#pragma once

#include "report/json_parts.h"
#include "stillpoint/report_page.h"

namespace stillpoint {

Json page_json(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
               const PageOptions& options);

}  // namespace stillpoint
