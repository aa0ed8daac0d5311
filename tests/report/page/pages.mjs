// Pages for the tests: a document put into the built page as the program does it, a file of it, and a browser that shows it.
//
// CHOIR_PAGE: the built page.html. CHOIR_PAGE_MODULES: the folder whose node_modules has playwright-core.
// CHOIR_SCREENSHOTS: where pages and pictures of them are left.
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

// {page, complaints, requests}: what the browser said and asked for since it began to load the file.
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({viewport: {width: 1100, height: 900}, colorScheme: 'light', ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
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

// Every section is filled and every chart has drawn something.
export async function drawn(page) {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.ready === 'true' &&
      [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg path')),
  );
}

export const picture = (page, name) => page.screenshot({path: path.join(output, `${name}.png`), fullPage: true});

// What is said in one place of a page that is not needed any more.
export async function lastWords(page, selector) {
  const words = await page.locator(selector).textContent();
  await page.context().close();
  return words;
}
