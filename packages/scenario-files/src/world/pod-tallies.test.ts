import type { Pod, Service } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { compileCondition } from '../expressions/compile-expression.ts';
import { FactCache } from './fact-cache.ts';
import type { InstanceRecords } from './launched-instances.ts';
import { ObservedCluster } from './observed-cluster.ts';

const web = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { app: 'web' } },
} as unknown as Service;

type PodTraits = {
  readonly app?: string;
  readonly namespace?: string;
  readonly node?: string;
  readonly isReady?: boolean;
};

const aPodOf = (name: string, { app = 'web', namespace = 'shop', node, isReady = true }: PodTraits = {}): Pod =>
  ({
    metadata: { name, namespace, labels: { app } },
    spec: { containers: [], ...(node !== undefined && { nodeName: node }) },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }) as unknown as Pod;

function aCluster() {
  const cluster = new ObservedCluster();
  const instances = { find: () => undefined, all: () => [] } as unknown as InstanceRecords;
  const see = (collection: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: object) =>
    cluster.see({ collection, type, object, client: '' } as Parameters<typeof cluster.see>[0]);
  see('nodes', 'ADDED', { metadata: { name: 'n1' } });
  see('pods', 'ADDED', aPodOf('early', { node: 'n1' }));
  see('services', 'ADDED', web);
  const facts = new FactCache({ cluster, instances, evictions: [], now: () => 0 as never });
  const holds = (text: string): boolean => {
    const outcome = compileCondition(text).evaluate(facts.read);
    return outcome.kind === 'value' && outcome.value === true;
  };
  return { facts, see, holds };
}

test('endpoints and pods of nodes are counted from change to change', () => {
  const { see, holds } = aCluster();
  expect(holds('services.all(s, s.readyEndpoints == 1) && nodes.all(n, n.pods == 1)')).toBe(true);
  see('pods', 'ADDED', aPodOf('a', { node: 'n1', isReady: false }));
  see('pods', 'ADDED', aPodOf('b', { node: 'n1', namespace: 'other' }));
  see('pods', 'ADDED', aPodOf('c', { app: 'api' }));
  expect(holds('services.all(s, s.readyEndpoints == 1) && nodes.all(n, n.pods == 3)')).toBe(true);
  see('pods', 'MODIFIED', aPodOf('a', { node: 'n1' }));
  see('pods', 'MODIFIED', aPodOf('c', { app: 'api', node: 'n2' }));
  expect(holds('services.all(s, s.readyEndpoints == 2) && nodes.all(n, n.pods == 3)')).toBe(true);
  see('services', 'MODIFIED', { ...web, spec: { selector: { app: 'api' } } });
  expect(holds('services.all(s, s.readyEndpoints == 1)')).toBe(true);
  see('pods', 'DELETED', aPodOf('early', { node: 'n1' }));
  see('pods', 'DELETED', aPodOf('c', { app: 'api', node: 'n2' }));
  expect(holds('services.all(s, s.readyEndpoints == 0) && nodes.all(n, n.pods == 2)')).toBe(true);
});

test('the fact of an object stays the same until the object is another', () => {
  const { facts, see } = aCluster();
  see('pods', 'ADDED', aPodOf('a'));
  const before = facts.read('pods') as readonly object[];
  see('pods', 'MODIFIED', aPodOf('a', { isReady: false }));
  const after = facts.read('pods') as readonly object[];
  expect([after.length, after[0] === before[0], after[1] === before[1]]).toEqual([2, true, false]);
});

test.each([
  ['nodes.all(n, n.ready)', false],
  ['nodes.all(n, n.pods > 0)', true],
  ['nodes.all(n, n.ready) && pods.all(p, p.ready)', true],
  ['services.all(s, s.readyEndpoints > 0)', true],
  ['price < 3.0', false],
])('%s is looked at again after a change of a pod: %s', (text, isLookedAt) => {
  const { facts, see } = aCluster();
  const condition = compileCondition(text);
  const before = facts.versionFor(condition);
  see('pods', 'ADDED', aPodOf('a'));
  expect(facts.versionFor(condition) !== before).toBe(isLookedAt);
});
