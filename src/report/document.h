// A page of sentences, pictures and tables, as Markdown with SVG pictures and as one HTML file that
// draws the same values with the scripts of report/web.
//
// The data of the HTML file are a JSON object:
//   format, kind ("document"), title, subtitle, heddle, paragraphs [text]
//   sections [{title, depth, paragraphs, chart, tables, notes [text]}]
//   chart (chart.h): null when there is none
//   tables [{caption, columns [{name, numeric}], rows [[text]]}]
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/chart.h"

namespace heddle::report {

struct DocumentTable {
  struct Column {
    std::string name;
    bool numeric = false;
  };
  std::string caption;  // may be empty
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

struct DocumentSection {
  std::string title;
  int depth = 2;  // of the heading; the title of the document has 1
  std::vector<std::string> paragraphs;
  std::optional<Chart> chart;
  std::string picture;  // name of the chart's SVG file beside the Markdown page
  std::vector<DocumentTable> tables;
  std::vector<std::string> notes;  // a list after the tables
};

struct Document {
  std::string title, subtitle;
  std::vector<std::string> paragraphs;
  std::vector<DocumentSection> sections;
};

struct MarkdownPage {
  std::string markdown;
  // Name of the file beside the page, and its SVG text; one per chart.
  std::vector<std::pair<std::string, std::string>> pictures;
};

MarkdownPage markdown_of(const Document& document);
std::string markdown_of(const DocumentTable& table);
std::string html_of(const Document& document);

}  // namespace heddle::report
