#include "report/page_template.h"

// HEDDLE_REPORT_PAGE: the file, from cmake/report_page.cmake.
asm(".section .rodata\n"
    ".global heddle_report_page, heddle_report_page_end\n"
    "heddle_report_page: .incbin \"" HEDDLE_REPORT_PAGE
    "\"\n"
    "heddle_report_page_end: .byte 0\n"
    ".previous\n");
extern "C" const char heddle_report_page[], heddle_report_page_end[];

namespace heddle::report {

std::string_view page_template() {
  return {heddle_report_page,
          static_cast<std::size_t>(heddle_report_page_end - heddle_report_page)};
}

}  // namespace heddle::report
