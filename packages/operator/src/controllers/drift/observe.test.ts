import type { NodeRolloutPolicy } from '@nodewright/apis';
import { aLoosePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { Objects } from '../../state/objects.ts';
import { type DriftSources, observeDrift } from './observe.ts';

const pool = aLoosePool();
const claim = { metadata: { name: 'default-1', labels: { 'karpenter.sh/nodepool': 'default' } }, spec: {} };

const policy = (more: Partial<NodeRolloutPolicy> = {}): NodeRolloutPolicy => ({
  metadata: { name: 'production' },
  spec: {},
  ...more,
});

async function isGoverned(policies: readonly NodeRolloutPolicy[]): Promise<boolean> {
  const named = (name: string) => policies.find(({ metadata }) => metadata.name === name);
  const objects = {
    nodeClaims: { get: () => claim },
    nodePools: { get: () => pool, list: () => [pool] },
    nodeClasses: { get: () => undefined },
    rolloutPolicies: { list: () => policies, get: named },
    rollouts: { list: () => [], by: () => [], get: () => undefined },
  } as unknown as Objects;
  const sources = { objects, decisions: {}, instances: {}, instanceTypes: {} } as unknown as DriftSources;
  const seen = await observeDrift(sources, 'default-1', new AbortController().signal);
  if (seen === undefined) throw new Error('nothing was observed');
  expect(seen.governed?.admitted).toBeUndefined();
  return seen.governed !== undefined;
}

describe('a claim goes when a policy lets it go', () => {
  for (const { fact, policies, governed } of [
    { fact: 'not where there is no policy', policies: [], governed: false },
    { fact: 'where there is one', policies: [policy({ status: { baseline: [] } })], governed: true },
    { fact: 'where one came a moment ago and has not looked at its nodes yet', policies: [policy()], governed: true },
    { fact: 'not where one only reports', policies: [policy({ spec: { mode: 'Report' } })], governed: false },
    {
      fact: 'not where one is being deleted',
      policies: [policy({ metadata: { name: 'production', deletionTimestamp: '2024-03-01T12:00:00Z' } })],
      governed: false,
    },
  ]) {
    test(fact, async () => {
      expect(await isGoverned(policies)).toBe(governed);
    });
  }
});
