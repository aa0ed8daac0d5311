// What a page draws: of a network, of samples as models see them, and of what machines answer all over a
// plane.
//
//   const NetworkDrawing drawing = draw_network(graph, report.ledger);
//   if (drawing.groups.empty()) ...                        // every node is drawn
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/linalg/types.h"
#include "choir/runtime/ledger.h"

namespace choir {

// Every link with what went over it, or, where there are too many to draw, groups of nodes that lie together.
struct NetworkDrawing {
  struct Group {
    Index nodes = 0;
    std::uint64_t sent = 0;
  };
  struct Link {
    Index a = 0;
    Index b = 0;
    std::uint64_t there = 0;  // bytes from a to b
    std::uint64_t back = 0;
  };
  Index nodes = 0;
  std::vector<Group> groups = {};        // empty: every node is drawn
  std::vector<std::uint64_t> sent = {};  // bytes of every node; empty: groups are drawn
  std::vector<Link> links = {};
};

// More than these are drawn as groups.
inline constexpr Index most_drawn_nodes = 1000;
inline constexpr Index most_drawn_links = 8000;
inline constexpr Index drawn_groups = 150;

NetworkDrawing draw_network(const Graph& graph, const Ledger& ledger);

// Some samples of some nodes as these nodes' models see them.
struct EmbeddingDrawing {
  struct Points {
    NodeId node = 0;
    std::string name = {};                  // if it stands for more than its node
    Matrix coordinates = {};                // n x D
    std::vector<std::int64_t> labels = {};  // n, or empty
  };
  std::string axis = "component";
  bool has_clusters = false;  // labels are clusters
  Index samples = 0;          // that these were chosen from
  std::string whose = {};     // "nodes 0 to 4", if other processes have nodes, too
  std::vector<Points> nodes = {};
};

// What machines of two features answer all over the plane that their dictionaries lie in.
struct DecisionDrawing {
  struct Cells {
    NodeId node = 0;
    std::vector<double> values = {};  // row by row from low y on, each from low x on: the place of the answer
                                      // in classes, or, where these are empty, the value
  };
  std::array<double, 2> x = {};  // low, high
  std::array<double, 2> y = {};
  Index columns = 0;
  Index rows = 0;
  std::vector<std::int64_t> classes = {};
  std::vector<Cells> nodes = {};
};

}  // namespace choir
