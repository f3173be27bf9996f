// Boundary curves in words, as CSV and as JSON.
#include <fmt/format.h>

#include "formats/json_number.h"
#include "report/json_parts.h"
#include "report/parameter_axis.h"
#include "stillpoint/boundary.h"

namespace stillpoint {

namespace {

std::string place_text(const BoundaryCurves& all, double first, double second) {
  return fmt::format("{} = {:.8g}, {} = {:.8g}", all.first, first, all.second, second);
}

std::string curve_text(const BoundaryCurves& all, const BoundaryCurve& curve) {
  const BoundaryPoint &begin = curve.points.front(), &end = curve.points.back();
  std::string text = fmt::format("{} ", to_words(curve.kind));
  if (curve.is_closed)
    text += fmt::format("on a closed curve through {}\n", place_text(all, begin.first, begin.second));
  else
    text += fmt::format("from {} to {}\n", place_text(all, begin.first, begin.second),
                        place_text(all, end.first, end.second));
  for (const BoundaryMark& mark : curve.marks)
    text += fmt::format("  {} at {}\n", to_words(mark.kind), place_text(all, mark.first, mark.second));
  if (!curve.ended.empty()) text += fmt::format("  it ends there: {}\n", curve.ended);
  return text;
}

Json curve_json(const BoundaryCurves& all, const BoundaryCurve& curve) {
  Json points = Json::array(), marks = Json::array();
  for (const BoundaryPoint& point : curve.points)
    points.push_back({{all.first, json_number(point.first)},
                      {all.second, json_number(point.second)},
                      {"error", json_number(point.error)},
                      {"s", complex_json(point.s)},
                      {"unstable_beside", point.unstable_beside}});
  for (const BoundaryMark& mark : curve.marks) {
    Json entry{
        {"kind", to_words(mark.kind)}, {all.first, json_number(mark.first)}, {all.second, json_number(mark.second)}};
    if (mark.kind == BoundaryMark::Kind::another_crosses) entry["s"] = complex_json(mark.s);
    marks.push_back(std::move(entry));
  }
  return {{"kind", to_words(curve.kind)},
          {"closed", curve.is_closed},
          {"ended", curve.ended},
          {"points", points},
          {"marks", marks}};
}

}  // namespace

std::string to_text(const BoundaryCurves& curves) {
  std::string text;
  for (const BoundaryCurve& curve : curves.curves) text += curve_text(curves, curve);
  if (curves.curves.empty()) text += "No curve on which stability changes was found.\n";
  for (const std::string& note : curves.notes) text += note + "\n";
  if (curves.is_partial) text += "\nThe study ends early: interrupted\n";
  return text;
}

std::string to_csv(const BoundaryCurves& curves) {
  std::string text =
      fmt::format("curve,kind,{},{},error,real,imaginary,unstable beside\n", curves.first, curves.second);
  for (std::size_t k = 0; k < curves.curves.size(); ++k) {
    const BoundaryCurve& curve = curves.curves[k];
    for (const BoundaryPoint& point : curve.points)
      text += fmt::format("{},{},{:.17g},{:.17g},{:.3g},{:.17g},{:.17g},{}\n", k + 1, to_words(curve.kind), point.first,
                          point.second, point.error, point.s.real(), point.s.imag(), point.unstable_beside);
  }
  return text;
}

std::string to_json(const BoundaryCurves& curves) {
  Json json;
  json["schema"] = "stillpoint.boundaries/1";
  json["model"] = curves.model;
  json["parameters"] = {{curves.first, {json_number(curves.first_from), json_number(curves.first_to)}},
                        {curves.second, {json_number(curves.second_from), json_number(curves.second_to)}}};
  json["curves"] = Json::array();
  for (const BoundaryCurve& curve : curves.curves) json["curves"].push_back(curve_json(curves, curve));
  json["notes"] = curves.notes;
  json["status"] = curves.is_partial ? "interrupted" : "finished";
  return dumped(json);
}

}  // namespace stillpoint
