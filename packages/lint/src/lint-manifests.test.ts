import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant, type KubernetesObject } from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { lintManifests } from './lint-manifests.ts';
import type { LintSetting } from './lint-rule.ts';
import { lintRules } from './lint-rules.ts';

const now = instant(Date.parse('2026-01-15T12:00:00Z'));
const typesOf = () =>
  ['m5.large', 'm5.xlarge', 'm6i.large', 'c5.large', 'r5.large', 'c6i.large'].map((name) => anInstanceType(name));

type PoolParts = {
  readonly budgets?: readonly object[];
  readonly template?: object;
  readonly templateMetadata?: object;
  readonly spec?: object;
};

/** A pool about which no rule has anything to say. */
const pool = ({ budgets, template, templateMetadata, spec }: PoolParts = {}): KubernetesObject =>
  ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'web' },
    spec: {
      limits: { cpu: '100' },
      disruption: { consolidateAfter: '1m', ...(budgets === undefined ? {} : { budgets }) },
      template: {
        ...(templateMetadata === undefined ? {} : { metadata: templateMetadata }),
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' },
          requirements: [],
          terminationGracePeriod: '24h',
          ...template,
        },
      },
      ...spec,
    },
  }) as unknown as KubernetesObject;

const nodeClass = (term: object, spec: object = {}): KubernetesObject =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'web' },
    spec: { role: 'node', amiSelectorTerms: [term], ...spec },
  }) as unknown as KubernetesObject;

const workload = (replicas: number, kind = 'Deployment'): KubernetesObject =>
  ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: { replicas, template: { metadata: { labels: { app: 'web' } } } },
  }) as unknown as KubernetesObject;

const podBudget = (name: string, spec: object): KubernetesObject =>
  ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  }) as unknown as KubernetesObject;

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
} as unknown as KubernetesObject;

const policy = (spec: object): KubernetesObject =>
  ({
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'NodeRolloutPolicy',
    metadata: { name: 'all' },
    spec,
  }) as unknown as KubernetesObject;

const nightly = { schedule: '0 22 * * *', duration: '6h' };
const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] });
const pinned = (alias: string) => nodeClass({ alias });

type Example = {
  readonly rule: string;
  readonly fact: string;
  readonly objects: readonly KubernetesObject[];
  readonly setting?: Partial<LintSetting>;
  /** What has to be in `why` or `instead`; absent: the rule finds nothing. */
  readonly tells?: string;
};

