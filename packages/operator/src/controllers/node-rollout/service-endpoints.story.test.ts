import type { EndpointSlice, Pod } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { listServiceEndpoints } from './service-endpoints.ts';

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];

const endpoint = (pod: string, nodeName: string, conditions: Endpoint['conditions'] = { ready: true }): Endpoint => ({
  conditions,
  nodeName,
  targetRef: { kind: 'Pod', namespace: 'default', name: pod },
});

const aReplica = (name: string, ready: boolean): Pod => ({
  metadata: {
    name,
    namespace: 'default',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web' }],
  },
  spec: { containers: [{ name: 'web', image: 'web' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

function listed(endpoints: readonly Endpoint[], pods: readonly Pod[] = [], excluded: readonly string[] = []) {
  const objects = createObjects({} as KubernetesClient);
  for (const name of ['one', 'two'])
    objects.nodes.cache.seen({
      metadata: {
        name,
        labels: excluded.includes(name) ? { 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' } : {},
      },
    });
  for (const pod of pods) objects.pods.cache.seen(pod);
  const labels = { 'kubernetes.io/service-name': 'web' };
  objects.endpointSlices.cache.seen({ metadata: { name: 'web-1', namespace: 'default', labels }, endpoints });
  return listServiceEndpoints({ objects, planNames: new Map([['one', 'claim-1']]) });
}

test('ready endpoints count by the names that the plan has for their nodes', () => {
  expect(listed([endpoint('a', 'one'), endpoint('b', 'two')])).toEqual([
    { service: 'default/web', nodes: ['claim-1', 'two'] },
  ]);
});

test('endpoints that end, that are not ready, or whose node load balancers leave out do not count', () => {
  const [first, second] = [endpoint('a', 'one'), endpoint('b', 'two')];
  expect(listed([first, { ...second, conditions: { ready: false } }])[0]?.nodes).toEqual(['claim-1']);
  expect(listed([first, { ...second, conditions: { ready: true, terminating: true } }])[0]?.nodes).toEqual(['claim-1']);
  expect(listed([first, second], [], ['two'])[0]?.nodes).toEqual(['claim-1']);
});

test('a pod of the same owner that is not ready will be an endpoint, although no slice knows it yet', () => {
  expect(listed([endpoint('a', 'one')], [aReplica('a', true), aReplica('b', false)])).toEqual([
    { service: 'default/web', nodes: ['claim-1'], starting: 1 },
  ]);
  expect(listed([endpoint('a', 'one')], [aReplica('a', true)])).toEqual([
    { service: 'default/web', nodes: ['claim-1'] },
  ]);
});
