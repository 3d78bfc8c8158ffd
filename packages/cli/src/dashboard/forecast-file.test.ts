import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followForecastFile, parseForecast } from './forecast-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'nodewright-forecast-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As `nodewright forecast -o json` prints it. */
const recorded = {
  kind: 'Forecast',
  ...(JSON.parse(
    readFileSync(join(import.meta.dirname, '../commands/forecast/testdata/tag-change.json'), 'utf8'),
  ) as object),
};

test('what the command prints is read, and read again when it has changed', () => {
  const file = join(folder, 'forecast.json');
  writeFileSync(file, JSON.stringify(recorded));
  const forecast = followForecastFile(file);
  expect(forecast().change).toEqual(['EC2NodeClass pinned-release']);
  expect(new Set(forecast().entries.map(({ track }) => track))).toEqual(new Set(['nodes']));
  writeFileSync(file, '{"kind":');
  utimesSync(file, 1, 1);
  expect(forecast().change).toEqual(['EC2NodeClass pinned-release']);
  writeFileSync(file, JSON.stringify({ ...recorded, change: { manifests: ['NodePool web'] } }));
  utimesSync(file, 2, 2);
  expect(forecast().change).toEqual(['NodePool web']);
});

for (const { fact, document, problem } of [
  { fact: 'another document', document: { kind: 'Snapshot' }, problem: 'it is no Forecast' },
  { fact: 'a list', document: [], problem: 'it is no Forecast' },
  { fact: 'a time that is none', document: { ...recorded, until: 'soon' }, problem: 'until must be a time' },
  { fact: 'a node without a name', document: { ...recorded, nodes: [{}] }, problem: 'nodes[0].node must be a text' },
  { fact: 'no rollouts', document: { ...recorded, rollouts: {} }, problem: 'rollouts must be a list' },
]) {
  test(`${fact} is refused`, () => expect(() => parseForecast(document)).toThrow(problem));
}

test('a file that is not there stops the start', () => {
  expect(() => followForecastFile(join(folder, 'none.json'))).toThrow('none.json: ENOENT');
});
