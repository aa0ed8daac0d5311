#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "choir/base/parallel.h"
#include "choir/cli/commands.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/engines.h"

namespace choir::cli {

void add_version_command(CLI::App& app, Session& session) {
  CLI::App* command =
      add_command(app, session, "version", "version, engines, BLAS, cores", "choir version", Prints::table);
  command->callback([&session] {
    Console console(session.console);
    if (console.json()) {
      const nlohmann::ordered_json about = {{"choir", CHOIR_VERSION},
                                            {"engines", engine_names()},
                                            {"blas", blas_description()},
                                            {"cores", hardware_threads()}};
      console.print(about.dump(2));
      return;
    }
    console.print(fmt::format("choir    {}\nengines  {}\nblas     {}\ncores    {}", CHOIR_VERSION,
                              fmt::join(engine_names(), ", "), blas_description(), hardware_threads()));
  });
}

}  // namespace choir::cli
