#include "choir/codec/npy.h"

#include <numeric>

#include "codec/support.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

NpyArray fixture(const std::string& name) { return decode_npy(read_file(codec_fixture(name)), name); }
std::string npy_refusal(const std::string& name) {
  return sentence(ErrorCategory::BadData, [&] { fixture(name); });
}

TEST(Npy, ReadsEveryElementTypeNumpyWrites) {
  for (const char* name :
       {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"}) {
    const NpyArray array = fixture(std::string(name) + ".npy");
    EXPECT_EQ(to_string(array.type), name);
    EXPECT_THAT(array.shape, ElementsAre(2, 3));
    EXPECT_THAT(to_doubles(array), ElementsAre(0, 1, 2, 3, 4, 100)) << name;
  }
  EXPECT_THAT(to_doubles(fixture("bool.npy")), ElementsAre(0, 1, 1, 1, 1, 1));
}

TEST(Npy, ReadsEveryHeaderVersion) {
  for (const char* name : {"version-1.npy", "version-2.npy", "version-3.npy"})
    EXPECT_THAT(to_doubles(fixture(name)), ElementsAre(0, 1, 2, 3, 4, 100)) << name;
}

TEST(Npy, ReadsScalarsVectorsAndEmptyArrays) {
  EXPECT_THAT(to_doubles(fixture("scalar.npy")), ElementsAre(2.5));
  EXPECT_TRUE(fixture("scalar.npy").shape.empty());
  EXPECT_THAT(to_doubles(fixture("vector.npy")), ElementsAre(1.5, -2.5));
  EXPECT_THAT(to_doubles(fixture("empty.npy")), ElementsAre());
  EXPECT_THAT(fixture("empty.npy").shape, ElementsAre(0, 5));
}

TEST(Npy, GivesFortranArraysInCOrder) {
  const NpyArray array = fixture("fortran.npy");
  EXPECT_TRUE(array.fortran_order);
  std::vector<double> expected(24);
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_EQ(to_doubles(array), expected);
}

TEST(Npy, WritesByteForByteWhatNumpyWrites) {
  for (const char* name : {"bool.npy", "uint8.npy", "int64.npy", "float32.npy", "float64.npy", "fortran.npy",
                           "scalar.npy", "vector.npy", "empty.npy", "version-1.npy"})
    EXPECT_EQ(encode_npy(fixture(name)), read_file(codec_fixture(name))) << name;
}

TEST(Npy, RefusesWhatItCannotReadWithASentence) {
  EXPECT_THAT(npy_refusal("big-endian.npy"),
              HasSubstr("big-endian.npy: big-endian data ('>f8'); save it little-endian"));
  EXPECT_THAT(npy_refusal("objects.npy"), HasSubstr("Python objects"));
  EXPECT_THAT(npy_refusal("structured.npy"), HasSubstr("structured array"));
  EXPECT_THAT(npy_refusal("complex.npy"), HasSubstr("type '<c16' are not supported"));
  EXPECT_THAT(npy_refusal("text.npy"), HasSubstr("type '<U5' are not supported"));
}

TEST(Npy, RefusesBodiesOfTheWrongLength) {
  const std::vector<std::byte> whole = read_file(codec_fixture("float64.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(sentence(ErrorCategory::BadData,
                         [&] {
                           decode_npy({whole.data(), length}, "cut.npy");
                         }),
                HasSubstr("cut.npy: "))
        << length;
  EXPECT_THAT(sentence(ErrorCategory::BadData,
                       [&] {
                         decode_npy({whole.data(), whole.size() - 1}, "cut.npy");
                       }),
              HasSubstr("truncated: 48 bytes of array data expected, 47 found"));
  std::vector<std::byte> longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { decode_npy(longer, "long.npy"); }),
              HasSubstr("1 extra bytes"));
}

TEST(Npy, RoundTripsAnyShapeInEitherOrder) {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    Rng rng(1, Purpose("npy round trip"), trial);
    std::vector<Index> shape(rng.below(5));
    for (Index& length : shape) length = static_cast<Index>(rng.below(6));
    NpyArray array = from_doubles({}, {0});
    array.shape = shape;
    array.fortran_order = rng.below(2) == 1;
    array.bytes.resize(static_cast<std::size_t>(array.elements()) * 8);
    for (std::byte& byte : array.bytes) byte = static_cast<std::byte>(rng.below(256));
    const NpyArray back = decode_npy(encode_npy(array), "round trip");
    EXPECT_EQ(back.shape, shape);
    EXPECT_EQ(back.fortran_order, array.fortran_order);
    EXPECT_EQ(back.bytes, array.bytes);
  }
}

TEST(Npy, RefusesArraysThatDoNotFitTheirShape) {
  const std::vector<double> three = {1, 2, 3};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument,
                       [&] {
                         from_doubles(three, {2, 2});
                       }),
              HasSubstr("3 values"));
  NpyArray array = from_doubles(three, {3});
  array.shape = {4};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { encode_npy(array); }),
              HasSubstr("does not fit its shape"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { to_doubles(array); }),
              HasSubstr("an array of 4"));
}

}  // namespace
}  // namespace choir
