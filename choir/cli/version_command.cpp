#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "choir/base/parallel.h"
#include "choir/cli/command.h"
#include "choir/linalg/blas.h"
#include "choir/report/built_in_parts.h"
#include "choir/run/version.h"
#include "choir/runtime/engines.h"

namespace choir::cli {

Command version_command() {
  Command command{.name = "version",
                  .about = "version, engines, optional parts, BLAS, cores",
                  .example = "choir version"};
  command.prints_table = true;
  command.run = [](const Call&, Session& session) {
    Console console(session.console);
    if (console.json()) {
      const nlohmann::ordered_json about = {{"choir", version()},
                                            {"engines", engine_names()},
                                            {"parts", built_in_parts()},
                                            {"blas", blas_description()},
                                            {"cores", hardware_threads()}};
      console.print(about.dump(2));
      return;
    }
    console.print(fmt::format("choir    {}\nengines  {}\nparts    {}\nblas     {}\ncores    {}", version(),
                              fmt::join(engine_names(), ", "), fmt::join(built_in_parts(), ", "),
                              blas_description(), hardware_threads()));
  };
  return command;
}

}  // namespace choir::cli
