// The bundled page as it lies in the tree: the assembler copies the file's bytes.
#include <cstddef>

#include "choir/report/page_template.h"

asm(R"(
  .pushsection .rodata
  .hidden choir_page_begin
  .hidden choir_page_end
  .global choir_page_begin
  .global choir_page_end
choir_page_begin:
  .incbin ")" CHOIR_PAGE_FILE R"("
choir_page_end:
  .popsection
)");

extern "C" {
extern const char choir_page_begin[];
extern const char choir_page_end[];
}

namespace choir {

std::string_view page_template() {
  return {choir_page_begin, static_cast<std::size_t>(choir_page_end - choir_page_begin)};
}

}  // namespace choir
