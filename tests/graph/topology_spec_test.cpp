#include "choir/graph/topology_spec.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

using testing::expect_error;

TEST(TopologySpec, ReadsEveryChoice) {
  EXPECT_EQ(parse_topology_spec("line").kind, TopologyKind::line);
  EXPECT_EQ(parse_topology_spec("grid").kind, TopologyKind::grid);
  EXPECT_EQ(parse_topology_spec("torus").kind, TopologyKind::torus);
  EXPECT_EQ(parse_topology_spec("complete").kind, TopologyKind::complete);
  EXPECT_EQ(parse_topology_spec("star").kind, TopologyKind::star);
  EXPECT_EQ(parse_topology_spec("ring:4").kind, TopologyKind::ring);
  EXPECT_EQ(parse_topology_spec("ring:4").number, 4);
  EXPECT_EQ(parse_topology_spec("tree:3").number, 3);
  EXPECT_EQ(parse_topology_spec("barabasi:2").number, 2);
  EXPECT_EQ(parse_topology_spec("erdos:0.25").number, 0.25);
  EXPECT_EQ(parse_topology_spec("geometric:1e-1").number, 0.1);
  EXPECT_EQ(parse_topology_spec("file:a:b c.txt").path, "a:b c.txt");
}

TEST(TopologySpec, PrintsWhatItRead) {
  for (const char* text : {"ring:4", "line", "grid", "torus", "complete", "star", "tree:2", "erdos:0.1",
                           "barabasi:3", "geometric:0.3", "file:/tmp/links.txt"}) {
    EXPECT_EQ(to_string(parse_topology_spec(text)), text);
  }
}

TEST(TopologySpec, ListsTheChoicesForAnUnknownWord) {
  for (const char* text : {"", "rings:4", "RING:4", ":", ":4", " ring:4", "mesh"}) {
    SCOPED_TRACE(text);
    expect_error(ErrorCategory::InvalidArgument,
                 {"no topology", "ring:k", "line", "grid", "torus", "complete", "star", "tree:b", "erdos:p",
                  "barabasi:m", "geometric:r", "file:PATH"},
                 [&] { parse_topology_spec(text); });
  }
}

TEST(TopologySpec, KeepsBinaryAndLongInputOutOfTheMessage) {
  expect_error(ErrorCategory::InvalidArgument, {"'a?b'"}, [] { parse_topology_spec("a\nb"); });
  try {
    parse_topology_spec(std::string(100'000, 'x'));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 300u);
  }
}

TEST(TopologySpec, SaysWhatIsMissing) {
  expect_error(ErrorCategory::InvalidArgument, {"ring needs", "even number", "ring:4"},
               [] { parse_topology_spec("ring"); });
  expect_error(ErrorCategory::InvalidArgument, {"erdos needs", "probability"},
               [] { parse_topology_spec("erdos:"); });
  expect_error(ErrorCategory::InvalidArgument, {"file needs", "path"}, [] { parse_topology_spec("file:"); });
}

TEST(TopologySpec, SaysWhatDoesNotBelong) {
  expect_error(ErrorCategory::InvalidArgument, {"grid takes no parameter", "'grid:4'"},
               [] { parse_topology_spec("grid:4"); });
  expect_error(ErrorCategory::InvalidArgument, {"line takes no parameter"},
               [] { parse_topology_spec("line:"); });
  for (const char* text : {"ring:two", "ring:2.5", "ring:1e300", "ring:nan", "tree:1:2", "barabasi:2 "}) {
    SCOPED_TRACE(text);
    expect_error(ErrorCategory::InvalidArgument, {"after the colon, not '", "for example"},
                 [&] { parse_topology_spec(text); });
  }
  for (const char* text : {"erdos:p", "erdos:inf", "geometric:0,3"}) {
    SCOPED_TRACE(text);
    expect_error(ErrorCategory::InvalidArgument, {"after the colon, not '", "for example"},
                 [&] { parse_topology_spec(text); });
  }
}

}  // namespace
}  // namespace choir
