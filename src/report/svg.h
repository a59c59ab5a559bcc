// A picture as SVG text on a light background. Coordinates are pixels.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

class Svg {
 public:
  enum class Anchor { start, middle, end };

  void rectangle(double x, double y, double width, double height, std::string_view colour,
                 const std::string& tip = {});
  void line(double x1, double y1, double x2, double y2, std::string_view colour,
            double thickness = 1, bool dashed = false);
  void curve(const std::vector<std::pair<double, double>>& points, std::string_view colour);
  void text(double x, double y, const std::string& words, Anchor anchor = Anchor::start,
            int size = 12, std::string_view colour = "#222222");
  // A coloured square with its meaning. Returns its width.
  double legend(double x, double y, std::string_view colour, const std::string& words);
  std::string document(double width, double height, const std::string& title) const;

  // An upper estimate of the width of sans-serif text.
  static double text_width(const std::string& words, int size = 12);

 private:
  std::string body_;
};

// The distance of lines on an axis: 1, 2 or 5 times a power of ten, at most max_ticks up to
// `highest`.
double tick_step(double highest, int max_ticks);

}  // namespace heddle::report
