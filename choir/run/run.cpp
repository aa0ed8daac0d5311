#include "choir/run/run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/parallel.h"
#include "choir/base/stopwatch.h"
#include "choir/base/text.h"
#include "choir/report/circumstances.h"
#include "choir/run/config.h"
#include "choir/run/possible_result.h"
#include "choir/run/privacy_charge.h"
#include "choir/run/private_result.h"
#include "choir/run/result_json.h"
#include "choir/run/run_report.h"
#include "choir/run/same_options.h"
#include "choir/run/saving.h"
#include "choir/run/start_engine.h"
#include "choir/run/version.h"
#include "choir/runtime/memory_plan.h"

namespace choir {
namespace {

constexpr std::string_view totals_with_noise =
    "sums over all nodes with the noise of differential privacy, and what follows from them";
constexpr std::uint64_t worth_saying = std::uint64_t{1} << 30;  // bytes of planned memory

const MethodInfo& info_of(const Job& job) {
  if (!job.method.empty()) return find_method(job.method);
  for (const MethodInfo* info : all_methods()) {
    if (info->start()->take(job.typed)) return *info;
  }
  throw Error(ErrorCategory::InvalidArgument, "the job names no method");
}

// Typed options count as given where they differ from what the method would have done.
void mark_typed(const MethodInfo& info, Settings& settings) {
  const std::unique_ptr<Method> plain = info.start();
  for (const OptionRow& row : info.options.rows()) {
    if (row.values(settings) != row.values(plain->settings())) settings.given.insert(row.name);
  }
}

std::vector<GivenOption> with_config(std::vector<GivenOption> given, const OptionTable& table) {
  const auto config = std::find_if(given.begin(), given.end(),
                                   [](const GivenOption& option) { return option.name == "config"; });
  if (config == given.end() || config->values.empty()) return given;
  const std::vector<GivenOption> from_file = read_config(config->values.back());
  for (const GivenOption& option : from_file) {
    const OptionRow* row = table.find(option.name);
    if (row == nullptr || !row->of_the_call) continue;
    fail(ErrorCategory::InvalidArgument, "{}: '{}' belongs on the command line, not into a file",
         option.origin, option.name);
  }
  given.insert(given.end(), from_file.begin(), from_file.end());
  return given;
}

// config.resolved.toml has every option, so a default in a file says nothing: nobody chose it, and what goes
// together with other options is not refused for it.
void forget_defaults_in_file(const MethodInfo& info, const std::vector<GivenOption>& typed,
                             Settings& settings) {
  const std::unique_ptr<Method> plain = info.start();
  const auto is_typed = [&](const OptionRow& row) {
    return std::ranges::any_of(
        typed, [&](const GivenOption& option) { return info.options.find(option.name) == &row; });
  };
  for (const OptionRow& row : info.options.rows()) {
    if (!is_typed(row) && row.values(settings) == row.values(plain->settings()))
      settings.given.erase(row.name);
  }
}

std::unique_ptr<Method> configure(const MethodInfo& info, const Job& job) {
  std::unique_ptr<Method> method = info.start();
  Settings& settings = method->settings();
  if (job.typed.has_value()) {
    if (!method->take(job.typed))
      fail(ErrorCategory::InvalidArgument, "the options are not those of {}", info.name);
    mark_typed(info, settings);
  }
  apply_options(info.options, with_config(job.given(), info.options), settings);
  forget_defaults_in_file(info, job.given(), settings);
  if (settings.data.data.empty() && !job.data.is_in_memory()) {
    throw Error(ErrorCategory::InvalidArgument,
                "--data is missing: name a file, or a pattern of shards such as part-{node}.npy");
  }
  return method;
}

void check_engine(const MethodInfo& info, const Settings& settings) {
  const std::string& engine = settings.engine.engine;
  if (!info.has_network && engine != "local") {
    fail(ErrorCategory::InvalidArgument,
         "{} has no network, so it runs with --engine local alone, not with {}", info.name, engine);
  }
}

// What a process plans to need.
struct MemoryStatement {
  std::uint64_t bytes = 0;
  bool fits = true;
  std::string words = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(bytes, fits, words);
  }
};

std::vector<std::string> words_of(const KindSet& kinds) {
  std::vector<std::string> words;
  for (const Kind kind : kinds.list()) words.emplace_back(to_string(kind));
  return words;
}

}  // namespace

