// A page on paper: on which sheet of a PDF its headings and pictures are.

// {number: text} of a PDF's objects; the browser compresses what is drawn, not what says where it is.
function objectsOf(pdf) {
  const text = Buffer.from(pdf).toString('latin1');
  return new Map([...text.matchAll(/\n(\d+) 0 obj\n(<<[^]*?)endobj/g)].map(([, number, content]) => [number, content]));
}

const referencesIn = (text) => [...text.matchAll(/(\d+) 0 R/g)].map(([, number]) => number);

// The sheet of the first thing drawn below an element.
function sheetOf(number, objects) {
  const content = objects.get(number) ?? '';
  const [, sheet] = content.match(/\/Pg (\d+) 0 R/) ?? [];
  if (sheet) return sheet;
  const children = referencesIn(content.match(/\/K (\[[^\]]*\]|\d+ 0 R)/)?.[1] ?? '');
  return children.map((child) => sheetOf(child, objects)).find(Boolean);
}

// pdf: made with outline and tagged. {headings: Map {words: sheet}, pictures: [{words, sheet}]}
export function onSheets(pdf) {
  const objects = objectsOf(pdf);
  const headings = new Map();
  const pictures = [];
  for (const [number, content] of objects) {
    const [, title] = content.match(/\/Title \(([^)]*)\)/) ?? [];
    const [, sheet] = content.match(/\/Dest \[(\d+) 0 R/) ?? [];
    if (title && sheet) headings.set(title, sheet);
    const [, words] = content.match(/\/S \/Figure\s*\/Alt \(([^)]*)\)/) ?? [];
    if (words) pictures.push({words, sheet: sheetOf(number, objects)});
  }
  return {headings, pictures};
}
