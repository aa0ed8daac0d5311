// Samples that are read a few at a time, from files that need not fit into memory, from standard input, or
// from memory.
//
//   const auto stream = open_stream("sensor-3.csv", {.target = "label"});
//   while (const auto batch = stream->next(32)) learn(batch->samples, batch->targets);
//
// Formats: csv and tsv, ndjson (a line: {"x": [1, 2], "y": 0}, or a list of numbers whose last one is the
// target) and .idx, all also as .gz, .npy, .h5; "-" is standard input, csv or ndjson by its first line. Other
// packed files (.npz, .mat) cannot be read in part and are refused with a sentence that says what to do.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "choir/base/choices.h"
#include "choir/data/target_rule.h"
#include "choir/linalg/types.h"

namespace choir {

// What becomes of a record that cannot be used: too few columns, text where a number is wanted, NaN, a label
// that is none of the classes.
enum class BadRecord {
  error,  // reading ends with a sentence that names source and line
  skip    // it is passed over and counted
};
ChoiceNames<BadRecord> choice_names(BadRecord);

struct TargetedSamples {
  Samples samples;  // M x n
  Vector targets;   // n: labels (whole numbers) or values; empty if the stream has none
};

class SampleStream {
 public:
  virtual ~SampleStream() = default;
  // Up to `count` samples, less only at the end; nothing: there are no more. Throws Error(BadData) naming
  // source and line or row, Error(Io).
  virtual std::optional<TargetedSamples> next(Index count) = 0;
  // Goes on `count` records later, without looking at them where the format allows it: after s samples and b
  // bad records a stream is where skip(s + b) takes another one. Returns how many there were.
  virtual std::uint64_t skip(std::uint64_t count) = 0;
  virtual Index features() const = 0;  // known once opened

  // How many bad records it has passed over before it gave its first so many samples. Records that skip()
  // passed over are not looked at, and not counted.
  virtual std::uint64_t bad_before(std::uint64_t) const { return 0; }
  // Sentences about the first few of all that it has passed over.
  virtual std::vector<std::string> first_bad() const { return {}; }
};

inline constexpr std::uint64_t all_samples = std::numeric_limits<std::uint64_t>::max();

// What became of the lines of a text that is read as it comes.
struct ReceivedLines {
  std::uint64_t unread = 0;         // whole ones that no row was made of yet
  std::uint64_t passed_over = 0;    // at the beginning: the rest of a line that somebody else has begun
  bool ends_within_a_line = false;  // behind the unread ones
};

// What a stream has taken from its source, which a pipe does not give again.
struct ReadSoFar {
  std::uint64_t records = 0;  // samples that it gave, and bad records that it passed over
  ReceivedLines lines = {};
};

struct StreamOptions {
  // A csv column by name or number (from 1; -1 is the last), or a file beside it (.npy, .idx, .h5, csv of one
  // column); empty: none. ndjson carries its own: a member of that name ("y" if empty), or the last number.
  std::string target = {};
  Index passes = 1;  // over the source, from its beginning; standard input and pipes have one
  // Of every `stride` samples the one at `offset`: several nodes share one file.
  Index stride = 1;
  Index offset = 0;
  TargetRule targets = {};  // what they may be
  BadRecord on_bad_record = BadRecord::error;
  // A pipe may begin within a line whose beginning somebody else has read: unless its first line is a header,
  // or a whole JSON value, it is passed over, with a warning.
  bool may_begin_within_a_line = false;
  // At the end of a file the stream waits for more, until a stop is asked for.
  bool follow = false;
  // Told how far the stream has got: when it is opened, after every record, and before it waits for more.
  std::function<void(const ReadSoFar&)> on_read = {};
  // The stream ends where it is once a stop is asked for, also while it waits for a pipe.
  std::stop_token stop = {};
  // Called by the reader if a pipe's last line was never finished: the stream ends before that line; and if
  // its first line was passed over.
  std::function<void(const std::string&)> warn = {};
};

// Standard input, a pipe, a device: what can be read once only, and by one reader.
bool is_pipe(const std::string& source);

// Throws Error(Cancelled) if a stop is asked for before there is a first sample.
std::unique_ptr<SampleStream> open_stream(const std::string& source, const StreamOptions& options = {});

// From memory; with several passes from the beginning again.
std::unique_ptr<SampleStream> stream_of(TargetedSamples samples, Index passes = 1);

// All that a stream still has, in memory.
TargetedSamples rest_of(SampleStream& stream);

// One source dealt out in turn, sample k to reader k mod `readers`; the first reader answers for bad records.
// What one reader asks for before its turn is kept for the others. Readers may be used from different
// threads.
std::vector<std::unique_ptr<SampleStream>> deal_stream(std::unique_ptr<SampleStream> source, Index readers);

}  // namespace choir
