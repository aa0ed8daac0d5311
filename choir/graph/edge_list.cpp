#include "choir/graph/edge_list.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

struct Line {
  Index number = 0;  // from 1
  std::vector<std::string_view> fields;
};

std::vector<std::string_view> split_fields(std::string_view text) {
  constexpr std::string_view separators = " \t\r,";
  std::vector<std::string_view> fields;
  std::size_t at = text.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return fields;
}

// Calls visit(Line) for each line that holds something.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  Line line;
  while (!text.empty()) {
    ++line.number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    line.fields = split_fields(whole.substr(0, whole.find('#')));
    if (!line.fields.empty()) visit(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// A field fit to stand in a sentence, whatever bytes it has.
std::string shown(std::string_view field) {
  constexpr std::size_t longest = 20;
  std::string clean(field.substr(0, longest));
  std::replace_if(
      clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return fmt::format("'{}{}'", clean, field.size() > longest ? "..." : "");
}

bool is_word(std::string_view field) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return is_letter(field.front());
}

class GraphReader {
 public:
  GraphReader(const std::string& name, Index nodes) : name_(name), asked_(nodes) {}

  Graph read(std::string_view text) {
    for_each_line(text, [&](const Line& line) { take(line); });
    if (form_ == Form::unknown && declared_ == 1) return Graph::from_edges(1, {});
    if (form_ == Form::unknown) {
      bad("{}: it has no links; write two ids per line, such as '0 1'", name_);
    }
    Graph graph = form_ == Form::matrix ? finish_matrix() : finish_list();
    require_connected(graph, name_, ErrorCategory::BadData);
    return graph;
  }

 private:
  enum class Form { unknown, list, matrix };

  template <class... Args>
  [[noreturn]] static void bad(fmt::format_string<Args...> format, Args&&... args) {
    fail(ErrorCategory::BadData, format, std::forward<Args>(args)...);
  }

  void take(const Line& line) {
    if (form_ == Form::unknown && !header_seen_ && is_word(line.fields[0])) return take_header(line);
    if (form_ == Form::unknown) form_ = line.fields.size() > 2 ? Form::matrix : Form::list;
    if (form_ == Form::matrix) {
      take_row(line);
    } else {
      take_link(line);
    }
  }

  void take_header(const Line& line) {
    header_seen_ = true;
    if (line.fields.size() == 2 && line.fields[0] == "nodes") {
      const auto count = parse_integer(line.fields[1]);
      if (!count || *count < 1 || *count > std::numeric_limits<NodeId>::max()) {
        bad("{}: line {} should give a number of nodes, not {}", name_, line.number, shown(line.fields[1]));
      }
      declared_ = static_cast<Index>(*count);
      check_count(declared_, fmt::format("line {} says", line.number));
    } else if (line.fields.size() != 2 || !is_word(line.fields[1])) {
      bad("{}: line {} begins with {}; a first line is 'nodes J', two column names or two ids", name_,
          line.number, shown(line.fields[0]));
    }
  }

  void check_count(Index count, const std::string& who) const {
    if (asked_ > 0 && count != asked_) {
      bad("{}: {} {} nodes, but {} were requested; the numbers must agree", name_, who, count, asked_);
    }
  }

  void take_link(const Line& line) {
    if (line.fields.size() != 2) {
      bad("{}: line {} has {} fields; a link is two ids, such as '0 1'", name_, line.number,
          line.fields.size());
    }
    const Edge link{take_id(line, 0), take_id(line, 1)};
    if (link.a == link.b) {
      bad("{}: line {} links node {} to itself; omit self-links", name_, line.number, link.a);
    }
    edges_.push_back(link);
  }

  NodeId take_id(const Line& line, std::size_t field) const {
    const auto id = parse_integer(line.fields[field]);
    if (!id) {
      bad("{}: line {} has {} in place of a node's id; an id must be a non-negative integer", name_,
          line.number, shown(line.fields[field]));
    }
    const Index known = declared_ > 0 ? declared_ : asked_;
    const Index limit = known > 0 ? known : std::numeric_limits<NodeId>::max();
    if (*id < 0 || *id >= limit) {
      bad("{}: line {} names node {}, but ids run from 0 to {}", name_, line.number, *id, limit - 1);
    }
    return static_cast<NodeId>(*id);
  }

  void take_row(const Line& line) {
    const auto row = static_cast<NodeId>(lists_.size());
    if (lists_.empty()) {
      columns_ = line.fields.size();
      check_count(static_cast<Index>(columns_), "the adjacency matrix has");
      if (declared_ > 0) check_declared(static_cast<Index>(columns_));
    }
    if (line.fields.size() != columns_ || lists_.size() == columns_) {
      bad("{}: line {} is row {} of an adjacency matrix and has {} entries, but the matrix is {} x {}", name_,
          line.number, row + 1, line.fields.size(), columns_, columns_);
    }
    std::vector<NodeId> list;
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::string_view entry = line.fields[column];
      if (entry != "0" && entry != "1") {
        bad("{}: line {} has {} in an adjacency matrix; an entry is 0 or 1 (and a link is two ids per line)",
            name_, line.number, shown(entry));
      }
      if (entry == "1") list.push_back(static_cast<NodeId>(column));
    }
    if (std::find(list.begin(), list.end(), row) != list.end()) {
      bad("{}: line {} links node {} to itself; the diagonal must be 0", name_, line.number, row);
    }
    lists_.push_back(std::move(list));
    line_of_row_.push_back(line.number);
  }

  void check_declared(Index count) const {
    if (count != declared_) {
      bad("{}: the first line says {} nodes, but the adjacency matrix has {}", name_, declared_, count);
    }
  }

  Graph finish_matrix() const {
    if (lists_.size() != columns_) {
      bad("{}: the adjacency matrix has {} columns but only {} rows; it must be square", name_, columns_,
          lists_.size());
    }
    if (const auto link = find_one_sided_link(lists_)) {
      bad("{}: the graph is not symmetric, line {} links node {} to node {} but line {} does not link node "
          "{} "
          "to node {}",
          name_, line_of_row_[static_cast<std::size_t>(link->a)], link->a, link->b,
          line_of_row_[static_cast<std::size_t>(link->b)], link->b, link->a);
    }
    return Graph::from_neighbor_lists(lists_);
  }

  Graph finish_list() const {
    std::vector<NodeId> named;
    named.reserve(2 * edges_.size());
    for (const auto [a, b] : edges_) named.insert(named.end(), {a, b});
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());

    const Index seen = Index{named.back()} + 1;
    if (declared_ == 0) check_count(seen, "its links name");
    const Index count = declared_ > 0 ? declared_ : seen;
    // Before anything of the size of `count` is allocated: a short file may name a very large id.
    if (static_cast<Index>(named.size()) < count) {
      std::size_t missing = 0;
      while (missing < named.size() && named[missing] == static_cast<NodeId>(missing)) ++missing;
      bad("{}: the graph is not connected, none of its {} links names node {}; ids run from 0 to {} without "
          "gaps",
          name_, edges_.size(), missing, count - 1);
    }
    return Graph::from_edges(count, edges_);
  }

  const std::string& name_;
  Index asked_;
  Index declared_ = 0;  // by "nodes J"; 0: not
  bool header_seen_ = false;
  Form form_ = Form::unknown;
  std::vector<Edge> edges_;
  std::size_t columns_ = 0;
  std::vector<std::vector<NodeId>> lists_;  // one per row of the matrix
  std::vector<Index> line_of_row_;
};

}  // namespace

Graph parse_graph(std::string_view text, const std::string& name, Index nodes) {
  if (nodes != 0) require_node_count(nodes);
  return GraphReader(name, nodes).read(text);
}

Graph read_graph_file(const std::filesystem::path& path, Index nodes) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // An empty file makes << fail without anything being wrong; a folder opens but cannot be read.
  if (!file || std::filesystem::is_directory(path) || (file.peek() != EOF && !(text << file.rdbuf()))) {
    fail(ErrorCategory::Io, "{}: the graph cannot be read; check that the file exists and may be opened",
         path.string());
  }
  return parse_graph(text.view(), path.string(), nodes);
}

std::string format_edge_list(const Graph& graph) {
  std::string text = fmt::format("nodes {}\n", graph.nodes());
  for (const auto [a, b] : graph.edge_list()) text += fmt::format("{} {}\n", a, b);
  return text;
}

}  // namespace choir
