#include "choir/codec/npy_header.h"

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

std::string with_dict(std::string dict) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dict.size() & 0xff);
  text += static_cast<char>(dict.size() >> 8);
  return text + dict;
}

NpyHeader parse(const std::string& text) { return parse_npy_header(std::as_bytes(std::span(text)), "x.npy"); }
NpyHeader parse_dict(const std::string& dict) { return parse(with_dict(dict)); }
std::string header_refusal(const std::string& text) {
  return sentence(ErrorCategory::BadData, [&] { parse(text); });
}
std::string dict_refusal(const std::string& dict) { return header_refusal(with_dict(dict)); }

TEST(NpyHeader, ReadsKeysInAnyOrderAndEitherQuotes) {
  const NpyHeader header = parse_dict("{\"shape\": (3,), 'fortran_order': True, 'descr':'<f4'}  \n");
  EXPECT_EQ(header.type, ElementType::float32);
  EXPECT_EQ(header.shape, std::vector<Index>{3});
  EXPECT_TRUE(header.fortran_order);
}

TEST(NpyHeader, ReadsEveryShapeNumpyWrites) {
  const auto shape = [](const std::string& tuple) {
    return parse_dict("{'descr': '<f8', 'fortran_order': False, 'shape': " + tuple + ", }\n").shape;
  };
  EXPECT_EQ(shape("()"), std::vector<Index>{});
  EXPECT_EQ(shape("(7,)"), std::vector<Index>{7});
  EXPECT_EQ(shape("(0, 5)"), (std::vector<Index>{0, 5}));
  EXPECT_EQ(shape("(1, 2, 3)"), (std::vector<Index>{1, 2, 3}));
}

TEST(NpyHeader, RefusesMalformedDicts) {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n";
  ASSERT_NO_THROW(parse_dict(good));
  for (const std::string& dict :
       {std::string(), std::string("{}"), std::string("{'descr': '<f8', 'fortran_order': False}"),
        std::string("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (), 'more': ()}"),
        std::string("{'descr': '<f8', 'fortran_order': 0, 'shape': ()}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (3)}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (3.5,)}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': [3]}"),
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} or exit()"),
        std::string("{'descr': '\\x3cf8', 'fortran_order': False, 'shape': ()}"),
        std::string("{'descr': '<f8', 'fortran_order': False 'shape': ()}")})
    EXPECT_THAT(dict_refusal(dict), HasSubstr("header is malformed")) << dict;
  for (std::size_t length = 1; length < good.size() - 2; ++length)
    EXPECT_THAT(dict_refusal(good.substr(0, length)), HasSubstr("x.npy: ")) << length;
}

TEST(NpyHeader, RefusesSizesThatOverflowEvenBesideAnEmptyAxis) {
  for (const char* shape :
       {"(4611686018427387904, 4)", "(1152921504606846976,)", "(0, 4611686018427387904, 16)"})
    EXPECT_THAT(dict_refusal(std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") + shape + "}"),
                HasSubstr("more elements than memory can address"));
  std::string many = "(1,";
  for (int i = 0; i < 40; ++i) many += "1,";
  EXPECT_THAT(dict_refusal("{'descr': '<f8', 'fortran_order': False, 'shape': " + many + ")}"),
              HasSubstr("more than 32 dimensions"));
}

TEST(NpyHeader, RefusesForeignTruncatedAndFutureFiles) {
  const std::string good = format_npy_header(ElementType::float64, {3, 4}, false);
  EXPECT_THAT(header_refusal(""), HasSubstr("not an .npy file"));
  EXPECT_THAT(header_refusal("PK\x03\x04 and so on"), HasSubstr("not an .npy file"));
  for (std::size_t length = 6; length < good.size(); ++length)
    EXPECT_THAT(header_refusal(good.substr(0, length)), HasSubstr("truncated inside the .npy header"));
  std::string future = good;
  future[6] = 4;
  EXPECT_THAT(header_refusal(future), HasSubstr("version 4.0 is not known"));
  EXPECT_THAT(header_refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12)),
              HasSubstr("claims 2147483647 bytes"));
}

TEST(NpyHeader, FormatsWhatItParses) {
  for (const std::vector<Index>& shape : {std::vector<Index>{}, {0}, {5}, {3, 4}, {1, 2, 3, 4, 5}})
    for (const bool fortran : {false, true}) {
      const std::string text = format_npy_header(ElementType::int16, shape, fortran);
      EXPECT_EQ(text.size() % 64, 0u);
      EXPECT_EQ(text.back(), '\n');
      const NpyHeader header = parse(text);
      EXPECT_EQ(header.type, ElementType::int16);
      EXPECT_EQ(header.shape, shape);
      EXPECT_EQ(header.fortran_order, fortran);
      EXPECT_EQ(header.size, text.size());
    }
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument,
                       [] { format_npy_header(ElementType::int8, std::vector<Index>(33, 1), false); }),
              HasSubstr("33 dimensions"));
}

}  // namespace
}  // namespace choir
