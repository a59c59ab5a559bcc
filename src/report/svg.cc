#include "report/svg.h"
#include "report/text_table.h"

#include <fmt/format.h>

namespace heddle::report {
namespace {

// Of the variants of a policy's look; web/colours.js has the same.
constexpr std::array<std::string_view, 6> kDashes{"", "7 4", "2 3", "8 3 2 3", "2 6", "12 4"};
// A circle, a square, a triangle, a diamond, a cross, a bar.
constexpr std::array<std::string_view, 6> kSymbols{
    "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z",
    "M-3.5 -3.5H3.5V3.5H-3.5Z",
    "M0 -5L5 4H-5Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M-4 -1.5H-1.5V-4H1.5V-1.5H4V1.5H1.5V4H-1.5V1.5H-4Z",
    "M-5 -1.5H5V1.5H-5Z"};

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

void Svg::lines(const std::vector<std::array<double, 4>>& ends, std::string_view colour) {
  if (ends.empty()) return;
  body_ += "<path d=\"";
  for (const auto& [x1, y1, x2, y2] : ends)
    body_ += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", x1, y1, x2, y2);
  body_ += fmt::format("\" stroke=\"{}\" stroke-width=\"1\"/>\n", colour);
}

void Svg::curve(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                int variant) {
  if (points.size() < 2) return;
  const std::string_view dashes = kDashes[static_cast<std::size_t>(variant) % kDashes.size()];
  body_ += fmt::format(
      "<polyline fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" "
      "stroke=\"{}\"{} points=\"",
      colour, dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
  for (const auto& [x, y] : points) body_ += fmt::format("{:.2f},{:.2f} ", x, y);
  body_.back() = '"';
  body_ += "/>\n";
}

void Svg::symbol(double x, double y, std::string_view colour, int variant, const std::string& tip) {
  const std::string_view path = kSymbols[static_cast<std::size_t>(variant) % kSymbols.size()];
  body_ += fmt::format(
      "<path d=\"{}\" transform=\"translate({:.2f} {:.2f})\" "
      "fill=\"{}\"><title>{}</title></path>\n",
      path, x, y, colour, escaped(tip));
}

void Svg::text(double x, double y, const std::string& words, Anchor anchor, int size,
               std::string_view colour) {
  body_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
      x, y, name_of(anchor), size, colour, escaped(words));
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

}  // namespace heddle::report
