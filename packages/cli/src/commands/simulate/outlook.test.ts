import type { KubernetesObject } from '@nodewright/apis';
import { aNode, aNodeOverlay, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { manifestProblem, type ManifestQuestion } from './manifest-problem.ts';
import { outlookOn } from './outlook.ts';
import { printedOutlook } from './print-outlook.ts';

const instanceTypes = [anInstanceType('c2', { cpu: 2 }), anInstanceType('c4', { cpu: 4 })];
const pool = { ...aNodePool(), kind: 'NodePool' };

const question = (objects: readonly KubernetesObject[], more: Partial<ManifestQuestion> = {}): ManifestQuestion => ({
  objects: [pool, ...objects],
  typesOf: () => instanceTypes,
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  ...more,
});
const told = (objects: readonly KubernetesObject[], more: Partial<ManifestQuestion> = {}): string =>
  printedOutlook(outlookOn(manifestProblem(question(objects, more))).outlook);

const workload = (kind: string, name: string, spec: object) => ({ kind, apiVersion: 'v1', metadata: { name }, spec });
const running = { ...aPod('runs', { nodeName: 'old', requests: { cpu: 3 } }), kind: 'Pod' };
const old = { ...aNode('old', { managed: false, instanceType: 'c4' }).node, kind: 'Node', metadata: { name: 'old' } };

test('a new node is told with what keeps cheaper types away', () => {
  expect(told([{ ...aPod('p', { requests: { cpu: 3 } }), kind: 'Pod' }])).toBe(`\
NODEPOOL   CHEAPEST   TYPES   ZONES                  CAPACITY         CPU   MEMORY   PODS   PER HOUR
default    c4         1       zone-a,zone-b,zone-c   on-demand,spot   3     0        1      $0.0560

Why not cheaper than default c4 $0.0560:
  c2 $0.0280: cpu 3

1 new node, $0.0560 per hour, 0 pods without a place`);
});

test('a removal is told with where the pods go and what it costs', () => {
  const labels = {
    'node.kubernetes.io/instance-type': 'c2',
    'topology.kubernetes.io/zone': 'zone-a',
    'karpenter.sh/capacity-type': 'on-demand',
  };
  const priced = { ...old, metadata: { name: 'old', labels } };
  expect(told([running, priced], { removeNode: 'old' }).split('\n')[0]).toBe(
    'Without node old: 1 pod to new nodes (default/runs); $0.0240 per hour less',
  );
  expect(told([old], { removeNode: 'old' }).split('\n')[0]).toBe('Without node old: nothing has to move');
});

test('pools that launch nothing are told, with why', () => {
  const leaving = { ...pool, metadata: { name: 'leaving', deletionTimestamp: '2024-01-01T00:00:00Z' } };
  expect(told([leaving])).toContain('NodePool leaving launches nothing: it is being deleted');
});

const template = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };
const zonal = {
  kind: 'StorageClass',
  metadata: { name: 'zonal' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.ebs.csi.aws.com/zone', values: ['zone-b'] }] }],
};

test('pods of a StatefulSet go where their volumes may be', () => {
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: { storageClassName: 'zonal' } }];
  const db = workload('StatefulSet', 'db', { replicas: 2, template, volumeClaimTemplates });
  const { outlook } = outlookOn(manifestProblem(question([db, zonal])));
  expect(outlook.newNodes.map(({ zones, pods }) => [zones, pods])).toEqual([
    [['zone-b'], ['default/db-0', 'default/db-1']],
  ]);
});

test('a claim that no manifest describes keeps its pod back', () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'lost' } }];
  const { outlook } = outlookOn(manifestProblem(question([{ ...aPod('p', { volumes }), kind: 'Pod' }])));
  expect(outlook.errors).toEqual([{ pod: 'default/p', message: 'persistentvolumeclaim lost is not there' }]);
});

test('pods of a Deployment are spread by default as the scheduler is configured', () => {
  const selector = { matchLabels: { app: 'web' } };
  const labelled = { ...template, metadata: { labels: selector.matchLabels } };
  const web = workload('Deployment', 'web', { replicas: 3, selector, template: labelled });
  const defaultSpread = [
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const },
  ];
  const zonesWith = (more: Partial<ManifestQuestion>) =>
    outlookOn(manifestProblem(question([web], more))).outlook.newNodes.length;
  expect([zonesWith({}), zonesWith({ defaultSpread })]).toEqual([1, 3]);
});

const onC4 = { 'node.kubernetes.io/instance-type': ['c4'] };
const cheapC4 = aNodeOverlay('cheap', { price: '0.01', of: onC4 });
const small = { ...aPod('p', { requests: { cpu: 1 } }), kind: 'Pod' };

test('what overlays make the cheapest is told with the overlay it is from', () => {
  const lines = told([small, cheapC4], { nodeOverlay: true }).split('\n');
  expect(lines[1]).toMatch(/^default +c4 .*\$0\.0100$/);
  expect(lines).toContain('Nothing is cheaper than default c4 $0.0100 (prices by NodeOverlay cheap)');
});

test('overlays that change nothing are told, with why', () => {
  const other = aNodeOverlay('other', { priceAdjustment: '+1', of: onC4 });
  expect(told([small, cheapC4]).split('\n')[0]).toBe(
    'NodeOverlay cheap changes nothing: the feature gate NodeOverlay is off',
  );
  expect(told([small, cheapC4, other], { nodeOverlay: true }).split('\n')[0]).toMatch(
    /^NodeOverlay cheap changes nothing: NodeOverlay other has the same weight of 0 and speaks of the price of c4/,
  );
});

test('overlays of a cluster count when a controller has judged them', () => {
  const judged = { ...cheapC4, status: { conditions: [{ type: 'Ready', status: 'True' as const }] } };
  expect(told([small, judged])).toContain('$0.0100');
});

const podTemplate = { kind: 'PodTemplate', apiVersion: 'v1', metadata: { name: 'web' }, template };
const aBuffer = (spec: object) => ({ kind: 'CapacityBuffer', apiVersion: 'v1', metadata: { name: 'spare' }, spec });
const threeUnits = aBuffer({ podTemplateRef: { name: 'web' }, replicas: 3 });

test('the units of a buffer get nodes like pods', () => {
  const lines = told([podTemplate, threeUnits], { capacityBuffer: true }).split('\n');
  expect(lines[0]).toBe('CapacityBuffer default/spare: 3 units, 3 on new nodes');
  expect(lines[2]).toMatch(/^default +c4 /);
});

test('a buffer of a workload has its units beside the pods that the workload has', () => {
  const deployment = { ...workload('Deployment', 'web', { replicas: 2, template }), apiVersion: 'apps/v1' };
  const scalableRef = { apiGroup: 'apps', kind: 'Deployment', name: 'web' };
  const lines = told([deployment, aBuffer({ scalableRef, percentage: 50 })], { capacityBuffer: true }).split('\n');
  expect(lines[0]).toBe('CapacityBuffer default/spare: 1 unit, 1 on new nodes');
  expect(lines[2]).toMatch(/ 3 +0 +3 /);
});

test.each([
  {
    fact: 'while the gate is off',
    objects: [podTemplate, threeUnits],
    gate: undefined,
    why: 'the feature gate CapacityBuffer is off',
  },
  { fact: 'without its template', objects: [threeUnits], gate: true, why: 'there is no PodTemplate default/web' },
])('a buffer keeps nothing free $fact', ({ objects, gate, why }) => {
  expect(told(objects, { capacityBuffer: gate }).split('\n')[0]).toBe(
    `CapacityBuffer default/spare keeps nothing free: ${why}`,
  );
});
