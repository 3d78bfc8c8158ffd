import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScenarioResult } from '@nodewright/scenario-files';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDataDirectory } from '../../world/data-directory.ts';
import { findPlays, type ScenarioPlay } from './find-plays.ts';
import { lookCloser } from './look-closer.ts';
import { playOne } from './play-one.ts';

const scenario = (name: string, expected: string): string => `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ${name}}
spec:
  given: [pool.yaml]
  steps:
  - advance: 20m
  - expect: ${expected}
`;
const pool = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-my-cluster
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: my-cluster}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: my-cluster}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
`;

let folder: string;
let plays: readonly ScenarioPlay[];
let results: readonly ScenarioResult[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'closer-'));
  writeFileSync(join(folder, 'pool.yaml'), pool);
  writeFileSync(join(folder, 'good.yaml'), scenario('the pool stays empty', 'nodes.size() == 0'));
  writeFileSync(join(folder, 'bad.yaml'), scenario('the pool has nodes', 'nodes.size() == 3'));
  plays = findPlays([join(folder, 'good.yaml'), join(folder, 'bad.yaml')], { seed: 1 });
  const played: ScenarioResult[] = [];
  for (const play of plays) played.push(await playOne(play, ''));
  results = played;
});
afterAll(() => rmSync(folder, { recursive: true }));

const look = (flags: Parameters<typeof lookCloser>[1], of = results) =>
  lookCloser({ plays, results: of, standardInput: '' }, flags);

test('one of the two scenarios fails', () => {
  expect(results.map(({ failure }) => failure === undefined)).toEqual([true, false]);
});

test('without a wish to look nothing is played again', async () => {
  expect(await look({})).toEqual([]);
});

describe('the cluster of a failure', () => {
  test('is kept as a sandbox that starts where it ended, and not twice in one directory', async () => {
    const keep = join(folder, 'kept');
    const [line = ''] = await look({ keep });
    expect(line).toMatch(
      /^the cluster at that instant: nodewright sandbox --data-dir .*kept --start-time \d{4}-\d\d-\d\dT[\d:]+Z$/,
    );
    const home = openDataDirectory(keep, { fsync: 'never', warn: () => undefined });
    expect(home.identity).toMatchObject({ seed: 1, starts: 1, ports: { kubernetes: 0, aws: 0, control: 0 } });
    home.close();
    expect(readFileSync(join(keep, 'state.jsonl'), 'utf8')).toContain('NodePool');
    expect(await look({ keep })).toEqual([`${keep} holds a sandbox already, and is left as it is`]);
  });

  test('has a directory of its own where several failed', async () => {
    const keep = join(folder, 'several');
    const failure = results[1]?.failure;
    const all = results.map((result) => ({ ...result, failure }) as ScenarioResult);
    expect(await look({ keep }, all)).toEqual([
      expect.stringContaining(`--data-dir ${join(keep, 'the-pool-stays-empty-1')} `),
      expect.stringContaining(`--data-dir ${join(keep, 'the-pool-has-nodes-1')} `),
    ]);
  });
});

describe('a timeline', () => {
  test('is drawn of the failure', async () => {
    const open = join(folder, 'timeline.html');
    expect(await look({ open })).toEqual([`timeline of the pool has nodes, seed 1: ${open}`]);
    expect(readFileSync(open, 'utf8')).toMatch(/^<!doctype html>[\s\S]*the pool has nodes/i);
  });

  test('is drawn of the first play where none failed', async () => {
    const open = join(folder, 'first.html');
    expect(await look({ open }, results.slice(0, 1))).toEqual([`timeline of the pool stays empty, seed 1: ${open}`]);
    expect(existsSync(open)).toBe(true);
  });
});

test('a file that has changed since it was read is not taken for the same play', async () => {
  const [play] = plays;
  if (play === undefined) throw new Error('there are two plays');
  await expect(playOne({ ...play, scenario: 7 }, '')).rejects.toThrow('has changed while it was played');
});
