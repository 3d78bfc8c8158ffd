import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { ScenarioResult } from '@nodewright/scenario-files';
import { expect, test } from 'vitest';
import { lookCloser } from './look-closer.ts';

test('the cluster of a snapshot is not kept, and a line says so', async () => {
  const play = { file: 'a.yaml', scenario: 0, case: 0, title: 'ours', seed: 3, readsInput: false };
  const result = { file: 'a.yaml', name: 'ours', case: '', seed: 3, failure: {} } as unknown as ScenarioResult;
  const keep = join(tmpdir(), 'never-made-by-look-closer');
  const tests = { plays: [{ ...play, isOfSnapshot: true as const }], results: [result], standardInput: '' };
  expect(await lookCloser(tests, { keep })).toEqual([
    'ours, seed 3, is not kept: its cluster begins in a snapshot, and a sandbox has other releases and prices; --open FILE draws what happened',
  ]);
  expect(existsSync(keep)).toBe(false);
});
