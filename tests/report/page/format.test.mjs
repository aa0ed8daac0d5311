// Numbers as people read them.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {figure} from '../../../choir/report/page/source/format.js';

test('figures have the digits that were asked for, at every size', () => {
  const cases = [
    [786_312_345, 4, '7.863e8'],
    [786_312_345, 6, '7.86312e8'],
    [1e6, 4, '1e6'],
    [1_200_000, 4, '1.2e6'],
    [0.000123456, 4, '1.235e-4'],
    [-0.000123456, 6, '-1.23456e-4'],
    [1e-10, 4, '1e-10'],
    [3.0000000000000004e-4, 4, '3e-4'],
    [0.00025, 2, '2.5e-4'],
    [123_456.7, 4, '123,457'],
    [1234.56, 4, '1,235'],
    [1234.5678, 6, '1,234.57'],
    [12.3456, 4, '12.35'],
    [100, 4, '100'],
    [0, 4, '0'],
    [NaN, 4, '–'],
  ];
  for (const [value, digits, words] of cases) assert.equal(figure(value, digits), words);
});
