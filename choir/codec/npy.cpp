#include "choir/codec/npy.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/word_of.h"
#include "choir/codec/npy_header.h"

namespace choir {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are copied as the files hold them");

Index checked_elements(const std::vector<Index>& shape, ElementType type) {
  const std::optional<Index> count = count_elements(shape, type);
  if (!count)
    fail(ErrorCategory::InvalidArgument, "an array's shape has a negative or an impossibly large length");
  return *count;
}

template <class Element>
double load(const std::byte* at) {
  Element value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

template <class Element>
void copy_in_order(std::span<const std::byte> bytes, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<Element>(bytes.data() + i * sizeof(Element));
}

// Walks the axes like an odometer, last one fastest, and reads at Fortran's strides.
template <class Element>
void copy_transposed(const NpyView& array, std::span<double> out) {
  const std::size_t axes = array.shape.size();
  std::vector<Index> stride(axes), at(axes, 0);
  for (std::size_t a = 0; a < axes; ++a)
    stride[a] = a == 0 ? static_cast<Index>(sizeof(Element)) : stride[a - 1] * array.shape[a - 1];
  Index offset = 0;
  for (double& value : out) {
    value = load<Element>(array.bytes.data() + offset);
    for (std::size_t a = axes; a-- > 0;) {
      offset += stride[a];
      if (++at[a] < array.shape[a]) break;
      offset -= stride[a] * array.shape[a];
      at[a] = 0;
    }
  }
}

template <class Element>
void copy_as(const NpyView& array, std::span<double> out) {
  if (array.fortran_order && array.shape.size() > 1)
    copy_transposed<Element>(array, out);
  else
    copy_in_order<Element>(array.bytes, out);
}

// numpy writes 0 and 1, but any other byte counts as true there.
struct Boolean {
  unsigned char byte;
  explicit operator double() const { return byte != 0 ? 1 : 0; }
};

// In the order of ElementType.
using Copy = void (*)(const NpyView& array, std::span<double> out);
constexpr Copy copies[] = {copy_as<Boolean>,       copy_as<std::int8_t>,   copy_as<std::uint8_t>,
                           copy_as<std::int16_t>,  copy_as<std::uint16_t>, copy_as<std::int32_t>,
                           copy_as<std::uint32_t>, copy_as<std::int64_t>,  copy_as<std::uint64_t>,
                           copy_as<float>,         copy_as<double>};
static_assert(std::size(copies) == static_cast<std::size_t>(ElementType::float64) + 1);

}  // namespace

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::int8:
    case ElementType::uint8:
      return 1;
    case ElementType::int16:
    case ElementType::uint16:
      return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
      return 8;
  }
  return 0;
}

constexpr std::string_view element_words[] = {"bool",   "int8",  "uint8",  "int16",   "uint16", "int32",
                                              "uint32", "int64", "uint64", "float32", "float64"};

std::string_view to_string(ElementType type) { return word_of<ElementType::float64>(type, element_words); }

Index NpyView::elements() const { return checked_elements(shape, type); }
Index NpyArray::elements() const { return checked_elements(shape, type); }

NpyView view_npy(std::span<const std::byte> bytes, std::string_view name) {
  NpyHeader header = parse_npy_header(bytes, name);
  NpyView array{header.type, std::move(header.shape), header.fortran_order, bytes.subspan(header.size)};
  const auto needed = static_cast<std::size_t>(array.elements()) * size_of(array.type);
  if (array.bytes.size() < needed)
    fail(ErrorCategory::BadData, "{}: truncated: {} bytes of array data expected, {} found", name, needed,
         array.bytes.size());
  if (array.bytes.size() > needed)
    fail(ErrorCategory::BadData,
         "{}: {} extra bytes after the array; the file is damaged or holds more than one array", name,
         array.bytes.size() - needed);
  return array;
}

NpyArray decode_npy(std::span<const std::byte> bytes, std::string_view name) {
  NpyView view = view_npy(bytes, name);
  return {view.type, std::move(view.shape), view.fortran_order, {view.bytes.begin(), view.bytes.end()}};
}

std::vector<std::byte> encode_npy(const NpyArray& array) {
  if (static_cast<std::size_t>(array.elements()) * size_of(array.type) != array.bytes.size())
    fail(ErrorCategory::InvalidArgument, "an array of {} bytes does not fit its shape", array.bytes.size());
  const std::string header = format_npy_header(array.type, array.shape, array.fortran_order);
  std::vector<std::byte> bytes;
  bytes.reserve(header.size() + array.bytes.size());
  const auto head = std::as_bytes(std::span(header));
  bytes.insert(bytes.end(), head.begin(), head.end());
  bytes.insert(bytes.end(), array.bytes.begin(), array.bytes.end());
  return bytes;
}

void copy_doubles(const NpyView& array, std::span<double> out) {
  const auto count = static_cast<std::size_t>(array.elements());
  if (out.size() != count || array.bytes.size() != count * size_of(array.type))
    fail(ErrorCategory::InvalidArgument, "{} values requested from an array of {} ({} bytes)", out.size(),
         count, array.bytes.size());
  copies[static_cast<std::size_t>(array.type)](array, out);
}

std::vector<double> to_doubles(const NpyArray& array) {
  std::vector<double> values(static_cast<std::size_t>(array.elements()));
  copy_doubles(array.view(), values);
  return values;
}

NpyArray from_doubles(std::span<const double> values, std::vector<Index> shape) {
  const auto bytes = std::as_bytes(values);
  NpyArray array{ElementType::float64, std::move(shape), false, {bytes.begin(), bytes.end()}};
  if (static_cast<std::size_t>(array.elements()) != values.size())
    fail(ErrorCategory::InvalidArgument, "{} values do not fit a shape of {} elements", values.size(),
         array.elements());
  return array;
}

}  // namespace choir
