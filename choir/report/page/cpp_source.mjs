// The page as C++: string literals that the compiler joins.
const piece = 4000; // bytes a literal, so that no line is longer than editors and compilers like

function literal(bytes) {
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') text += '\\' + character;
    else if (character === '?')
      text += '\\?'; // no trigraphs
    else if (byte >= 0x20 && byte < 0x7f) text += character;
    else text += '\\' + byte.toString(8).padStart(3, '0');
  }
  return `    "${text}"`;
}

export function cppSource(page) {
  const bytes = Buffer.from(page, 'utf8');
  const literals = [];
  for (let start = 0; start < bytes.length; start += piece)
    literals.push(literal(bytes.subarray(start, start + piece)));
  return `// Made by choir/report/page/build.mjs.
#include "choir/report/page_template.h"

namespace choir {
namespace {

constexpr char page[] =
${literals.join('\n')};

}  // namespace

std::string_view page_template() { return {page, sizeof page - 1}; }

}  // namespace choir
`;
}
