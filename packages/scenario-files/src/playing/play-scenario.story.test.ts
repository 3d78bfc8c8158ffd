import { expect, test } from 'vitest';
import { prepareScenario } from '../manifests/prepare-scenario.ts';
import { readScenarios } from '../reading/read-scenarios.ts';
import { playScenario } from './play-scenario.ts';

const manifests = `
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: MyNodeRole
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {Name: '*private*'}}]
  securityGroupSelectorTerms: [{tags: {'karpenter.sh/discovery': my-cluster}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 5m}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: karpenter.k8s.aws/instance-family, operator: In, values: [m5]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: nginx, resources: {requests: {cpu: '1'}}}]
`;

const scenario = (spec: string): string => `
apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: test}
spec:
  given: ['-']
${spec.replaceAll(/^/gm, '  ')}
`;

async function play(spec: string, seed = 1) {
  const [read] = readScenarios('test.yaml', scenario(spec));
  if (read === undefined) throw new Error('the text holds no scenario');
  const [first] = read.cases;
  if (first === undefined) throw new Error('the scenario has no case');
  return playScenario(prepareScenario(read, first, { standardInput: () => manifests }), { seed });
}

const started = `steps:
  - waitUntil: nodes.all(n, n.ready) && pods.all(p, p.ready)
`;

test('manifests of a team run as they are', async () => {
  const result = await play(`${started}  - expect: pods.size() == 2
  - expect: nodes.all(n, n.ready && n.pool == "default" && n.type.startsWith("m5.") && n.price > 0.0)
  - expect: pools.all(p, p.ready && p.nodes == nodes.size()) && price < 1.0 && instances.size() == nodes.size()
  - scale: {deployment: web, replicas: 0}
  - waitUntil: nodes.size() == 0
    within: 30m`);
  expect(result.failure).toBeUndefined();
  expect(result.remarks).toEqual([]);
});

test('a release that stops after a while is found at the first instant', async () => {
  const result =
    await play(`${started}  - release: {family: al2023, version: v20300101, behavior: stopsRenewing after 3h}
  - advance: 6h
always:
  - expect: nodes.all(n, n.ready)
    because: the canary is watched`);
  expect(result.failure).toMatchObject({
    kind: 'always',
    text: 'nodes.all(n, n.ready)',
    because: 'the canary is watched',
  });
  expect(result.failure?.values[0]?.value).toMatch(/^1: ip-/);
});

test('a release whose containers fail for some pods leaves the others alone, and tells of labels without pods', async () => {
  const result = await play(`${started}  - release:
      family: al2023
      version: v20300101
      behavior: ["containersFail for pods app=web", "containersFail for pods app=wbe"]
  - advance: 30m
  - expect: nodes.exists(n, n.release == "v20300101" && n.ready)
  - expect: pods.exists(p, p.labels.app == "web" && !p.ready)`);
  expect(result.failure).toBeUndefined();
  expect(result.remarks).toEqual(['test.yaml:9:7: no pod has had the labels app=wbe since this step']);
  const idle = await play(`${started}  - release:
      {family: al2023, version: v20300101, variant: standard, behavior: {kind: gpuMissing, variant: nvidia}}`);
  expect(idle.failure?.message).toContain(
    'gpuMissing concerns images for nvidia, and the release has none; it has standard',
  );
});

test('a patch without a name changes every object of its kind, and fails where there is none', async () => {
  const patched = await play(`steps:
  - waitUntil: nodes.size() > 0
  - patch: {kind: NodePool, merge: {metadata: {labels: {team: ours}}}}
  - expect: pools.all(p, p.labels.team == "ours")
`);
  expect(patched.failure).toBeUndefined();
  const missing = await play(`steps:
  - patch: {kind: StatefulSet, merge: {spec: {replicas: 2}}}
`);
  expect(missing.failure?.message).toBe('there is no StatefulSet');
});

test('steps that cannot be done are passed over where that is asked', async () => {
  const [read] = readScenarios('test.yaml', scenario('steps:\n  - interrupt: {nodes: 3}\n  - advance: 1m\n'));
  const [first] = read?.cases ?? [];
  if (read === undefined || first === undefined) throw new Error('the text holds no scenario');
  const prepared = prepareScenario(read, first, { standardInput: () => manifests });
  const result = await playScenario(prepared, { seed: 1, passesOver: true });
  expect([result.failure, result.passedOver]).toEqual([undefined, [0]]);
});

const autoscaler = `
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 4
  maxReplicas: 8
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`;

test('a HorizontalPodAutoscaler that is given works', async () => {
  const [read] = readScenarios(
    'test.yaml',
    scenario('steps:\n  - waitUntil: pods.filter(p, p.labels.app == "web").size() >= 4\n'),
  );
  const [first] = read?.cases ?? [];
  if (read === undefined || first === undefined) throw new Error('the text holds no scenario');
  const prepared = prepareScenario(read, first, { standardInput: () => manifests + autoscaler });
  expect((await playScenario(prepared, { seed: 1 })).failure).toBeUndefined();
});

test('a second EC2NodeClass that wants another value of a tag finds the network too, and the first one keeps it', async () => {
  const result = await play(`${started}  - apply:
      apiVersion: karpenter.k8s.aws/v1
      kind: EC2NodeClass
      metadata: {name: other}
      spec:
        role: MyNodeRole
        amiSelectorTerms: [{alias: al2023@latest}]
        subnetSelectorTerms: [{tags: {Name: '*private*'}}]
        securityGroupSelectorTerms: [{tags: {'karpenter.sh/discovery': another-cluster}}]
  - apply:
      apiVersion: karpenter.sh/v1
      kind: NodePool
      metadata: {name: other}
      spec:
        template:
          spec:
            nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: other}
            requirements: []
  - waitUntil: pools.size() == 2 && pools.all(p, p.ready)
    within: 5m
  - advance: 30m
  - expect: claims.all(c, !c.drifted)
`);
  expect(result.failure).toBeUndefined();
  expect(result.remarks).toEqual([
    'EC2NodeClass other: the security groups of the scenario have another value of the tag karpenter.sh/discovery than "another-cluster"; they stand for its own',
  ]);
});

test('a sick node that uses up the budget of its pool is taken back all the same', async () => {
  const { failure } = await play(`steps:
  - apply:
      apiVersion: nodewright.dev/v1alpha1
      kind: NodeRolloutPolicy
      metadata: {name: production}
      spec: {preset: cautious}
  - waitUntil: nodes.size() > 0 && nodes.all(n, n.ready) && pods.all(p, p.ready) && rollouts.size() == 0
  - release: {family: AL2023, version: v20300101, behavior: stopsRenewing after 3h}
  - advance: 10h
  - expect: nodes.filter(n, n.release == "v20300101" && !n.ready).size() == 1
  - patch: {kind: NodeRollout, merge: {metadata: {annotations: {nodewright.dev/rollback: it is sick}}}}
  - advance: 2h
  - expect: nodes.filter(n, n.release == "v20300101").size() == 0
  - expect: nodes.all(n, n.ready) && pods.all(p, p.ready)
`);
  expect(failure).toBeUndefined();
});
