import { fromTimestamp, type NodeGroup } from '@nodewright/apis';
import { aClusterReading, aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { explainMachine, findForeignInstance } from './explain-machine.ts';
import { printExplanation } from './explanation.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const at = '2024-03-01T10:00:00Z';

type GroupTraits = { readonly spec?: Partial<NodeGroup['spec']>; readonly status?: Partial<NodeGroup['status']> };

function explainWith(id: string, labels: Readonly<Record<string, string>>, { spec, status }: GroupTraits) {
  const { node } = aNode('a', { managed: false });
  if (node === undefined) throw new Error('a node without a Node');
  const own = {
    ...node,
    metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...labels } },
    spec: { ...node.spec, providerID: `aws:///us-east-1a/${id}` },
  };
  const group: NodeGroup = {
    metadata: { name: 'workers' },
    spec: { image: { amiSelectorTerms: [{ alias: 'al2023@latest' }] }, ...spec },
    status: { target: { image: 'ami-2', release: 'v20240301' }, ...status },
  };
  const state = { ...aNode('a', { managed: false }), node: own };
  const reading = aClusterReading({ nodes: [state], nodeGroups: [group] });
  return printExplanation(explainMachine('a', reading, now));
}

const plain = { autoScalingGroup: { name: 'asg-1' } };
const member = { id: 'i-1', image: 'ami-1', zone: 'us-east-1a', launchedAt: at };

test('a node of an Auto Scaling group without a policy has its group, image, since when, and what is under way', () => {
  const update = { number: 3, target: 'ami-2', startedAt: at, phase: 'upgrade' };
  const status = {
    phase: 'Updating',
    reason: 'drains 1 node, 2 old nodes to follow',
    instances: [member],
    update,
  } as const;
  expect(explainWith('i-1', {}, { spec: plain, status })).toBe(
    [
      'Node a: is of NodeGroup workers and is to be replaced by the update under way: drains 1 node, 2 old nodes to follow',
      `  - NodeGroup workers (Auto Scaling group asg-1), instance i-1, image ami-1, there since ${at}`,
      '  - the group is to run ami-2 (v20240301)',
      `  - update 3 to ami-2 is under way since ${at}, in phase upgrade`,
      '  - its price is not known; 0 pods request 0% of its CPU and 0% of its memory',
    ].join('\n'),
  );
});

test('a node on the image of its group stays', () => {
  const status = { phase: 'Updating', reason: 'drains 1 node', instances: [{ ...member, image: 'ami-2' }] } as const;
  expect(explainWith('i-1', {}, { spec: plain, status })).toContain(
    'is of NodeGroup workers and stays: it runs what the group is to run',
  );
});

test('a node that its group holds has every blocker with its instant', () => {
  const blockedBy = [{ reason: 'PodDisruptionBudget', message: 'pdb web/api allows 0 evictions', since: at }];
  const status = {
    phase: 'Blocked',
    reason: 'pdb web/api allows 0 evictions',
    instances: [member],
    blockedBy,
  } as const;
  const text = explainWith('i-1', {}, { spec: plain, status });
  expect(text).toContain('runs another image than the group is to run, and is not replaced now: pdb web/api allows');
  expect(text).toContain(`held since ${at}: pdb web/api allows 0 evictions`);
});

test('a node of a managed group is known by its label', () => {
  const labels = { 'eks.amazonaws.com/nodegroup': 'ng-1', 'eks.amazonaws.com/nodegroup-image': 'ami-1' };
  const spec = { eks: { name: 'ng-1' }, update: { mode: 'OnRequest' } } as const;
  const text = explainWith('i-9', labels, { spec, status: { phase: 'Outdated', reason: 'waits for a request' } });
  expect(text).toContain('and is not replaced now: waits for a request');
  expect(text).toContain('the group is updated on request');
});

const eks = (label: string) => `eks.amazonaws.com/${label}`;

test.each([
  ['i-2', {}, 'no NodePool and no NodeGroup keeps it', 'its instance i-2 stands alone, or is of an Auto Scaling group'],
  [
    'i-2',
    { [eks('nodegroup')]: 'ng-9' },
    'it is of the managed node group ng-9, which no NodeGroup keeps',
    'a NodeGroup with spec.eks.name: ng-9 would keep the group',
  ],
  ['i-2', { [eks('compute-type')]: 'auto' }, 'EKS Auto Mode keeps it', ''],
  ['fargate-1', { [eks('compute-type')]: 'fargate' }, 'it runs on Fargate, and goes with its pod', ''],
])('a node of no NodeGroup is left alone, and told what it is: %s %o', (id, labels, answer, reason) => {
  const text = explainWith(id, labels, { spec: plain, status: { instances: [member] } });
  expect(text).toContain(`Node a: is left alone: ${answer}`);
  expect(text).toContain(reason);
});

test('a node of an Auto Scaling group without a NodeGroup is told what governs it, where AWS was asked', () => {
  const { node } = aNode('a', { managed: false });
  const instance = {
    ...aNode('a', { managed: false }),
    ...(node && { node: { ...node, spec: { providerID: 'aws:///x/i-3' } } }),
  };
  const reading = aClusterReading({ nodes: [instance] });
  expect(findForeignInstance('a', reading)).toBe('i-3');
  const template = { id: 'lt-1', version: '4', imageId: 'ami-7' };
  const unkeptGroup = { name: 'asg-2', min: 1, max: 5, desired: 3, template };
  expect(explainMachine('a', { ...reading, unkeptGroup }, now).reasons).toEqual([
    'it is of the Auto Scaling group asg-2, which has 3 of 1 to 5 instances: the group alone decides when it goes',
    'new instances of the group get image ami-7, by version 4 of lt-1',
    'a NodeGroup with spec.autoScalingGroup.name: asg-2 would keep the group',
    'its price is not known; 0 pods request 0% of its CPU and 0% of its memory',
  ]);
});
