// Numbers as people read them.

const whole = new Intl.NumberFormat('en-GB', {maximumFractionDigits: 0});

export const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

export const count = (value) => whole.format(value);

const grouped = (value, decimals) =>
  decimals > 0 ? value.toLocaleString('en-GB', {maximumFractionDigits: decimals}) : whole.format(value);

// So many digits that count, none that are zeros at the end; powers of ten only where zeros would have to be counted.
export function figure(value, digits = 4) {
  if (!isNumber(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return value
      .toExponential(digits - 1)
      .replace(/\.?0*e/, 'e')
      .replace('e+', 'e');
  if (size >= 1000) return grouped(value, digits - 1 - Math.floor(Math.log10(size)));
  return String(Number(value.toPrecision(digits)));
}

// For qualities between 0 and 1, which are compared down a column.
export const similarity = (value) => (isNumber(value) ? value.toFixed(4) : '–');

export const capitalised = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

export const percent = (share, digits = 2) => (isNumber(share) ? `${(100 * share).toFixed(digits)}\u00a0%` : '–');

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value) {
  if (!isNumber(value)) return '–';
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; ++unit) value /= 1024;
  return `${unit === 0 ? count(value) : value.toFixed(1)} ${units[unit]}`;
}

// Marks of an axis for so many bytes at most: 1, 2 or 5 times a power of ten of a unit, in which words() says them.
export function bytesMarks(largest) {
  const place = Math.min(Math.floor(Math.log2(Math.max(largest, 1)) / 10), units.length - 1);
  const unit = 1024 ** place;
  const rough = largest / unit / 4;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const interval = Math.max(unit * power * [1, 2, 5, 10].find((step) => step * power >= rough), 1);
  return {
    interval,
    max: interval * Math.max(Math.ceil(largest / interval), 1),
    words: (value) => `${figure(value / unit)} ${units[place]}`,
  };
}

export function seconds(value) {
  if (!isNumber(value)) return '–';
  if (value < 1) return `${figure(1000 * value, 2)} ms`;
  if (value < 120) return `${figure(value, 3)} s`;
  if (value < 7200) return `${figure(value / 60, 3)} min`;
  return `${figure(value / 3600, 3)} h`;
}

export const plural = (number, word, words = `${word}s`) => `${count(number)} ${number === 1 ? word : words}`;

// "a", "a and b", "a, b and c"
export function listed(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

// As short as it can be said: "3, 5 and 1,200 more".
export function some(values, most = 6) {
  if (values.length <= most) return listed(values.map(String));
  return `${values.slice(0, most).join(', ')} and ${count(values.length - most)} more`;
}
