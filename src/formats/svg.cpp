#include "formats/svg.h"

#include <fmt/format.h>

#include <cmath>

namespace stillpoint {

namespace {

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    if (c == '&') text += "&amp;";
    else if (c == '<') text += "&lt;";
    else if (c == '>') text += "&gt;";
    else if (c == '"') text += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) text += c;  // control characters are not allowed in XML
  }
  return text;
}

}  // namespace

void Svg::text(double x, double y, double size, const std::string& words, const char* anchor) {
  const std::string place = anchor == std::string("start") ? "" : fmt::format(" text-anchor=\"{}\"", anchor);
  content_ +=
      fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\"{}>{}</text>\n", x, y, size, place, escaped(words));
}

void Svg::frame(double x, double y, double side) { frame(x, y, side, side); }

void Svg::frame(double x, double y, double width, double height) {
  content_ +=
      fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#888\"/>\n", x, y,
                  width, height);
}

void Svg::curve(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width) {
  content_ += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" d=\"", colour, width);
  bool is_drawing = false;
  for (const auto& [x, y] : points) {
    const bool is_point = std::isfinite(x) && std::isfinite(y);
    if (is_point) content_ += fmt::format("{}{:.2f} {:.2f}", is_drawing ? 'L' : 'M', x, y);
    is_drawing = is_point;
  }
  content_ += "\"/>\n";
}

std::string Svg::finish(double width, double height, const std::string& title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"sans-serif\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, escaped(title), content_);
}

}  // namespace stillpoint