struct Run::State {
  State(Job given_job, const Watch& watch, RunHooks given_hooks);

  void start();
  void begin();
  void prepare();
  MemoryStatement plan_memory();
  void complete();
  void describe_call();
  void finish_models();

  const MethodInfo& info;
  Job job;
  RunHooks hooks;
  std::unique_ptr<Method> method;
  std::shared_ptr<Engine> engine;
  std::shared_ptr<ProcessGroup> processes;
  std::shared_ptr<SavingPlace> place;
  std::optional<MethodContext> context;
  Stopwatch clock;
  bool begun = false;
  std::optional<Graph> graph;
  std::optional<Contract> contract;
  Plan plan;

  Settings& settings() { return method->settings(); }
  const PrivacyOptions& privacy() { return settings().privacy.asked; }
};

Run::State::State(Job given_job, const Watch& watch, RunHooks given_hooks)
    : info(info_of(given_job)),
      job(std::move(given_job)),
      hooks(std::move(given_hooks)),
      method(configure(info, job)) {
  check_engine(info, settings());
  require_privacy_settings(settings());
  if (privacy().wanted())
    settings().network.lost_peers = LostPeers::fail;  // also where going on is the default
  start();
  RunOptions options = settings().run_options();
  options.watch = watch;
  options.audit = hooks.audit;
  context.emplace(MethodContext{.processes = *processes,
                                .data = job.data,
                                .options = std::move(options),
                                .note = hooks.note ? hooks.note : [](const std::string&) {},
                                .save_requests = hooks.save_requests,
                                .draws = settings().folder.report && !privacy().wanted()});
  context->result.call.started = time_now();
}

void Run::State::begin() {
  if (begun) return;
  begun = true;
  require_same_options(info, settings(), *processes);
  const FolderSettings& folder = settings().folder;
  if (!folder.out.empty() && !folder.plan) {
    place->reserved.emplace(SharedFolder::create(folder.out, {.force = folder.force}, *processes));
  }
  processes->together([&] { method->check(*context); });
}

void Run::State::start() {
  // The engine may outlive the run, in its result.
  place = std::make_shared<SavingPlace>();
  engine = start_engine(settings(),
                        [said = hooks.last_words, where = std::weak_ptr(place)](const std::string& sentence) {
                          if (said) said(sentence);
                          const auto there = where.lock();
                          if (there && there->reserved) there->reserved->abandon();
                        });
  processes = std::make_shared<ProcessGroup>(*engine);
  place->engine = engine;
  place->processes = processes;
}

MemoryStatement Run::State::plan_memory() {
  const MemoryStatement mine = processes->together([&] {
    const int at_once = settings().engine.engine == "local" ? resolve_threads(settings().engine.threads) : 1;
    const MemoryPlan memory =
        choir::plan_memory(*graph, *contract, engine->own_nodes(graph->nodes()), at_once);
    const std::uint64_t available = available_memory();
    return MemoryStatement{
        .bytes = memory.total(), .fits = memory.total() <= available, .words = describe(memory, available)};
  });
  MemoryStatement most = mine;
  for (MemoryStatement& each : processes->tell_all(Kind::facts, mine)) {
    if (each.bytes > most.bytes) most = std::move(each);
  }
  // What does not fit the engine refuses, with words about shards. Where other things decide, all processes
  // refuse here.
  processes->together([&] {
    if (most.fits || method->to_need_less().empty()) return;
    fail(ErrorCategory::OutOfMemory, "{}: {}; {}", contract->method, most.words, method->to_need_less());
  });
  if (most.bytes > worth_saying && most.fits) context->note(most.words);
  return most;
}

