// SVG: every element is there, in its place, and no text breaks the document.

#include "formats/svg.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/error_texts.h"

using namespace stillpoint;

namespace {

std::string drawn(const Svg& svg) { return svg.finish(300, 200, "a title"); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

}  // namespace

TEST_CASE("SVG: a document has a size, a name space and a title for screen readers") {
  const std::string text = drawn(Svg());
  CHECK(text.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"200\" viewBox=\"0 0 300 200\"",
                   0) == 0);
  CHECK(contains(text, "<title>a title</title>"));
  CHECK(text.substr(text.size() - 7) == "</svg>\n");
  CHECK(count(text, "<rect") == 1);  // the white ground
}

TEST_CASE("SVG: signs of XML in a text and in the title are escaped, control characters are left out") {
  Svg svg;
  svg.text(1, 2, 12, "a < b & \"c\" > d\x01\n");
  const std::string text = svg.finish(10, 10, "J<K>");
  CHECK(contains(text, ">a &lt; b &amp; &quot;c&quot; &gt; d</text>"));
  CHECK(contains(text, "<title>J&lt;K&gt;</title>"));
  svg = Svg();
  svg.text(0, 0, 9, "φ₁ in °");  // UTF-8 stays
  CHECK(contains(drawn(svg), ">φ₁ in °</text>"));
}

TEST_CASE("SVG: a text stands at its anchor") {
  Svg svg;
  svg.text(10.5, 20, 12, "left");
  svg.text(30, 40, 8, "middle", "middle");
  svg.text(50, 60, 8, "right", "end");
  CHECK(contains(drawn(svg), "<text x=\"10.5\" y=\"20\" font-size=\"12\">left</text>"));
  CHECK(contains(drawn(svg), "<text x=\"30\" y=\"40\" font-size=\"8\" text-anchor=\"middle\">middle</text>"));
  CHECK(contains(drawn(svg), "text-anchor=\"end\">right</text>"));
}

TEST_CASE("SVG: frames are rectangles, with one side a square") {
  Svg svg;
  svg.frame(1, 2, 30);
  svg.frame(3, 4, 50, 60);
  CHECK(contains(drawn(svg), "<rect x=\"1\" y=\"2\" width=\"30\" height=\"30\" fill=\"none\""));
  CHECK(contains(drawn(svg), "<rect x=\"3\" y=\"4\" width=\"50\" height=\"60\" fill=\"none\""));
}

TEST_CASE("SVG: a curve is interrupted at points that are not finite") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Svg svg;
  svg.curve({{nan, 0}, {0, 1}, {2, 3}, {4, infinity}, {5, 6}, {7, 8.005}}, "#c00", 1.5);
  CHECK(contains(drawn(svg), "stroke=\"#c00\" stroke-width=\"1.5\" d=\"M0.00 1.00L2.00 3.00M5.00 6.00L7.00 8.0"));
  CHECK(!contains(drawn(svg), "nan"));
  CHECK(!contains(drawn(svg), "inf"));
}

TEST_CASE("SVG: elements given as text are kept as they are, in order") {
  Svg svg;
  svg.frame(0, 0, 1);
  svg.add("<g id=\"x\"/>\n");
  svg.frame(0, 0, 2);
  const std::string text = drawn(svg);
  CHECK(text.find("width=\"1\"") < text.find("<g id=\"x\"/>"));
  CHECK(text.find("<g id=\"x\"/>") < text.find("width=\"2\""));
}
