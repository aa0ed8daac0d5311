// Small confusion matrices of several runs.
import {confusionOf, confusionTable, confusionWords} from '../confusion.js';
import {element} from '../dom.js';

export const confusions = {
  id: 'confusions',
  title: 'Confusion matrices',
  applies: (runs) => runs.some((run) => confusionOf(run) !== null),
  render: (runs) =>
    runs
      .map((run) => ({run, data: confusionOf(run)}))
      .filter(({data}) => data !== null)
      .map(({run, data}) =>
        element(
          'figure',
          {},
          element('figcaption', {}, run.name),
          confusionTable(data, {
            small: true,
            caption: `${run.name}: samples by ${data.rowsAre} (rows) and ${data.columnsAre} (columns)`,
          }),
          element('p', {class: 'note'}, confusionWords(data)),
        ),
      ),
};