void Run::State::prepare() {
  if (graph) return;
  begin();
  method->read(*context);
  graph.emplace(processes->together([&] { return method->network(*context); }));
  contract = method->contract(*context, *graph);
  if (privacy().wanted()) require_private(*contract);
  context->keeps_samples =
      !info.has_network || settings().network.keep_samples || contract->kinds.has(Kind::raw_samples);
  const Result& found = context->result;
  plan = {.method = info.name,
          .engine = settings().engine.engine,
          .nodes = found.nodes,
          .samples = found.samples,
          .features = found.features,
          .topology = info.has_network ? found.call.resolved.at("topology") : "none",
          .links = graph->edges()};
  if (privacy().wanted()) {
    plan.privacy = privacy_words(settings());
    for (const Release& release : method->releases(found.nodes)) plan.privacy.push_back(words_of(release));
  }
  if (!info.has_network) return;
  plan.smallest_degree = plan.largest_degree = graph->degree(0);
  for (NodeId node = 0; node < graph->nodes(); ++node) {
    plan.smallest_degree = std::min(plan.smallest_degree, graph->degree(node));
    plan.largest_degree = std::max(plan.largest_degree, graph->degree(node));
  }
  const KindSet kinds = contract->kinds.with(context->agreement.kinds);
  plan.leaves_a_node = words_of(kinds);
  for (const Kind kind : kinds.list()) {
    const bool noisy = privacy().wanted() && kind == Kind::totals;
    plan.tells.emplace_back(noisy ? totals_with_noise : what_it_tells(kind));
  }
  plan.exposes = method->exposes();
  if (processes->size() > 1) plan.leaves_a_process = words_of(process_kinds);
  const MemoryStatement memory = plan_memory();
  plan.memory_bytes = memory.bytes;
  plan.fits = memory.fits;
  context->result.planned_memory_bytes = memory.bytes;
}

// Files say which options their models were fitted with.
void Run::State::finish_models() {
  std::map<std::string, std::string> parameters;
  for (const OptionRow& row : info.options.rows()) {
    const bool promised = privacy().wanted() && row.name == "delta";
    if (promised || settings().was_given(row.name))
      parameters[row.key()] = readable(canonical_text(row, settings()));
  }
  for (const auto& [name, value] : context->result.call.resolved) parameters[name] = readable(value);
  for (NodeModel& model : context->result.models) {
    model.make = [make = std::move(model.make), parameters, name = info.name, recipe = context->recipe] {
      ModelFile file = make();
      file.method = name;
      file.recipe = recipe;
      file.parameters.insert(parameters.begin(), parameters.end());
      return file;
    };
  }
  if (!context->draws) return;
  if (!context->keeps_samples) {
    add_notes({"the page shows no samples, because the nodes of this run exchange none; use --keep-samples "
               "to show them"},
              context->result);
    return;
  }
  for (const NodeModel& model : context->result.models) {
    std::vector<NodeId> drawn = model.holders.empty() ? std::vector<NodeId>{model.node} : model.holders;
    std::erase_if(drawn, [&](NodeId node) { return !context->sketch.wants(node); });
    if (drawn.empty()) continue;
    const ModelFile file = model.make();
    for (const NodeId node : drawn) context->sketch.add(node, file.answer(), context->options.threads);
  }
}

// What it takes to do it again.
void Run::State::describe_call() {
  Call& call = context->result.call;
  const std::string launcher = processes->size() > 1 ? fmt::format("mpirun -n {} ", processes->size()) : "";
  call.command = given_command(launcher + "choir fit " + info.name, info.options, settings());
  call.note = "The folder it names must be new: give another --out, or --force.";
  if (settings().data.data == "-")
    call.note += " The samples came from standard input and are wanted there again.";
  if (privacy().wanted()) call.note += " Noise is drawn anew, and every run costs privacy.";
  call.ranks = processes->size();
  call.options = used_options(info.options, settings());
  call.config = fmt::format("# choir {} fit {}\n{}", version(), info.name,
                            config_text(info.options, settings(), call.resolved));
}

