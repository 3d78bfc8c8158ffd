import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { scenarioJsonSchema } from '../schema/scenario-schema.ts';
import { readScenarios } from './read-scenarios.ts';
import { ScenarioFileError } from './source-text.ts';

const everything = `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: everything}
spec:
  cluster: {kubernetesVersion: "1.33", zones: 2, catalogue: current, startTime: 2026-03-02T08:00:00Z, featureGates: {NodeRepair: true}, onUpdateFailure: revert,
    nodeGroups: [{name: web, nodes: 2, strategy: MINIMAL, instanceType: m5.xlarge, labels: {tier: web}}]}
  given: [pools/, web.yaml]
  seeds: 5
  steps:
    - waitUntil: nodes.all(n, n.ready)
      within: 20m
    - release: {family: bottlerocket, version: 1.99.0, behavior: [stopsRenewing on 30% of nodes after 3h, notReady after 1h]}
    - release: {family: AL2023, version: v20300101, variant: nvidia, behavior: [{kind: neverJoins, share: "50%", arch: amd64}, "containersFail for pods app=web,tier=front on 30% of nodes after 3h", {kind: containersFail, pods: {app: web}}]}
    - withdraw: {family: AL2023, version: v20300101, keepImage: true}
    - deprecate: {version: v20300101}
    - advance: 2d
    - expect: nodes.size() <= 1
      because: one is enough
    - fault: {kind: insufficient-capacity, zone: us-east-1a, for: 1h}
    - fault: {kind: node-behavior, behavior: notReady, nodes: 2}
    - fault: {kind: node-behavior, behavior: containersFail, pods: {app: web}}
    - fault: {kind: stale-describes, lag: 30s}
    - clear: faults
    - upgrade: {controlPlane: "1.34"}
    - updateGroup: web
    - updateGroup: {group: web, release: 1.33.0-20260101}
    - kill: controller
    - kill: {controller: {for: 5m}}
    - scale: {deployment: default/web, replicas: 200}
    - interrupt: {nodes: 3}
    - terminate: {zone: us-east-1b}
    - apply: more.yaml
    - apply: {apiVersion: v1, kind: Namespace, metadata: {name: more}}
    - delete: {kind: NodePool, name: default}
    - patch: {kind: NodePool, name: default, merge: {spec: {weight: 10}}}
    - cordon: ip-192-168-1-1.ec2.internal
    - uncordon: {pool: default}
  always:
    - services.all(s, s.readyEndpoints > 0)
    - expect: pods.size() > 0
      because: there are always some
  never: [unschedulable for 10m, nodes > 40, price > 12.5]
  cases:
    - name: with a policy
      given: policy.yaml
      steps: [{expect: rollouts.size() == 1}]
`;

test('a file says all that it can say', () => {
  const [scenario] = readScenarios('all.yaml', everything);
  expect(scenario).toMatchObject({ name: 'everything', seeds: 5, cluster: { zones: ['us-east-1a', 'us-east-1b'] } });
  expect(scenario?.steps.map((step) => step.do).length).toBe(26);
  expect(scenario?.cluster).toMatchObject({
    nodeGroups: [{ name: 'web', nodes: 2, strategy: 'MINIMAL', instanceType: 'm5.xlarge', labels: { tier: 'web' } }],
    onUpdateFailure: 'revert',
  });
  expect(scenario?.steps[1]).toMatchObject({
    build: { family: 'Bottlerocket', version: '1.99.0' },
    behaviors: [
      { behavior: 'stopsRenewing', share: 0.3, afterMs: 10_800_000 },
      { behavior: 'notReady', share: 1, afterMs: 3_600_000 },
    ],
  });
  expect(scenario?.steps[2]).toMatchObject({
    behaviors: [
      { behavior: 'neverJoins', share: 0.5, arch: 'amd64' },
      { behavior: 'containersFail', share: 0.3, afterMs: 10_800_000, pods: { app: 'web', tier: 'front' } },
      { behavior: 'containersFail', share: 1, pods: { app: 'web' } },
    ],
  });
  expect(scenario?.never).toMatchObject([
    { isPerPod: true, forMs: 600_000 },
    { condition: { text: 'nodes.size() > 40' }, forMs: 0 },
    { condition: { text: 'price > 12.5' } },
  ]);
});

