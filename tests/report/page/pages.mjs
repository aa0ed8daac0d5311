// Pages for the tests: a document put into the built page as the program does it, a file of it, and a browser that shows it.
//
// CHOIR_PAGE: the built page.html. CHOIR_PAGE_MODULES: the folder whose node_modules has playwright-core.
// CHOIR_SCREENSHOTS: where pages are left, and pictures of them with CHOIR_PICTURES=1.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const need = (name) =>
  process.env[name] ??
  (() => {
    throw new Error(`${name} is not set; see tests/report/page/CMakeLists.txt`);
  })();
const {chromium} = createRequire(path.join(need('CHOIR_PAGE_MODULES'), 'package.json'))('playwright-core');
export const output = need('CHOIR_SCREENSHOTS');
export const template = readFileSync(need('CHOIR_PAGE'), 'utf8');
mkdirSync(output, {recursive: true});

const placeholder = '<script type="application/json" id="run">{}</script>';

export const fixture = (name) => JSON.parse(readFileSync(path.join(here, 'fixtures', `${name}.json`), 'utf8'));

// Labels against clusters: cluster 2 is label 0, cluster 0 is label 1; no label has most of its samples in cluster 1.
export const clustersByLabel = {
  rows: [0, 1],
  columns: [0, 1, 2],
  counts: [
    [5, 10, 85],
    [70, 30, 0],
  ],
  rows_are: 'labels',
  columns_are: 'clusters',
};
export const predictionsByClass = {
  rows: [3, 8],
  columns: [3, 8],
  counts: [
    [90, 10],
    [20, 80],
  ],
  rows_are: 'classes',
  columns_are: 'predictions',
  note: 'Predictions of all nodes are counted together.',
};

export function pageOf(document) {
  if (template.split(placeholder).length !== 2) throw new Error('the page must have its placeholder once');
  const json = JSON.stringify(document).replaceAll('<', '\\u003c');
  return template.replace(placeholder, () => placeholder.replace('{}', () => json));
}

export function writePage(name, document) {
  const file = path.join(output, `${name}.html`);
  writeFileSync(file, pageOf(document));
  return file;
}

// A browser that asks nobody for news: pages are files.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
export const launch = () =>
  chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', ...quiet]});

const patience = 240_000; // ms; other tests run beside this one

const usual = {width: 1100, height: 900};
const idle = new Map(); // browser: pages that nobody needs any more; to load another file is less work than a new context

async function freshPage(browser, options) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(patience);
  return page;
}

// {page, complaints, requests}: what the browser said and asked for since it began to load the file. Hand the page to
// done() afterwards. `permissions` need a context of their own.
export async function open(browser, file, {viewport = usual, permissions} = {}) {
  const page = permissions
    ? await freshPage(browser, {permissions})
    : (idle.get(browser)?.pop() ?? (await freshPage(browser, {})));
  await page.setViewportSize(viewport);
  await page.emulateMedia({media: null, colorScheme: 'light'});
  const complaints = [];
  const requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const address = pathToFileURL(file).href;
  page.on(
    'request',
    (request) => request.url() !== address && !request.url().startsWith('data:') && requests.push(request.url()),
  );
  await page.goto(address);
  await drawn(page);
  return {page, complaints, requests};
}

// The next open() may use the page. Pages that were changed in a way that loading another file does not undo (a mouse
// that lies on a chart, permissions) are closed with their context instead.
export async function done(page) {
  page.removeAllListeners();
  const browser = page.context().browser();
  if (!idle.has(browser)) idle.set(browser, []);
  idle.get(browser).push(page);
}

// Every section is filled and every chart has drawn something.
export async function drawn(page) {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.ready === 'true' &&
      [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg path')),
  );
}

// Pictures are for people: no test looks at them, and they take as long as the tests. CHOIR_PICTURES=1 asks for them.
const pictures = (process.env.CHOIR_PICTURES ?? '0') !== '0';
export async function picture(page, name) {
  if (pictures) await page.screenshot({path: path.join(output, `${name}.png`), fullPage: true});
}

// What is said in one place of a page that is not needed any more.
export async function lastWords(page, selector) {
  const words = await page.locator(selector).textContent();
  await done(page);
  return words;
}