void Run::State::complete() {
  Result& result = context->result;
  result.choir_version = version();
  result.method = info.name;
  result.engine = settings().engine.engine;
  result.random_state = settings().engine.random_state;
  result.tol = settings().components.tol;
  result.if_longer = settings().longer;
  if (result.tol == 0) result.converged = std::nullopt;  // a run of fixed length
  finish_models();
  result.embedding = context->sketch.drawing();
  for (const std::uint64_t peak : processes->tell_all(Kind::facts, peak_memory())) {
    result.memory_peak_bytes = std::max(result.memory_peak_bytes, peak);
  }
  for (const auto& told : processes->tell_all(Kind::facts, processes->told())) {
    for (const auto& [kind, traffic] : told) result.between_processes[kind] += traffic;
  }
  result.total_seconds = clock.seconds();
  describe_call();
  result.place = place;
}

Run::Run(Job job, const Watch& watch, RunHooks hooks)
    : state_(std::make_unique<State>(std::move(job), watch, std::move(hooks))) {
  // Several processes begin together, once the caller can tell their failures apart.
  if (state_->processes->size() == 1) state_->begin();
}

Run::~Run() = default;

const Settings& Run::settings() const { return state_->settings(); }

ProcessGroup& Run::processes() { return *state_->processes; }

const Plan& Run::plan() {
  state_->prepare();
  return state_->plan;
}

Result Run::execute() {
  State& state = *state_;
  state.prepare();
  MethodContext& context = *state.context;
  for (const std::string& sentence : state.plan.exposes) context.note(sentence);
  if (!state.plan.exposes.empty()) context.result.facts.set("exposes", state.plan.exposes);
  std::optional<PrivacyCharge> charge;
  if (state.privacy().wanted()) charge = charge_privacy(state.info, state.settings(), *state.processes);
  if (charge && !charge->uncounted.empty()) context.note(charge->uncounted);
  const RunReport report = state.processes->together([&] {
    RunReport done = state.method->fit(context, *state.graph);
    require_no_crash(done, context.options.lost_peers);
    return done;
  });
  if (state.info.has_network) {
    describe_report(report, *state.graph, state.settings().engine.engine, context.result);
    add_traffic(context.agreement.ledger, context.result);
  }
  state.method->conclude(context, *state.graph);
  require_possible(context.result);
  if (charge) complete_privacy(state.privacy(), *charge, context.result);
  state.complete();
  if (charge) require_private(context.result, state.info);
  return std::move(context.result);
}

std::string Plan::words() const {
  std::string text;
  const auto line = [&](const std::string& name, const std::string& what) {
    text += fmt::format("{:<19}{}\n", name, what);
  };
  line("plan", method);
  line("engine", engine);
  line("nodes", fmt::format("{}", nodes));
  line("samples", fmt::format("{}", samples));
  line("features", fmt::format("{}", features));
  if (!leaves_a_node.empty()) {
    line("topology", fmt::format("{}: {} links, {} to {} neighbours per node", topology, links,
                                 smallest_degree, largest_degree));
    for (std::size_t i = 0; i < leaves_a_node.size(); ++i) {
      line(i == 0 ? "may leave a node" : "", fmt::format("{}: {}", leaves_a_node[i], tells[i]));
    }
  }
  for (const std::string& sentence : exposes) line("exposes", sentence);
  for (const std::string& sentence : privacy) line(sentence == privacy.front() ? "privacy" : "", sentence);
  if (!leaves_a_process.empty())
    line("between processes", fmt::format("{}", fmt::join(leaves_a_process, ", ")));
  if (memory_bytes > 0) {
    line("memory", human_bytes(static_cast<double>(memory_bytes)) + (fits ? "" : ": more than there is"));
  }
  text.pop_back();
  return text;
}

std::unique_ptr<Method> configured_method(const Job& job) { return configure(info_of(job), job); }

}  // namespace choir
