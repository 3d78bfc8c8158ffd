import type { NodeState } from './node-state.ts';
import { aNode, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { parseRequirements } from '@nodewright/requirements';
import { refusalOfNode, withoutWorkload } from './node-refusal.ts';

const zone = 'topology.kubernetes.io/zone';
const inZoneB = [parseRequirements([{ key: zone, operator: 'In', values: ['zone-b'] }])];
const full = aNode('n', { pods: [aPod('runs', { nodeName: 'n', requests: { cpu: 4 } })] });

for (const { fact, pod, state, volumes, why } of [
  { fact: 'nothing', pod: aPod('p', { requests: { cpu: 4 } }), state: aNode('n'), why: undefined },
  {
    fact: 'a taint',
    pod: aPod('p'),
    state: aNode('n', { taints: [{ key: 'team', value: 'red', effect: 'NoSchedule' }] }),
    why: 'node(s) had untolerated taint {team: red}',
  },
  {
    fact: 'no taint that pods may ignore',
    pod: aPod('p'),
    state: aNode('n', { taints: [{ key: 'team', value: 'red', effect: 'PreferNoSchedule' }] }),
    why: undefined,
  },
  {
    fact: 'a label that the node does not have',
    pod: aPod('p', { nodeSelector: { team: 'red' } }),
    state: aNode('n'),
    why: "node(s) didn't match Pod's node affinity/selector (team In [red], the node does not have the label)",
  },
  {
    fact: 'the value of a label',
    pod: aPod('p', { nodeSelector: { [zone]: 'zone-b' } }),
    state: aNode('n'),
    why: `node(s) didn't match Pod's node affinity/selector (${zone} In [zone-b], the node has ${zone} In [zone-a])`,
  },
  {
    fact: 'a volume elsewhere',
    pod: aPod('p'),
    state: aNode('n'),
    volumes: inZoneB,
    why: `node(s) had volume node affinity conflict (${zone} In [zone-b], the node has ${zone} In [zone-a])`,
  },
  {
    fact: 'a resource',
    pod: aPod('p', { requests: { cpu: 5 } }),
    state: aNode('n'),
    why: 'Insufficient cpu (5 of 4)',
  },
  {
    fact: 'the number of pods',
    pod: aPod('p'),
    state: aNode('n', { allocatable: { cpu: '4', memory: '8Gi', pods: '0' } }),
    why: 'Too many pods (1 of 0)',
  },
  {
    fact: 'a port that is taken',
    pod: aPod('p', { hostPort: 80 }),
    state: aNode('n', { pods: [aPod('runs', { nodeName: 'n', hostPort: 80 })] }),
    why: "node(s) didn't have free ports for the requested pod ports (80/TCP)",
  },
  {
    fact: 'pods that run there',
    pod: aPod('p', { requests: { cpu: 1 } }),
    state: full,
    why: 'Insufficient cpu (1 of 0)',
  },
  {
    fact: 'nothing but the pods that run there',
    pod: aPod('p', { requests: { cpu: 1 } }),
    state: withoutWorkload(full),
    why: undefined,
  },
] as readonly {
  readonly fact: string;
  readonly pod: ReturnType<typeof aPod>;
  readonly state: NodeState;
  readonly volumes?: typeof inZoneB;
  readonly why: string | undefined;
}[]) {
  test(`what keeps a pod off a node that is there: ${fact}`, () => {
    expect(refusalOfNode(pod, state, volumes)?.why).toBe(why);
  });
}
