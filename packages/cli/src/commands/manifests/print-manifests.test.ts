import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInstallValues } from '@nodewright/manifests';
import { parseManifests } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import type { OutputFormat } from '../../terminal/output.ts';
import { printInstallManifests } from './print-manifests.ts';
import { controllerSettings } from './setting-catalogue.ts';

const folder = mkdtempSync(join(tmpdir(), 'values-'));

function printed(text: string, output?: OutputFormat) {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, text);
  const said = { out: '', err: '' };
  const process = {
    stdout: { write: (words: string) => (said.out += words) },
    stderr: { write: (words: string) => (said.err += words) },
  };
  printInstallManifests.call({ process }, { values: file, ...(output === undefined ? {} : { output }) });
  return said;
}

const required = 'image: registry.example.com/nodewright:0.1.0\nsettings: {clusterName: prod}\n';

test('YAML and JSON have the same objects', () => {
  const { out, err } = printed(required);
  expect(err).toBe('');
  const objects = parseManifests(out);
  expect(objects.at(-1)).toMatchObject({ kind: 'Deployment', metadata: { name: 'karpenter' } });
  expect(JSON.parse(printed(required, 'json').out)).toEqual({ apiVersion: 'v1', kind: 'List', items: objects });
});

test('the right to ask who reads the page is there only with the page', () => {
  const rights = (settings: string): readonly string[] =>
    [
      ...printed(required.replace('prod', `prod${settings}`), 'json').out.matchAll(
        /"(tokenreviews|subjectaccessreviews)"$/gm,
      ),
    ].map(([, resource = '']) => resource);
  expect([rights(''), rights(', uiPort: 0')]).toEqual([[], []]);
  expect(rights(', uiPort: 8090')).toEqual(['tokenreviews', 'subjectaccessreviews']);
});

test('every wrong value is told in a line with the file, and nothing is printed', () => {
  const wrong = () => printed('image: a\nsettings: {clusterName: prod, metricsPort: 99999}\n');
  expect(wrong).toThrow(InputError);
  expect(wrong).toThrow(
    /values\.yaml: image: must be an image with a tag .*\n.*values\.yaml: settings\.metricsPort: must be a port from 0 to 65535/,
  );
});

test('a file that is no YAML is refused with the place', () => {
  expect(() => printed('image: [a')).toThrow(/values\.yaml: .*line 1/);
});

test('a file that is not there is refused', () => {
  const process = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
  expect(() => printInstallManifests.call({ process }, { values: join(folder, 'none.yaml') })).toThrow(/none\.yaml: /);
});

test('without values the error says what is required', () => {
  const process = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
  expect(() => printInstallManifests.call({ process }, {})).toThrow('no --values: image: is required');
});

test('settings that do something else than their author may expect are told on stderr', () => {
  const { out, err } = printed(
    required.replace('prod', 'prod, featureGates: "NodeRepairs=true", memoryLimit: 5'),
    'json',
  );
  expect(err).toMatch(/FEATURE_GATES: there is no gate NodeRepairs.*\n.*MEMORY_LIMIT has no effect/);
  expect(out).toContain('"value": "NodeRepairs=true"');
});

test('the table of docs/real-clusters.md has every value', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/real-clusters.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  const { values } = readInstallValues({}, controllerSettings);
  expect(new Set(rows)).toEqual(new Set(Object.keys(values)));
});
