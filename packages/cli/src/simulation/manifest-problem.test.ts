import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { manifestProblem } from './manifest-problem.ts';
import { solve } from './solve-problem.ts';

const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const;
const instanceTypes = [anInstanceType('c4', { cpu: 4 })];
const pool = { ...aNodePool(), kind: 'NodePool' };

const workload = (kind: string, spec: object) => ({ apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec });
const template = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };

for (const { kind, spec, pods, daemons } of [
  { kind: 'Deployment', spec: { replicas: 3, template }, pods: ['web-1', 'web-2', 'web-3'], daemons: [] },
  { kind: 'StatefulSet', spec: { template }, pods: ['web-0'], daemons: [] },
  { kind: 'Job', spec: { parallelism: 2, template }, pods: ['web-1', 'web-2'], daemons: [] },
  { kind: 'DaemonSet', spec: { template }, pods: [], daemons: ['web'] },
]) {
  test(`a ${kind} stands for its pods`, () => {
    const { problem } = manifestProblem({
      objects: [pool, workload(kind, spec)],
      typesOf: () => instanceTypes,
      options,
    });
    expect(problem.pods.map(({ metadata }) => metadata.name)).toEqual(pods);
    expect(problem.daemonPods.map(({ metadata }) => metadata.name)).toEqual(daemons);
  });
}

test('the pods of a node that goes away look for another place', () => {
  const { node } = aNode('old', { managed: false });
  const running = { ...aPod('runs', { nodeName: 'old', requests: { cpu: 1 } }), kind: 'Pod' };
  const objects = [pool, running, { ...node, kind: 'Node', metadata: { name: 'old' } }];
  const { problem } = manifestProblem({ objects, typesOf: () => instanceTypes, options, removeNode: 'old' });
  expect(solve(problem).solution.newNodes.map(({ pods }) => pods)).toEqual([['default/runs']]);
});

test('a node that is not there cannot go away', () => {
  const ask = () => manifestProblem({ objects: [pool], typesOf: () => instanceTypes, options, removeNode: 'old' });
  expect(ask).toThrow('there is no node old');
});
