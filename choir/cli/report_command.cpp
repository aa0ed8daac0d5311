// `choir report`: a page of a run, or of several side by side.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/codec/files.h"
#include "choir/report/json_file.h"
#include "choir/report/page.h"
#include "choir/report/run_document.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments : OptionTarget {
  std::vector<std::string> runs;
  std::string out;
};

fs::path page_path(const ReportArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.runs.size() == 1) return fs::path(arguments.runs.front()) / "report.html";
  throw Error(ErrorCategory::InvalidArgument,
              "a page of several runs belongs to none of their folders; name a file with --out FILE");
}

// Pages are made again and again; whatever else is there was not meant.
void require_page_or_nothing(const fs::path& path) {
  if (!fs::exists(path) || is_page(file_text(path))) return;
  fail(ErrorCategory::InvalidArgument, "{} exists and is not a page that choir wrote; choose another --out",
       path.string());
}

void write_report(const ReportArguments& arguments, Console& console) {
  const fs::path path = page_path(arguments);
  require_page_or_nothing(path);
  const std::vector<fs::path> runs(arguments.runs.begin(), arguments.runs.end());
  const auto document = runs.size() == 1 ? run_document(runs.front()) : comparison_document(runs);
  const std::string page = page_of(document);
  write_file_atomically(path, page, shows_samples(document) ? Privacy::owner_only : Privacy::usual);
  console.note(fmt::format("{:.1f} MiB; open it in a browser", static_cast<double>(page.size()) / 1048576));
  console.print(path.string());
}

}  // namespace

Command report_command() {
  Command command{
      .name = "report",
      .about = "a page that shows what happened in a run, or several runs side by side",
      .example = "choir report runs/digits\n  choir report runs/samples runs/landmarks --out compare.html"};
  command.takes = {{.name = "RUN", .help = "a folder that choir fit wrote", .many = true}};
  OptionGroup<ReportArguments> group(command.options, "Page");
  group
      .add("out", &ReportArguments::out, "the page to write; of one run report.html in its folder if omitted")
      .named("FILE");
  command.defaults = std::make_shared<ReportArguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    auto arguments = arguments_of<ReportArguments>(table, call);
    arguments.runs = call.words;
    Console console(session.console);
    write_report(arguments, console);
  };
  return command;
}

}  // namespace choir::cli
