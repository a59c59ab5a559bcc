#include "report/svg.h"
#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '&': text += "&amp;"; break;
      case '"': text += "&quot;"; break;
      default:
        text +=
            static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // XML 1.0 has no control characters
    }
  }
  return text;
}

const char* name_of(Svg::Anchor anchor) {
  return anchor == Svg::Anchor::start ? "start" : anchor == Svg::Anchor::middle ? "middle" : "end";
}

}  // namespace

void Svg::rectangle(double x, double y, double width, double height, std::string_view colour,
                    const std::string& tip) {
  if (width <= 0 || height <= 0) return;
  const std::string shape =
      fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"",
                  x, y, width, height, colour);
  body_ += tip.empty() ? shape + "/>\n" : shape + "><title>" + escaped(tip) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour,
               double thickness, bool dashed) {
  body_ += fmt::format(
      "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
      "stroke-width=\"{}\"{}/>\n",
      x1, y1, x2, y2, colour, thickness, dashed ? " stroke-dasharray=\"4 3\"" : "");
}

void Svg::curve(const std::vector<std::pair<double, double>>& points, std::string_view colour) {
  if (points.empty()) return;
  body_ += "<polyline fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke=\"" +
           std::string(colour) + "\" points=\"";
  for (const auto& [x, y] : points) body_ += fmt::format("{:.2f},{:.2f} ", x, y);
  body_.back() = '"';
  body_ += "/>\n";
}

void Svg::text(double x, double y, const std::string& words, Anchor anchor, int size,
               std::string_view colour) {
  body_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
      x, y, name_of(anchor), size, colour, escaped(words));
}

double Svg::legend(double x, double y, std::string_view colour, const std::string& words) {
  rectangle(x, y - 10, 11, 11, colour);
  text(x + 16, y, words);
  return 16 + text_width(words) + 18;
}

double Svg::text_width(const std::string& words, int size) {
  return 0.58 * size * display_width(words);
}

std::string Svg::document(double width, double height, const std::string& title) const {
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
             "xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 "
             "0 {0:.0f} {1:.0f}\" "
             "font-family=\"Helvetica, Arial, 'DejaVu Sans', "
             "sans-serif\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#ffffff\"/>\n",
             width, height, escaped(title)) +
         body_ + "</svg>\n";
}

double tick_step(double highest, int max_ticks) {
  const double rough = highest / max_ticks,
               power = std::pow(10, std::floor(std::log10(std::max(rough, 1e-9))));
  for (const double step : {1.0, 2.0, 5.0})
    if (rough <= step * power) return step * power;
  return 10 * power;
}

}  // namespace heddle::report
