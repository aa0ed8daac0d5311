// A panel that is made of one thing, which a run may not have.
//
//   export const rounds = panelOf('rounds', 'Sums, round by round', sumsOf, (sums, run) => [chart(...).figure]);
//
// `find` is given the run, or the runs that are compared. The panel is not shown for null and for an empty list.
const isThere = (found) => (Array.isArray(found) ? found.length > 0 : found !== null);

export const panelOf = (id, title, find, render) => ({
  id,
  title,
  applies: (run) => isThere(find(run)),
  render: (run) => render(find(run), run),
});
