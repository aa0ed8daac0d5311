#include "choir/data/stream.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "data/gzip_support.h"
#include "data/stream_support.h"
#include <fcntl.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choir/data/writer.h"

namespace choir {
namespace {

std::string stream_refusal(const std::string& source, const StreamOptions& options = {}) {
  return sentence(ErrorCategory::BadData, [&] { drain(*open_stream(source, options), 3); });
}

// What `write` sends is what the program reads from standard input.
template <class Write, class Read>
void with_standard_input(Write write, Read read) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int before = ::dup(0);
  ::dup2(ends[0], 0);
  ::close(ends[0]);
  std::thread writer([&] {
    write(ends[1]);
    ::close(ends[1]);
  });
  read();
  ::dup2(before, 0);
  ::close(before);
  writer.join();
}

bool send(int descriptor, std::string_view text) {
  return ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

TEST(OpenStream, AgreesWithReadDatasetInEveryFormat) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.csv",
                        "a,b,c\n0.5,1.5,2.5\n10.5,11.5,12.5\n20.5,21.5,22.5\n30.5,31.5,32.5\n");
  write_file_atomically(folder / "table.tsv",
                        "0.5\t1.5\t2.5\n10.5\t11.5\t12.5\n20.5\t21.5\t22.5\n30.5\t31.5\t32.5\n");
  for (const std::string& source :
       {fixture("float64.npy"), fixture("f8.idx"), fixture("one.h5"), fixture("several.h5:/big_endian"),
        (folder / "table.csv").string(), (folder / "table.tsv").string()}) {
    for (const Index count : {1, 2, 3, 4, 100})
      EXPECT_EQ(drain(*open_stream(source), count).samples, read_dataset(source).samples) << source;
  }
}

TEST(OpenStream, TakesTargetsFromAFileBeside) {
  const TextFile csv("7\n0\n7\n3\n");
  for (const std::string& target : {fixture("labels.idx"), fixture("one.h5:/group/labels"), csv.source()}) {
    const auto stream = open_stream(fixture("float64.npy"), {.target = target});
    const TargetedSamples all = drain(*stream, 3);
    EXPECT_EQ(all.samples, table(0.5)) << target;
    EXPECT_EQ(all.targets, (Vector(4) << 7, 0, 7, 3).finished()) << target;
  }
  const TextFile samples("1,2\n3,4\n5,6\n7,8\n");
  EXPECT_EQ(drain(*open_stream(samples.source(), {.target = fixture("labels.idx")}), 3).targets[3], 3);
}

TEST(OpenStream, KnowsJsonByItsFirstCharacterWhateverTheName) {
  for (const char* name : {"x.ndjson", "x.jsonl", "x.csv", "x"}) {
    const TextFile file("\n[1, 2, 7]\n[3, 4, 8]\n", name);
    const TargetedSamples all = drain(*open_stream(file.source()), 1);
    EXPECT_EQ(all.samples, (Samples(2, 2) << 1, 3, 2, 4).finished()) << name;
    EXPECT_EQ(all.targets, (Vector(2) << 7, 8).finished()) << name;
  }
}

TEST(OpenStream, SharesAFileAndReadsItSeveralTimes) {
  const TextFile file("x,y\n0,0\n1,10\n2,20\n3,30\n4,40\n");
  const auto stream = open_stream(file.source(), {.target = "y", .passes = 2, .stride = 2, .offset = 1});
  const TargetedSamples all = drain(*stream, 3);
  EXPECT_EQ(all.samples, (Samples(1, 4) << 1, 3, 1, 3).finished());
  EXPECT_EQ(all.targets, (Vector(4) << 10, 30, 10, 30).finished());
}

TEST(OpenStream, ReadsTheSameFromAllFormatsInAnyBatches) {
  EXPECT_TRUE(rc::check([] {
    const auto features = *rc::gen::inRange<Index>(1, 6);
    const auto size = *rc::gen::inRange<Index>(1, 50);
    const auto values = *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(features * size),
                                                                 rc::gen::arbitrary<double>());
    const Samples samples = Eigen::Map<const Samples>(values.data(), features, size);
    RC_PRE(samples.allFinite());
    const TemporaryFolder folder;
    const StreamOptions options{.passes = *rc::gen::inRange<Index>(1, 3),
                                .stride = *rc::gen::inRange<Index>(1, 4)};
    write_samples(folder / "table.npy", samples);
    write_samples(folder / "table.csv", samples);
    const Samples truth =
        drain(*open_stream(folder / "table.npy", options), *rc::gen::inRange<Index>(1, 60)).samples;
    RC_ASSERT(drain(*open_stream(folder / "table.csv", options), *rc::gen::inRange<Index>(1, 60)).samples ==
              truth);
    if (options.stride == 1 && options.passes == 1) RC_ASSERT(truth == samples);
  }));
}

