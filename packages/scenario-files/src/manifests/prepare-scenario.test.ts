import { expect, test } from 'vitest';
import { printFirstScenario } from '../reporting/first-scenario.ts';
import { readScenarios } from '../reading/read-scenarios.ts';
import { parseManifests } from '@nodewright/runtime';
import { prepareScenario } from './prepare-scenario.ts';

const text = `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: given}
spec: {given: '-', steps: [{advance: 1h}]}
`;

function prepare(manifests: string) {
  const [scenario] = readScenarios('given.yaml', text);
  const [first] = scenario?.cases ?? [];
  if (scenario === undefined || first === undefined) throw new Error('there is no scenario');
  return prepareScenario(scenario, first, { standardInput: () => manifests });
}

const helmOutput = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: old}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 30s, expireAfter: 720h}
  template:
    spec:
      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: old}
      requirements: []
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: karpenter}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: karpenter, namespace: kube-system, labels: {app.kubernetes.io/name: karpenter}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec: {serviceAccountName: web, priorityClassName: high, containers: [{name: web}]}
`;

test('Helm output is sorted, converted and completed; what is left out is told in a line', () => {
  const { given, remarks } = prepare(helmOutput);
  expect(
    given.objects.map(({ object, type }) => `${type.group}/${type.version} ${object.kind} ${object.metadata.name}`),
  ).toEqual([
    '/v1 Namespace shop',
    'scheduling.k8s.io/v1 PriorityClass high',
    '/v1 ServiceAccount web',
    'karpenter.sh/v1 NodePool old',
    'apps/v1 Deployment web',
  ]);
  expect(remarks).toEqual([
    'standard input: Deployment karpenter is left out: the controller runs in the scenario already',
    'kinds that the cluster does not know are left out: ServiceMonitor (1)',
  ]);
});

test('the cluster has the name that node classes look for', () => {
  const nodeClass = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop-production}}]}
`;
  expect(prepare(nodeClass).clusterName).toBe('shop-production');
  expect(prepare(helmOutput).clusterName).toBe('scenario');
});

test('a first scenario for manifests can be read', () => {
  const written = printFirstScenario(parseManifests(helmOutput), ['.']);
  expect(readScenarios('first.yaml', written)[0]?.steps.map((step) => step.do)).toContain('scale');
  const [pools] = helmOutput.split('---');
  const probing = printFirstScenario(parseManifests(pools ?? ''), ['.']);
  expect(readScenarios('first.yaml', probing)[0]?.steps[0]).toMatchObject({ do: 'apply' });
});

const poolIn = (...zones: readonly string[]): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      requirements: [{key: topology.kubernetes.io/zone, operator: In, values: [${zones.join(', ')}]}]
`;

function placeOf(manifests: string, spec: string) {
  const [scenario] = readScenarios('placed.yaml', text.replace("given: '-', steps: [{advance: 1h}]", spec));
  const [first] = scenario?.cases ?? [];
  if (scenario === undefined || first === undefined) throw new Error('there is no scenario');
  const { cluster } = prepareScenario(scenario, first, { standardInput: () => manifests }).scenario;
  return [cluster.region, ...cluster.zones];
}

test.each([
  {
    fact: 'is in the region whose zones the manifests name',
    manifests: poolIn('eu-west-1b', 'eu-west-1d'),
    spec: "given: '-', steps: [{fault: {kind: insufficient-capacity, zone: eu-west-1d}}]",
    place: ['eu-west-1', 'eu-west-1a', 'eu-west-1b', 'eu-west-1c', 'eu-west-1d'],
  },
  {
    fact: 'is where its file says',
    manifests: poolIn('eu-west-1b'),
    spec: "cluster: {region: us-west-2, zones: 2}, given: '-', steps: [{advance: 1h}]",
    place: ['us-west-2', 'us-west-2a', 'us-west-2b'],
  },
  {
    fact: 'is in us-east-1 when manifests name several regions',
    manifests: poolIn('eu-west-1b', 'us-west-2a'),
    spec: "given: '-', steps: [{advance: 1h}]",
    place: ['us-east-1', 'us-east-1a', 'us-east-1b', 'us-east-1c'],
  },
])('a cluster $fact', ({ manifests, spec, place }) => {
  expect(placeOf(manifests, spec)).toEqual(place);
});

test('a step about a zone that the manifests do not lead to is refused with its place', () => {
  const spec = "given: '-', steps: [{fault: {kind: insufficient-capacity, zone: us-east-1a}}]";
  expect(() => placeOf(poolIn('eu-west-1b'), spec)).toThrow(
    'placed.yaml:4:72: spec.steps[0].fault.zone is "us-east-1a": the cluster has eu-west-1a, eu-west-1b, eu-west-1c',
  );
});
