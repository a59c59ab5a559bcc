// A picture as SVG text on a light background. Coordinates are pixels.
#pragma once

#include <array>
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
  // Thin lines of one colour: x and y of both ends.
  void lines(const std::vector<std::array<double, 4>>& ends, std::string_view colour);
  // variant: of the dashes.
  void curve(const std::vector<std::pair<double, double>>& points, std::string_view colour,
             int variant = 0);
  void symbol(double x, double y, std::string_view colour, int variant,
              const std::string& tip = {});
  void text(double x, double y, const std::string& words, Anchor anchor = Anchor::start,
            int size = 12, std::string_view colour = "#222222");
  std::string document(double width, double height, const std::string& title) const;

  // An upper estimate of the width of sans-serif text.
  static double text_width(const std::string& words, int size = 12);

 private:
  std::string body_;
};

}  // namespace heddle::report