TEST(OpenStream, ReadsStandardInputByItsFirstLine) {
  const auto expect = [](std::string_view text, const std::string& target) {
    with_standard_input([&](int input) { EXPECT_TRUE(send(input, text)); },
                        [&] {
                          const auto stream = open_stream("-", {.target = target});
                          const TargetedSamples all = drain(*stream, 1);
                          EXPECT_EQ(all.samples, (Samples(1, 2) << 1, 3).finished()) << text;
                          EXPECT_EQ(all.targets, (Vector(2) << 2, 4).finished()) << text;
                        });
  };
  expect("\n{\"x\": [1], \"y\": 2}\n{\"x\": [3], \"y\": 4}\n", "");
  expect("[1, 2]\n[3, 4]", "");
  expect("1,2\n3,4\n", "2");
  expect("# a sensor\na,label\n1,2\n3,4\n", "label");
  with_standard_input([](int) {},
                      [] {
                        EXPECT_THAT(sentence(ErrorCategory::BadData, [] { open_stream("-"); }),
                                    HasSubstr("standard input is empty"));
                      });
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { open_stream("-", {.passes = 2}); }),
              HasSubstr("standard input can be read only once"));
}

TEST(OpenStream, HandsOutASampleAsSoonAsItIsThere) {
  int answer[2];
  ASSERT_EQ(::pipe(answer), 0);
  with_standard_input(
      [&](int input) {
        char go = 0;
        EXPECT_TRUE(send(input, "1,2\n"));
        EXPECT_EQ(::read(answer[0], &go, 1), 1);  // the first sample was seen before the second was sent
        EXPECT_TRUE(send(input, "3,4\n"));
      },
      [&] {
        const auto stream = open_stream("-");
        EXPECT_EQ(stream->next(1)->samples(0, 0), 1);
        EXPECT_TRUE(send(answer[1], "!"));
        EXPECT_EQ(stream->next(1)->samples(0, 0), 3);
        EXPECT_FALSE(stream->next(1));
      });
  ::close(answer[0]);
  ::close(answer[1]);
}

