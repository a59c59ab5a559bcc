#include "report/document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/page_template.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const DocumentTable& table) {
  ordered_json columns = ordered_json::array();
  for (const DocumentTable::Column& column : table.columns)
    columns.push_back({{"name", column.name}, {"numeric", column.numeric}});
  return {{"caption", table.caption}, {"columns", std::move(columns)}, {"rows", table.rows}};
}

}  // namespace

std::string markdown_of(const DocumentTable& table) {
  std::string text = table.caption.empty() ? "" : folded(table.caption, kPlainWidth) + "\n";
  std::string line = "|";
  text += "|";
  for (const DocumentTable::Column& column : table.columns) {
    text += " " + column.name + " |";
    line += column.numeric ? "---:|" : "---|";
  }
  text += "\n" + line + "\n";
  for (const std::vector<std::string>& row : table.rows)
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

MarkdownPage markdown_of(const Document& document) {
  MarkdownPage page;
  page.markdown = "# " + document.title + "\n";
  if (!document.subtitle.empty()) page.markdown += "\n" + document.subtitle + "\n";
  const auto add_paragraphs = [&](const std::vector<std::string>& paragraphs) {
    for (const std::string& text : paragraphs) page.markdown += "\n" + folded(text, kPlainWidth);
  };
  add_paragraphs(document.paragraphs);
  for (const DocumentSection& section : document.sections) {
    page.markdown += fmt::format(
        "\n{} {}\n", std::string(static_cast<std::size_t>(section.depth), '#'), section.title);
    add_paragraphs(section.paragraphs);
    if (section.chart) {
      page.markdown += fmt::format("\n![{}]({})\n", section.chart->title, section.picture);
      page.pictures.emplace_back(section.picture, svg_of(*section.chart));
    }
    for (const DocumentTable& table : section.tables) page.markdown += "\n" + markdown_of(table);
    if (!section.notes.empty()) page.markdown += "\n";
    for (const std::string& note : section.notes)
      page.markdown += folded("- " + note, kPlainWidth, "  ");
  }
  return page;
}

std::string html_of(const Document& document) {
  ordered_json sections = ordered_json::array();
  for (const DocumentSection& section : document.sections) {
    ordered_json tables = ordered_json::array();
    for (const DocumentTable& table : section.tables) tables.push_back(json_of(table));
    ordered_json chart = section.chart ? json_of(*section.chart) : ordered_json(nullptr);
    sections.push_back({{"title", section.title},
                        {"depth", section.depth},
                        {"paragraphs", section.paragraphs},
                        {"chart", std::move(chart)},
                        {"tables", std::move(tables)},
                        {"notes", section.notes}});
  }
  return page_of(document.title, {{"format", 1},
                                  {"kind", "document"},
                                  {"title", document.title},
                                  {"subtitle", document.subtitle},
                                  {"heddle", HEDDLE_VERSION},
                                  {"paragraphs", document.paragraphs},
                                  {"sections", std::move(sections)}});
}

}  // namespace heddle::report