test('the JSON schema takes what the reader takes', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(scenarioJsonSchema());
  expect(validate(parse(everything)), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(parse(everything.replace('seeds: 5', 'seed: 5')))).toBe(false);
});

const head = `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: wrong}
spec:
`;

for (const [fact, spec, problems] of [
  [
    'every problem at once',
    '  seed: 3\n  steps:\n    - wait: 3m\n    - advance: 2 days\n    - expect: nodes.all(n, n.redy)\n  never: [nodes > many]',
    [
      'wrong.yaml:5:3: spec.seed is no field of a scenario; did you mean seeds?',
      'wrong.yaml:7:7: spec.steps[0] has no step "wait"; there are waitUntil',
      'wrong.yaml:8:16: spec.steps[1].advance is "2 days"; write a duration such as 30m, 6h or 2d',
      'wrong.yaml:9:30: spec.steps[2].expect is "nodes.all(n, n.redy)": no field "redy"; did you mean ready?',
      'wrong.yaml:10:19: spec.never[0] is "nodes > many": there is no "many"',
    ],
  ],
  [
    'a version that YAML reads as a number',
    '  cluster: {kubernetesVersion: 1.30}\n  steps: [{advance: 1h}]',
    ['write it in quotes'],
  ],
  ['two steps in one', '  steps: [{advance: 1h, kill: controller}]', ['has advance and kill; write one step for each']],
  ['a file without steps', '  given: x.yaml', ['spec.steps is missing; write at least one step']],
  ['a fault with a wrong field', '  steps: [{fault: {kind: throttle, zone: a}}]', ['zone is no field of throttle']],
  [
    'fields of faults, each at its place',
    '  steps:\n    - fault: {kind: throttle, times: -1, fro: 1h}\n    - fault: {kind: stale-describes, lag: 30}\n' +
      '    - fault:\n        kind: node-behavior\n        behavior: notRedy\n    - fault: {kind: no-addresses, subnets: a}\n' +
      '    - fault: {kind: launch-failure}\n  cluster: {zones: 2}\n    ',
    [
      'wrong.yaml:6:38: spec.steps[0].fault.times is -1; write a whole number above 0',
      'wrong.yaml:6:42: spec.steps[0].fault.fro is no field of throttle; did you mean for?',
      'wrong.yaml:7:43: spec.steps[1].fault.lag is 30; write a duration such as 30m, 6h or 2d',
      'wrong.yaml:10:19: spec.steps[2].fault.behavior is "notRedy"; did you mean notReady?',
      'wrong.yaml:11:35: spec.steps[3].fault.subnets is no field of no-addresses; did you mean subnet?',
      'wrong.yaml:12:14: spec.steps[4].fault.code is missing; write an error code of AWS',
    ],
  ],
  [
    'conditions that a comma has divided, once each',
    '  steps: [{advance: 1h}]\n  always: [nodes.all(n, n.ready), pods.all(p, p.ready)]\n  never: [nodes > 3]',
    [
      'wrong.yaml:6:12: spec.always[0] is "nodes.all(n": YAML ends the text at the comma; put the whole condition in quotes',
      'wrong.yaml:6:35: spec.always[2] is "pods.all(p": YAML ends the text at the comma; put the whole condition in quotes',
    ],
  ],
  [
    'a condition that begins with a tag of YAML',
    '  steps:\n    - expect: !nodes.exists(n, n.deleting)',
    ['wrong.yaml:6:30: no YAML: Tags and anchors', 'put the whole condition in quotes'],
  ],
  [
    'a field that is misspelt is not missing, too',
    '  steps:\n    - scale: {deploymnt: default/web, replicas: 3}\n    - patch: {kind: NodePol, merge: {}}',
    [
      'wrong.yaml:6:15: spec.steps[0].scale.deploymnt is no field of a scenario; did you mean deployment?',
      'wrong.yaml:7:21: spec.steps[1].patch.kind is "NodePol"; did you mean NodePool?',
    ],
  ],
  [
    'a zone that the cluster does not have',
    '  cluster: {zones: 2}\n  steps: [{fault: {kind: insufficient-capacity, zone: us-east-1c}}, {cordon: {zone: us-east-1a}}]',
    ['wrong.yaml:6:55: spec.steps[0].fault.zone is "us-east-1c"; the cluster has us-east-1a, us-east-1b'],
  ],
  [
    'a behaviour that is none',
    '  steps: [{release: {family: AL2023, version: v1, behavior: explodes}}]',
    ['there are healthy'],
  ],
  [
    'a behaviour of nodes that names pods',
    '  steps: [{release: {family: AL2023, version: v1, behavior: notReady for pods app=web}}]',
    ['names pods, and notReady concerns whole nodes; containersFail takes pods'],
  ],
  [
    'a selector that is no labels',
    '  steps: [{release: {family: AL2023, version: v1, behavior: containersFail for pods web}}]',
    ['"web" are no labels; write app=web, or app=web,tier=front'],
  ],
  [
    'labels that YAML reads as numbers',
    '  steps: [{release: {family: AL2023, version: v1, behavior: {kind: containersFail, pods: {version: 2}, variant: gpu}}}]',
    [
      'behavior.pods is {"version":2}; write labels such as {app: web}, with texts as values',
      'behavior.variant is "gpu"; write one of standard, nvidia',
    ],
  ],
  [
    'a node group without a size',
    '  cluster: {nodeGroups: [{name: web, strategy: FAST}]}\n  steps: [{updateGroup: {release: x}}]',
    ['nodeGroups[0].nodes is missing; write a whole number from 1', 'updateGroup.group is missing'],
  ],
  ['text that is no YAML', '  steps: [', ['no YAML']],
  [
    'an alias, which may refer to what it is in',
    '  steps: &a\n    - apply: *a\n    - patch: {kind: NodePool, merge: &q {spec: *q}}',
    [
      'steps[0].apply is an alias; write the value itself',
      'steps[1].patch.merge holds an alias; write the value itself',
    ],
  ],
  [
    'a fault and a variant that there are not',
    '  steps: [{fault: {kind: throtle}}, {release: {family: AL2023, version: v1, variant: gpu}}]',
    ['fault.kind is "throtle"; did you mean throttle?', 'release.variant is "gpu"; write one of standard, nvidia'],
  ],
  [
    'a name that two cases have',
    '  steps: [{advance: 1m}]\n  cases: [{name: a}, {name: a}]',
    ['wrong.yaml:6:29: spec.cases[1].name is "a", as in line 6; write another name'],
  ],
  [
    'a name that two scenarios have',
    `  steps: [{advance: 1m}]\n---\n${head}  steps: [{advance: 1m}]`,
    ['wrong.yaml:9:18: metadata.name is "wrong", as in line 3; write another name'],
  ],
  [
    'a rule for so long that is no duration',
    '  steps: [{advance: 1m}]\n  never: [pods.size() > 3 for 5 minutes, unschedulable for]',
    ['write a duration such as 10m behind for'],
  ],
  ['many problems', `  steps: [${'{wait: 1m}, '.repeat(60)}{advance: 1m}]`, ['and 10 more problems']],
] as const) {
  test(`${fact} is refused with its place`, () => {
    let message = '';
    try {
      readScenarios('wrong.yaml', head + spec);
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error;
      ({ message } = error);
    }
    for (const problem of problems) expect(message).toContain(problem);
  });
}

test('documents of other kinds are left out', () => {
  expect(readScenarios('pool.yaml', 'apiVersion: karpenter.sh/v1\nkind: NodePool\n')).toEqual([]);
});