TEST(OpenStream, EndsAPipeWhereItIsOnceAStopIsAskedFor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::stop_source stop;
  with_standard_input(
      [&](int input) {
        char go = 0;
        EXPECT_TRUE(send(input, "1,2\n3,4\n5,6"));  // the last one might become 5,60
        EXPECT_EQ(::read(ends[0], &go, 1), 1);      // stays open until the reader is done
      },
      [&] {
        const auto stream = open_stream("-", {.target = "2", .stop = stop.get_token()});
        std::jthread asker([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          stop.request_stop();
        });
        const TargetedSamples all = drain(*stream, 10);
        EXPECT_EQ(all.samples, (Samples(1, 2) << 1, 3).finished());
        EXPECT_EQ(all.targets, (Vector(2) << 2, 4).finished());
        EXPECT_THAT(sentence(ErrorCategory::Cancelled, [&] { open_stream("-", {.stop = stop.get_token()}); }),
                    HasSubstr("before the first sample"));
        EXPECT_TRUE(send(ends[1], "!"));
      });
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(OpenStream, EndsFilesAndTheirTargetsOnceAStopIsAskedFor) {
  std::stop_source stop;
  const auto stream = open_stream(fixture("float64.npy"),
                                  {.target = fixture("labels.idx"), .passes = 9, .stop = stop.get_token()});
  EXPECT_EQ(stream->next(3)->samples.cols(), 3);
  stop.request_stop();
  EXPECT_FALSE(stream->next(1));
}

TEST(OpenStream, LeavesOutALastLineThatWasNeverFinished) {
  for (const std::string_view text : {"1,2\n3,4\n5", "1,2\n3,4\n5,-", "[1, 2]\n[3, 4]\n[5, 6"}) {
    std::vector<std::string> said;
    with_standard_input([&](int input) { EXPECT_TRUE(send(input, text)); },
                        [&] {
                          const auto warn = [&](const std::string& words) { said.push_back(words); };
                          const std::string target = text.starts_with('[') ? "" : "2";
                          const auto stream = open_stream("-", {.target = target, .warn = warn});
                          const TargetedSamples all = drain(*stream, 10);
                          EXPECT_EQ(all.samples, (Samples(1, 2) << 1, 3).finished()) << text;
                        });
    ASSERT_EQ(said.size(), 1u) << text;
    EXPECT_EQ(said[0], "standard input ended within row 3; the stream ends before that row");
    const TextFile file(text);
    EXPECT_THAT(stream_refusal(file.source()), HasSubstr("line 3")) << "a file is whole, or damaged";
  }
}

// What a pipe begins with may be the rest of a line.
TEST(OpenStream, PassesOverAFirstLineThatMayBeTheRestOfOne) {
  const auto firsts = [](std::string_view text, bool may) {
    std::vector<std::string> warnings;
    Samples samples;
    with_standard_input([&](int descriptor) { send(descriptor, text); },
                        [&] {
                          const auto stream = open_stream(
                              "-", {.target = {},
                                    .may_begin_within_a_line = may,
                                    .warn = [&](const std::string& words) { warnings.push_back(words); }});
                          samples = drain(*stream, 2).samples;
                        });
    return std::pair(samples, warnings);
  };
  const Samples both = (Samples(2, 2) << 1, 3, 2, 4).finished();
  const auto passed = ElementsAre(HasSubstr("the first line of standard input was passed over"));
  EXPECT_EQ(firsts("5,9\n1,2\n3,4\n", false).first.cols(), 3);
  for (const char* text :
       {"5,9\n1,2\n3,4\n", "9\n1,2\n3,4\n", "1,x\n1,2\n3,4\n", "9, 7]\n[1, 2, 0]\n[3, 4, 0]\n"}) {
    const auto [samples, warnings] = firsts(text, true);
    EXPECT_EQ(samples, both) << text;
    EXPECT_THAT(warnings, passed) << text;
  }
  for (const char* text : {"a,b\n1,2\n3,4\n", "[1, 2, 0]\n[3, 4, 0]\n"}) {
    const auto [samples, warnings] = firsts(text, true);
    EXPECT_EQ(samples, both) << text;
    EXPECT_TRUE(warnings.empty()) << text;
  }
}

// A pipe is fed by hand; nobody may lose count of what it has handed over.
TEST(OpenStream, TellsWhatItReceivedAndHasNotRead) {
  for (const bool json : {false, true}) {
    std::vector<ReadSoFar> told;
    with_standard_input(
        [&](int descriptor) {
          send(descriptor,
               json ? "9, 7]\n[1, 2, 0]\n[x]\n[3, 4, 1]\n[5, 6, 0]\n[7" : "9,7\n1,2\nx,1\n3,4\n5,6\n7");
        },
        [&] {
          const auto stream =
              open_stream("-", {.on_bad_record = BadRecord::skip,
                                .may_begin_within_a_line = true,
                                .on_read = [&](const ReadSoFar& so_far) { told.push_back(so_far); }});
          ASSERT_EQ(told.size(), 1u);
          EXPECT_EQ(told[0].records, 0u);
          EXPECT_EQ(told[0].lines.passed_over, 1u);
          EXPECT_EQ(told[0].lines.unread, 4u);
          EXPECT_TRUE(told[0].lines.ends_within_a_line);
          EXPECT_EQ(stream->next(2)->samples.cols(), 2);
          EXPECT_EQ(told.back().records, 3u) << "and a bad one";
          EXPECT_EQ(told.back().lines.unread, 1u);
          EXPECT_EQ(stream->next(5)->samples.cols(), 1) << "of the last line there is a part";
          EXPECT_EQ(told.back().records, 4u);
          EXPECT_EQ(told.back().lines.unread, 0u);
        });
  }
}

TEST(OpenStream, FollowsAFileUntilAStopIsAskedFor) {
  const TextFile file("1,2\n");
  std::stop_source stop;
  const auto stream = open_stream(file.source(), {.follow = true, .stop = stop.get_token()});
  EXPECT_EQ(stream->next(1)->samples, (Samples(2, 1) << 1, 2).finished());
  std::jthread writer([&] { std::ofstream(file.source(), std::ios::app) << "3,4\n5,"; });
  EXPECT_EQ(stream->next(1)->samples, (Samples(2, 1) << 3, 4).finished());
  writer.join();
  stop.request_stop();
  EXPECT_FALSE(stream->next(1));
}

TEST(OpenStream, KnowsWhatCanBeReadOnceOnly) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const TextFile file("1\n");
  EXPECT_TRUE(is_pipe("-"));
  EXPECT_TRUE(is_pipe(pipe));
  EXPECT_TRUE(is_pipe("/dev/null"));
  EXPECT_FALSE(is_pipe(file.source()));
  EXPECT_FALSE(is_pipe(folder.path().string()));
  EXPECT_FALSE(is_pipe("nowhere.csv"));
}

