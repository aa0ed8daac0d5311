// Makes the page: one file with style and script in it, which tools/page-bundle puts into bundle/.
//
//   node build.mjs <folder of node_modules> <page.html>
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const [modules, pageFile] = process.argv.slice(2).map((name) => path.resolve(name));
const esbuild = createRequire(path.join(modules, 'package.json'))('esbuild');

async function bundle(entry) {
  const {outputFiles} = await esbuild.build({
    entryPoints: [path.join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'inline',
    nodePaths: [path.join(modules, 'node_modules')],
    define: {'process.env.NODE_ENV': '"production"'},
  });
  // A browser reads a script up to the first end tag, whatever it stands in.
  return outputFiles[0].text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

// Nothing is loaded from anywhere, and no script runs but the one that was there when the page was built.
function policyFor(script) {
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:`;
}

const script = await bundle('source/main.js');
const style = await bundle('style/page.css');
const parts = {script, style, policy: policyFor(script)};
const template = readFileSync(path.join(here, 'page.html.in'), 'utf8');
const page = template.replace(/@(\w+)@/g, (_, name) => parts[name]);

writeFileSync(pageFile, page);
