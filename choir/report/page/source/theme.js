// Light and dark. The system decides until the reader does; paper is always light.
//
//   onThemeChange((theme) => ...)       called whenever colours change
//   theme().palette[0]

// Okabe and Ito's colours, which people who confuse red and green can tell apart; in the order of the project's SVG charts.
// A grey and a brown follow for charts with more series.
const light = {
  name: 'light',
  palette: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#7f858c', '#8b5e3c'],
  ink: '#1c2126',
  soft: '#57606a',
  grid: '#e4e7ea',
  axis: '#8b949e',
  surface: '#ffffff',
  faint: 0.28,
};
const dark = {
  name: 'dark',
  palette: ['#56b4e9', '#e69f00', '#1fb58b', '#d98fb9', '#f0e442', '#ff7f3f', '#e6e8ea', '#8f969e', '#b98a62'],
  ink: '#e6e9ec',
  soft: '#a2abb4',
  grid: '#2c333b',
  axis: '#6b7681',
  surface: '#181c21',
  faint: 0.34,
};

const listeners = new Set();
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const paper = matchMedia('print');
let chosen = remembered();
let printing = paper.matches;

// A page opened from disk may have no storage.
function remembered() {
  try {
    return localStorage.getItem('choir-theme');
  } catch {
    return null;
  }
}

function remember(name) {
  try {
    localStorage.setItem('choir-theme', name);
  } catch {
    // It then holds for this visit.
  }
}

export function theme() {
  if (printing) return light;
  return (chosen ?? (systemDark.matches ? 'dark' : 'light')) === 'dark' ? dark : light;
}

export const onPaper = () => printing;

export function onThemeChange(listener) {
  listeners.add(listener);
}

function tell() {
  document.documentElement.dataset.theme = theme().name;
  for (const listener of listeners) listener(theme());
}

function print(begins) {
  if (printing === begins) return;
  printing = begins;
  tell();
}

export function switchTheme() {
  chosen = theme() === dark ? 'light' : 'dark';
  remember(chosen);
  tell();
}

export function startTheme() {
  systemDark.addEventListener('change', tell);
  paper.addEventListener('change', (event) => print(event.matches));
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(paper.matches));
  tell();
}