TEST(OpenStream, ReadsAPipeThatNeverEnds) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread writer([&] {
    std::ofstream out(pipe);
    for (long n = 0; out; ++n) out << n << ",1\n";  // until nobody reads any more
  });
  {
    const auto stream = open_stream(pipe, {.target = "2"});
    EXPECT_EQ(stream->skip(300'000), 300'000u);
    EXPECT_EQ(stream->next(5)->samples, (Samples(1, 5) << 300000, 300001, 300002, 300003, 300004).finished());
    EXPECT_EQ(stream->next(100'000)->samples(0, 99'999), 400'004);
  }
  writer.join();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument,
                       [&] {
                         std::thread second([&] { std::ofstream(pipe) << "1,2\n"; });
                         try {
                           open_stream(pipe, {.passes = 2});
                         } catch (...) {
                           second.join();
                           throw;
                         }
                         second.join();
                       }),
              HasSubstr("read only once"));
}

TEST(OpenStream, UnpacksTextsAsTheyAreRead) {
  const TemporaryFolder folder;
  const std::string csv = gzip("x,y\n1,2\n3,4\n"), json = gzip("[1, 2]\n[3, 4]\n");
  write_file_atomically(folder / "table.csv.gz", csv);
  write_file_atomically(folder / "lines.ndjson.gz", json);
  for (const auto& [source, target] : {std::pair("table.csv.gz", "y"), std::pair("lines.ndjson.gz", "")}) {
    const auto stream = open_stream(folder / source, {.target = target, .passes = 2});
    EXPECT_EQ(drain(*stream, 3).samples, (Samples(1, 4) << 1, 3, 1, 3).finished()) << source;
  }
  for (const std::string& text : {csv, json}) {
    with_standard_input([&](int input) { EXPECT_TRUE(send(input, text)); },
                        [&] { EXPECT_EQ(open_stream("-")->skip(9), 2u); });
  }
}

TEST(OpenStream, RefusesNumbersWhoseSquaresAreInfinite) {
  const TextFile file("1,2\n3,-1e200\n");
  EXPECT_THAT(stream_refusal(file.source()), HasSubstr("row 2, column 2 is -1e+200, whose square overflows"));
}

TEST(OpenStream, RefusesWhatCannotBeReadInPart) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.svm.gz", gzip("1 1:2\n"));
  write_file_atomically(folder / "table.svm", "1 1:2\n");
  EXPECT_THAT(stream_refusal(folder / "table.svm.gz"),
              AllOf(HasSubstr("unpack it first"), HasSubstr("--by iid")));
  EXPECT_THAT(stream_refusal(fixture("one.npz")), AllOf(HasSubstr(".npy file"), HasSubstr("--by iid")));
  EXPECT_THAT(stream_refusal(fixture("version5.mat")), HasSubstr("MATLAB"));
  EXPECT_THAT(stream_refusal(folder / "table.svm"), HasSubstr("how many features"));
}

TEST(OpenStream, RefusesWhatIsNotThereOrMakesNoSense) {
  const TextFile empty("", "empty.csv");
  const TextFile wrong("1,2\n", "wrong.npy");
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { open_stream("nowhere.csv"); }), HasSubstr("no such file"));
  EXPECT_THAT(stream_refusal(empty.source()), HasSubstr("is empty"));
  EXPECT_THAT(stream_refusal(wrong.source()), HasSubstr("not a .npy file"));
  EXPECT_THAT(stream_refusal(fixture("float64.npy:key")), HasSubstr("'key' selects nothing"));
  const TextFile table("a,b\n1,2\n");
  EXPECT_THAT(stream_refusal(table.source(), {.target = "kind"}),
              AllOf(HasSubstr("'kind'"), HasSubstr("neither one of its columns nor a file")));
  EXPECT_THAT(stream_refusal(fixture("cube.npy"), {.target = fixture("labels.idx")}), HasSubstr("4 targets"));
}

}  // namespace
}  // namespace choir
