#!/usr/bin/env node
// Copies recorded requests and answers of a real kube-apiserver into the test data, one compressed file per section.
//   node scripts/copy-goldens.mjs <folder of recordings> [section ...]
// Every line of a file is one exchange: { slug, note, request: { method, path, headers, body }, response: { status, headers, body } }.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const target = new URL('../packages/testkit/testdata/golden/', import.meta.url);
const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: copy-goldens.mjs <folder of recordings> [section ...]');
  process.exit(2);
}

/** OpenAPI documents are kept as generated type descriptions instead. */
const isTooLarge = (slug) => slug.startsWith('openapi-v2') || slug.startsWith('openapi-v3-');

const rows = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
const sections = [...new Set(rows.map((row) => row.section))].filter(
  (section) => wanted.length === 0 || wanted.includes(section),
);

function bodyOf(section, file) {
  const path = file === null || file === undefined ? undefined : join(folder, section, file);
  return path === undefined || !existsSync(path) ? null : readFileSync(path, 'utf8');
}

function exchangeOf(row) {
  const meta = JSON.parse(readFileSync(join(folder, row.section, `${row.slug}.meta.json`), 'utf8'));
  const { method, path, headers } = meta.request;
  return {
    slug: row.slug,
    note: row.note,
    request: { method, path, headers, body: bodyOf(row.section, meta.request.bodyFile) },
    response: {
      status: meta.response.status,
      headers: meta.response.headers,
      body: bodyOf(row.section, meta.response.bodyFile),
    },
  };
}

mkdirSync(target, { recursive: true });
for (const section of sections) {
  const exchanges = rows.filter((row) => row.section === section && !isTooLarge(row.slug)).map(exchangeOf);
  const lines = exchanges.map((exchange) => JSON.stringify(exchange)).join('\n');
  const packed = gzipSync(`${lines}\n`, { level: 9 });
  writeFileSync(new URL(`${section}.jsonl.gz`, target), packed);
  console.log(`${section}: ${exchanges.length} exchanges, ${packed.length} bytes`);
}

const admission = join(folder, 'admission', 'cases.json');
if (existsSync(admission))
  writeFileSync(new URL('admission.json.gz', target), gzipSync(readFileSync(admission), { level: 9 }));
