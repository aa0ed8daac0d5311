// Labels against clusters, or classes against predictions.
import {confusionOf, confusionTable, confusionWords} from '../confusion.js';
import {element} from '../dom.js';
import {panelOf} from './panel.js';

const shading = 'The stronger the colour of a cell, the larger its share of the row.';

export const confusion = panelOf('confusion', 'Confusion matrix', confusionOf, (data) => {
  const order =
    data.columnsAre === 'clusters' && 'Clusters are ordered so that the largest counts lie on the diagonal.';
  return [
    element('p', {}, confusionWords(data)),
    confusionTable(data, {caption: `Samples by ${data.rowsAre} (rows) and ${data.columnsAre} (columns)`}),
    element('p', {class: 'note'}, [shading, order, data.note].filter(Boolean).join(' ')),
  ];
});
