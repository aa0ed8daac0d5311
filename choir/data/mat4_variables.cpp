// Level 4: one header of five numbers per variable, its name, its values.
#include <array>
#include <cstring>

#include "choir/base/error.h"
#include "choir/data/mat_variables.h"

namespace choir {
namespace {

struct Header {
  std::int32_t type;  // decimal MOPT: machine, 0, precision, kind
  std::int32_t rows;
  std::int32_t columns;
  std::int32_t is_complex;
  std::int32_t name_length;  // with its final zero
};

constexpr std::array<ElementType, 6> precisions = {ElementType::float64, ElementType::float32,
                                                   ElementType::int32,   ElementType::int16,
                                                   ElementType::uint16,  ElementType::uint8};

std::span<const std::byte> take(std::span<const std::byte>& rest, std::uint64_t count,
                                const std::string& name) {
  if (count > rest.size()) fail_damaged_mat(name);
  const std::span<const std::byte> piece = rest.first(static_cast<std::size_t>(count));
  rest = rest.subspan(piece.size());
  return piece;
}

}  // namespace

void visit_mat4(std::span<const std::byte> bytes, const std::string& name,
                const std::function<bool(const MatVariable&)>& visit) {
  while (!bytes.empty()) {
    Header header{};
    std::memcpy(&header, take(bytes, sizeof header, name).data(), sizeof header);
    const auto precision = static_cast<std::size_t>(header.type / 10);
    const std::int32_t kind = header.type % 10;  // 0 numbers, 1 text, 2 sparse
    const bool known = header.type >= 0 && precision < precisions.size() && kind <= 2;
    if (!known || header.rows < 0 || header.columns < 0 || header.name_length < 1) fail_damaged_mat(name);

    const std::span<const std::byte> variable_name =
        take(bytes, static_cast<std::uint64_t>(header.name_length), name);
    const ElementType type = precisions[precision];
    const std::uint64_t count =
        static_cast<std::uint64_t>(header.rows) * static_cast<std::uint64_t>(header.columns);
    const std::span<const std::byte> values = take(bytes, count * size_of(type), name);
    if (header.is_complex != 0) take(bytes, values.size(), name);

    MatVariable variable;
    variable.name.assign(reinterpret_cast<const char*>(variable_name.data()), variable_name.size() - 1);
    variable.is_numeric = kind == 0 && header.is_complex == 0;
    variable.type = to_string(type);
    variable.array = {
        .type = type, .shape = {header.rows, header.columns}, .fortran_order = true, .bytes = values};
    if (!visit(variable)) return;
  }
}

}  // namespace choir