const examples: readonly Example[] = [
  {
    rule: 'budget-unreadable',
    fact: 'a time zone',
    objects: [pool({ budgets: [{ nodes: '10%', schedule: 'TZ=Europe/Berlin 0 22 * * *', duration: '6h' }] })],
    tells: 'no time zone',
  },
  {
    rule: 'budget-unreadable',
    fact: 'a macro',
    objects: [pool({ budgets: [{ nodes: '10%', schedule: '@daily', duration: '6h' }] })],
  },
  {
    rule: 'budget-is-no-window',
    fact: 'a budget meant as a window',
    objects: [pool({ budgets: [{ nodes: '20%', ...nightly }] })],
    tells: '{nodes: "0", schedule: "0 4 * * *", duration: 18h}',
  },
  {
    rule: 'budget-is-no-window',
    fact: 'its next openings',
    objects: [pool({ budgets: [{ nodes: '20%', ...nightly }] })],
    tells: '2026-01-15T22:00Z to 2026-01-16T04:00Z, 2026-01-16T22:00Z',
  },
  {
    rule: 'budget-is-no-window',
    fact: 'closed hours without a limit for the others',
    objects: [pool({ budgets: [{ nodes: '0', ...nightly }] })],
    tells: 'add {nodes: "10%"} without a schedule',
  },
  {
    rule: 'budget-is-no-window',
    fact: 'closed hours beside a limit',
    objects: [pool({ budgets: [{ nodes: '0', ...nightly }, { nodes: '10%' }] })],
  },
  {
    rule: 'budget-reasons-unlimited',
    fact: 'a budget for drift alone',
    objects: [pool({ budgets: [{ nodes: '1', reasons: ['Drifted'] }] })],
    tells: 'no budget limits Empty and Underutilized',
  },
  {
    rule: 'budget-reasons-unlimited',
    fact: 'an empty list',
    objects: [pool({ budgets: [] })],
    tells: 'Empty, Drifted and Underutilized',
  },
  { rule: 'budget-reasons-unlimited', fact: 'no budgets, which is 10%', objects: [pool()] },
  {
    rule: 'budget-without-effect',
    fact: 'a wider budget at night',
    objects: [pool({ budgets: [{ nodes: '0' }, { nodes: '50%', ...nightly }] })],
    tells: '{nodes: "0"} is always active and at least as strict',
  },
  {
    rule: 'budget-without-effect',
    fact: 'the same twice, told once',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '10%' }] })],
    tells: 'remove one of them',
  },
  {
    rule: 'budget-without-effect',
    fact: 'a count beside a share',
    objects: [pool({ budgets: [{ nodes: '3' }, { nodes: '10%' }] })],
  },
  {
    rule: 'budget-without-effect',
    fact: 'a stricter one for one reason',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '5%', reasons: ['Drifted'] }] })],
  },
  {
    rule: 'budget-always-closed',
    fact: 'zero for drift',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '0%', reasons: ['Drifted'] }] })],
    tells: 'Drifted never replaces a node',
  },
  {
    rule: 'budget-always-closed',
    fact: 'zero at night',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '0', ...nightly }] })],
  },
  {
    rule: 'budget-schedule-never-comes',
    fact: '31 February',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 0 31 2 *', duration: '1h' }] })],
    tells: 'always active',
  },
  {
    rule: 'budget-schedule-never-comes',
    fact: '29 February',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 0 29 2 *', duration: '1h' }] })],
  },
  {
    rule: 'budget-window-never-closes',
    fact: 'every hour for two',
    objects: [pool({ budgets: [{ nodes: '1', schedule: '@hourly', duration: '2h' }] })],
    tells: 'leave no gap',
  },
  {
    rule: 'budget-window-never-closes',
    fact: 'weekends',
    objects: [pool({ budgets: [{ nodes: '1', schedule: '0 0 * * 6', duration: '48h' }] })],
  },
  {
    rule: 'expiry-asks-no-budget',
    fact: 'closed hours and the default of 720h',
    objects: [pool({ budgets: [{ nodes: '10%' }, { nodes: '0', ...nightly }] })],
    tells: 'nodes go after 720h',
  },
  {
    rule: 'expiry-asks-no-budget',
    fact: 'nodes that never expire',
    objects: [pool({ budgets: [{ nodes: '0', ...nightly }], template: { expireAfter: 'Never' } })],
  },
  {
    rule: 'two-pod-budgets',
    fact: 'two selectors on one Deployment',
    objects: [workload(3), podBudget('a', { maxUnavailable: 1 }), podBudget('b', { selector: {}, maxUnavailable: 1 })],
    tells: 'PodDisruptionBudget a selects too',
  },
  {
    rule: 'two-pod-budgets',
    fact: 'another namespace',
    objects: [
      workload(3),
      podBudget('a', { maxUnavailable: 1 }),
      { ...podBudget('b', { maxUnavailable: 1 }), metadata: { name: 'b', namespace: 'other' } },
    ],
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'no pod may be away',
    objects: [podBudget('a', { maxUnavailable: 0 })],
    tells: 'its maxUnavailable is 0',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'as many as there are',
    objects: [workload(1), podBudget('a', { minAvailable: 1 })],
    tells: 'minAvailable: 1 are 1 of 1 pods (Deployment web)',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'a share that rounds up to all',
    objects: [workload(3, 'StatefulSet'), podBudget('a', { minAvailable: '90%' })],
    tells: '3 of 3 pods',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'a number of replicas that an autoscaler decides',
    objects: [workload(1), autoscaler, podBudget('a', { minAvailable: 1 })],
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'one of three',
    objects: [workload(3), podBudget('a', { maxUnavailable: 1 })],
  },
  {
    rule: 'image-known-bad',
    fact: 'an alias',
    objects: [pinned('al2023@v20240807')],
    tells: 'https://github.com/awslabs/amazon-eks-ami/issues/1933',
  },
  {
    rule: 'image-known-bad',
    fact: 'a name',
    objects: [nodeClass({ name: 'amazon-eks-node-1.32-v20251103' })],
    tells: 'fractional CPU',
  },
  {
    rule: 'image-known-bad',
    fact: 'a minor that is concerned',
    objects: [pinned('al2@v20240117')],
    setting: { kubernetesVersion: '1.29' },
    tells: 'v20240202 does not have this defect',
  },
  {
    rule: 'image-known-bad',
    fact: 'a minor that is not',
    objects: [pinned('al2@v20240117')],
    setting: { kubernetesVersion: '1.28' },
  },
  { rule: 'image-known-bad', fact: 'the first good release', objects: [pinned('al2023@v20240828')] },
  {
    rule: 'image-pin-old',
    fact: 'a release of a year ago',
    objects: [pinned('al2023@v20250115')],
    tells: 'the release is 365 days old',
  },
  { rule: 'image-pin-old', fact: 'a release of last month', objects: [pinned('al2023@v20251215')] },
  {
    rule: 'image-pin-old',
    fact: 'Bottlerocket, whose versions have no date',
    objects: [pinned('bottlerocket@v1.20.4')],
  },
  {
    rule: 'image-family-ended',
    fact: 'a minor without images',
    objects: [pinned('al2@latest')],
    setting: { kubernetesVersion: '1.33' },
    tells: 'there are no images of Amazon Linux 2 for Kubernetes 1.33',
  },
  {
    rule: 'image-family-ended',
    fact: 'after its end',
    objects: [nodeClass({ id: 'ami-1' }, { amiFamily: 'AL2' })],
    tells: 'no fixes since November 2025',
  },
  {
    rule: 'image-family-ended',
    fact: 'before its end',
    objects: [pinned('al2@latest')],
    setting: { now: instant(Date.parse('2025-06-01T00:00:00Z')) },
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'an alias',
    objects: [pinned('al2023@latest')],
    tells: 'minimumAgeDuration: 10d',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a pattern',
    objects: [nodeClass({ name: 'amazon-eks-node-al2023-*' })],
    tells: 'before its vendor recommends it',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a moving parameter',
    objects: [
      nodeClass({
        ssmParameter: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
      }),
    ],
    tells: 'as soon as the parameter changes',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a minimum age',
    objects: [nodeClass({ alias: 'al2023@latest', minimumAgeDuration: '10d' })],
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a policy for the pool',
    objects: [
      pinned('al2023@latest'),
      pool(),
      policy({ selector: { nodePools: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } } }),
    ],
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a policy for another pool',
    objects: [pinned('al2023@latest'), pool(), policy({ selector: { nodePools: { matchLabels: { tier: 'batch' } } } })],
    tells: 'NodeRolloutPolicy',
  },
  {
    rule: 'pool-excludes-itself',
    fact: 'two requirements',
    objects: [pool({ template: { requirements: [arch('arm64'), arch('amd64')] } })],
    tells: 'no value of kubernetes.io/arch',
  },
  {
    rule: 'pool-excludes-itself',
    fact: 'a requirement and a label',
    objects: [
      pool({
        template: { requirements: [{ key: 'team', operator: 'In', values: ['a'] }] },
        templateMetadata: { labels: { team: 'b' } },
      }),
    ],
    tells: 'no value of team',
  },
  {
    rule: 'pool-excludes-itself',
    fact: 'bounds that overlap',
    objects: [
      pool({
        template: {
          requirements: [
            { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] },
            { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['9'] },
          ],
        },
      }),
    ],
  },
  {
    rule: 'pool-without-types',
    fact: 'a type that does not exist',
    objects: [
      pool({
        template: {
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m99.large'] }],
        },
      }),
    ],
    tells: 'none of 6 instance types',
  },
  { rule: 'pool-without-types', fact: 'no catalogue', objects: [pool()], setting: { typesOf: () => [] } },
  {
    rule: 'replicas-over-limit',
    fact: 'more replicas than nodes',
    objects: [pool({ spec: { replicas: 5, limits: { nodes: '4' } } })],
    tells: 'asks for 5 nodes and may have 4',
  },
  { rule: 'replicas-over-limit', fact: 'as many', objects: [pool({ spec: { replicas: 5, limits: { nodes: '5' } } })] },
  {
    rule: 'spot-with-few-types',
    fact: 'one type',
    objects: [
      pool({
        template: {
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
          ],
        },
      }),
    ],
    tells: '1 instance type is left',
  },
  {
    rule: 'spot-with-few-types',
    fact: 'six types',
    objects: [
      pool({ template: { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] } }),
    ],
  },
  {
    rule: 'expiry-without-grace-period',
    fact: 'the default expiry',
    objects: [pool({ template: { terminationGracePeriod: undefined } })],
    tells: 'nodes expire after 720h',
  },
  {
    rule: 'expiry-without-grace-period',
    fact: 'no expiry',
    objects: [pool({ template: { terminationGracePeriod: undefined, expireAfter: 'Never' } })],
  },
  {
    rule: 'pool-never-disrupted',
    fact: 'an annotation of the template',
    objects: [pool({ templateMetadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })],
    tells: 'no new image reaches its nodes',
  },
  {
    rule: 'pool-without-limits',
    fact: 'no limits',
    objects: [pool({ spec: { limits: undefined } })],
    tells: 'nothing bounds',
  },
  {
    rule: 'node-class-missing',
    fact: 'another class',
    objects: [pool(), { ...pinned('al2023@v20251215'), metadata: { name: 'batch' } }],
    tells: 'name one of batch',
  },
  { rule: 'node-class-missing', fact: 'no classes at all', objects: [pool()] },
  {
    rule: 'rollout-window-never-opens',
    fact: '30 February',
    objects: [policy({ windows: [{ schedule: '0 0 30 2 *', duration: '6h' }] })],
    tells: 'no date within five years',
  },
  {
    rule: 'rollout-window-never-closes',
    fact: 'every day for a day',
    objects: [policy({ windows: [{ schedule: '0 0 * * *', duration: '1d' }] })],
    tells: 'always open',
  },
  {
    rule: 'rollout-window-never-closes',
    fact: 'nights',
    objects: [policy({ windows: [{ schedule: '0 22 * * 1-4', duration: '6h', timeZone: 'Europe/Berlin' }] })],
  },
];

