// Vector graphics in the SVG format: texts, rectangles and curves, in user units of one pixel.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stillpoint {

/// A drawing under construction.
class Svg {
 public:
  /// Adds a text. `anchor` states which part of the text is at x: "start", "middle" or "end".
  void text(double x, double y, double size, const std::string& words, const char* anchor = "start");
  void frame(double x, double y, double side);
  void frame(double x, double y, double width, double height);
  /// Adds a polyline. A point with a non-finite coordinate interrupts it.
  void curve(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width);
  /// Adds other SVG elements as text.
  void add(const std::string& elements) { content_ += elements; }
  /// What was added so far.
  const std::string& content() const { return content_; }
  /// Returns the document. `title` is read by screen readers.
  std::string finish(double width, double height, const std::string& title) const;

 private:
  std::string content_;
};

}  // namespace stillpoint
