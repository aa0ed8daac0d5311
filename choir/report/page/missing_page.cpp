#include "choir/base/error.h"
#include "choir/report/page_template.h"

namespace choir {

std::string_view page_template() {
  throw Error(ErrorCategory::Unavailable, "this choir was built without the page of a report (CHOIR_PAGE)");
}

}  // namespace choir
