# The template of HTML reports, with its style and scripts inside. It is built from src/report/web
# when the npm packages are there (npm ci --prefix src/report/web); otherwise the kept file serves.
# A build never uses the network.
set(report_web ${CMAKE_SOURCE_DIR}/src/report/web)
set(report_page ${report_web}/kept/report.html)
find_program(HEDDLE_NODE node DOC "builds the page of reports and runs its tests")
if(HEDDLE_NODE AND EXISTS ${report_web}/node_modules/esbuild)
  set(report_page ${CMAKE_BINARY_DIR}/report.html)
  file(GLOB report_web_sources CONFIGURE_DEPENDS ${report_web}/*)
  list(FILTER report_web_sources EXCLUDE REGEX "/(node_modules|kept)$")
  add_custom_command(OUTPUT ${report_page}
    COMMAND ${HEDDLE_NODE} ${report_web}/build.mjs ${report_page}
    DEPENDS ${report_web_sources} COMMENT "Building the page of reports" VERBATIM)
endif()
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/report/page_template.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS ${report_page}
  COMPILE_DEFINITIONS "HEDDLE_REPORT_PAGE=\"${report_page}\"")
# The page contains parts of ECharts.