for (const { rule, fact, objects, setting, tells } of examples) {
  test(`${rule}: ${fact} ${tells === undefined ? 'is fine' : 'is told'}`, () => {
    const found = lintManifests(objects, { now, typesOf, ...setting }).filter((each) => each.rule === rule);
    if (tells === undefined) expect(found).toEqual([]);
    else {
      expect(found).toHaveLength(1);
      expect(found.map(({ why, instead }) => `${why}; ${instead}`).join()).toContain(tells);
    }
  });
}

describe('the rules', () => {
  test('a pool without a defect has no findings', () => {
    expect(lintManifests([pool()], { now, typesOf })).toEqual([]);
  });

  test('every rule has an example that it finds', () => {
    const shown = new Set(examples.filter(({ tells }) => tells !== undefined).map(({ rule }) => rule));
    expect(lintRules.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  test('docs/lint.md lists every rule with its severity and what it finds', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/lint.md'), 'utf8');
    const listed = [...page.matchAll(/^- `([a-z-]+)` \((\w+)\): (.+(?:\n {2}.+)*)$/gm)].map(
      ([, name, severity, about]) => ({
        name,
        severity,
        about: about?.replaceAll(/\n {2}/g, ' '),
      }),
    );
    expect(listed).toEqual(lintRules.map(({ name, severity, about }) => ({ name, severity, about })));
  });
});
