import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { manifestProblem } from './manifest-problem.ts';
import { solveProblem } from './solve-problem.ts';

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
  expect(solveProblem(problem).solution.newNodes.map(({ pods }) => pods)).toEqual([['default/runs']]);
});

test('a pod that runs without a node needs none', () => {
  const shown = { ...aPod('operator'), kind: 'Pod', status: { phase: 'Running' } };
  const { problem } = manifestProblem({ objects: [pool, shown], typesOf: () => instanceTypes, options });
  expect(problem.pods).toEqual([]);
});

test('a node that is not there cannot go away', () => {
  const ask = () => manifestProblem({ objects: [pool], typesOf: () => instanceTypes, options, removeNode: 'old' });
  expect(ask).toThrow('there is no node old');
});

test('pods that wait for something else than a node are told apart', () => {
  const held = (name: string, more: object) => ({ ...aPod(name), kind: 'Pod', ...more });
  const { spec, metadata, status } = aPod('p');
  const objects = [
    pool,
    held('gated', { spec: { ...spec, schedulingGates: [{ name: 'example.com/quota' }] } }),
    held('going', { metadata: { ...metadata, name: 'going', deletionTimestamp: '2024-01-01T00:00:00Z' } }),
    held('promised', { status: { ...status, nominatedNodeName: 'n' } }),
    held('waits', {}),
  ];
  const { problem, ignored } = manifestProblem({ objects, typesOf: () => instanceTypes, options });
  expect(problem.pods.map(({ metadata: { name } }) => name)).toEqual(['waits']);
  expect(ignored.map(({ pod, message }) => [pod.metadata.name, message])).toEqual([
    ['gated', 'it is held by its scheduling gates: example.com/quota'],
    ['going', 'it is being deleted'],
    ['promised', 'it waits for others to make room on node n'],
  ]);
});

test('a node takes no more volumes than its CSINode says', () => {
  const claimed = (name: string) => ({
    ...aPod(name),
    kind: 'Pod',
    spec: { ...aPod(name).spec, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }] },
  });
  const names = ['a', 'b', 'c'];
  const { node } = aNode('there', { managed: false });
  const driver = { name: 'ebs.csi.aws.com', allocatable: { count: 2 } };
  const objects = [
    { ...node, kind: 'Node', metadata: { ...node?.metadata, name: 'there' } },
    { kind: 'CSINode', metadata: { name: 'there' }, spec: { drivers: [driver] } },
    ...names.map((name) => ({ kind: 'PersistentVolumeClaim', metadata: { name } })),
    ...names.map(claimed),
  ];
  const { problem } = manifestProblem({ objects, typesOf: () => instanceTypes, options });
  expect(solveProblem(problem).solution.existing.flatMap(({ pods }) => pods)).toEqual(['default/a', 'default/b']);
});

test('namespaces carry the label of their name, those that are only mentioned too', () => {
  const described = { kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'x' } } };
  const objects = [described, { ...aPod('p', { namespace: 'unheard-of' }), kind: 'Pod' }];
  const { problem } = manifestProblem({ objects, typesOf: () => instanceTypes, options });
  expect(problem.namespaces.map(({ metadata }) => metadata.labels)).toEqual([
    { team: 'x', 'kubernetes.io/metadata.name': 'shop' },
    { 'kubernetes.io/metadata.name': 'unheard-of' },
  ]);
});

test('a claim without a class gets the youngest of the default classes', () => {
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const classes = [
    ['old', '2023-01-01T00:00:00Z', 'zone-a'],
    ['young', '2024-01-01T00:00:00Z', 'zone-b'],
  ].map(([name = '', creationTimestamp = '', zone = '']) => ({
    kind: 'StorageClass',
    metadata: { name, creationTimestamp, annotations: isDefault },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: [zone] }] }],
  }));
  const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: {} } } }];
  const objects = [pool, ...classes, { ...aPod('p'), kind: 'Pod', spec: { ...aPod('p').spec, volumes } }];
  const { problem } = manifestProblem({ objects, typesOf: () => instanceTypes, options });
  expect(solveProblem(problem).solution.newNodes.map(({ zones }) => zones)).toEqual([['zone-b']]);
});

test('a DaemonSet takes of a new node what its newest pod takes, not what its template says', () => {
  const daemonSet = { ...workload('DaemonSet', { template }), metadata: { name: 'web', uid: 'ds' } };
  const live = (name: string, creationTimestamp: string, cpu: string) => {
    const pod = aPod(name, { nodeName: 'n', requests: { cpu } });
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web', uid: 'ds', controller: true }];
    return { ...pod, kind: 'Pod', metadata: { ...pod.metadata, creationTimestamp, ownerReferences } };
  };
  const objects = [
    daemonSet,
    live('web-new', '2024-01-02T00:00:00Z', '300m'),
    live('web-old', '2024-01-01T00:00:00Z', '200m'),
  ];
  const { problem } = manifestProblem({ objects, typesOf: () => instanceTypes, options });
  expect(problem.daemonPods.map(({ spec }) => spec.containers[0]?.resources?.requests)).toEqual([{ cpu: '300m' }]);
});
