import { instant, type Instant, type KubernetesObject, type NodePool } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { expect, test } from 'vitest';
import { anInstanceType } from './an-instance-type.ts';

type PoolParts = {
  readonly budgets?: readonly object[];
  readonly template?: object;
  readonly templateMetadata?: object;
  readonly spec?: object;
};

/** A pool about which no rule has anything to say. */
export const aPoolWithoutFindings = ({ budgets, template, templateMetadata, spec }: PoolParts = {}): KubernetesObject =>
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

export const aNodeClassOf = (term: object, spec: object = {}): KubernetesObject =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'web' },
    spec: { role: 'node', amiSelectorTerms: [term], ...spec },
  }) as unknown as KubernetesObject;

export const aWorkload = (replicas: number, kind = 'Deployment'): KubernetesObject =>
  ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: { replicas, template: { metadata: { labels: { app: 'web' } } } },
  }) as unknown as KubernetesObject;

export const aPodBudget = (name: string, spec: object): KubernetesObject =>
  ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  }) as unknown as KubernetesObject;

export const aRolloutPolicy = (spec: object): KubernetesObject =>
  ({
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'NodeRolloutPolicy',
    metadata: { name: 'all' },
    spec,
  }) as unknown as KubernetesObject;

/** A class with the alias as its only term. */
export const aPinnedClass = (alias: string): KubernetesObject => aNodeClassOf({ alias });

type Setting = {
  readonly now: Instant;
  readonly kubernetesVersion?: string;
  readonly typesOf?: (nodePool: NodePool) => readonly InstanceType[];
};

type Found = { readonly rule: string; readonly why: string; readonly instead: string };

/** What one rule finds, or does not find, in a few objects. */
export type LintExample = {
  readonly rule: string;
  readonly fact: string;
  readonly objects: readonly KubernetesObject[];
  readonly setting?: Partial<Setting>;
  /** What has to be in `why` or `instead`; absent: the rule finds nothing. */
  readonly tells?: string;
};

/** The instant of the examples, and a catalogue of six types. */
export const lintSettingOfTest: Required<Pick<Setting, 'now' | 'typesOf'>> = {
  now: instant(Date.parse('2026-01-15T12:00:00Z')),
  typesOf: () =>
    ['m5.large', 'm5.xlarge', 'm6i.large', 'c5.large', 'r5.large', 'c6i.large'].map((name) => anInstanceType(name)),
};

/** A test of each example, and one that every rule has an example in which it finds something. */
export const testLintExamples = (
  rules: readonly { readonly name: string }[],
  lint: (objects: readonly KubernetesObject[], setting: Setting) => readonly Found[],
  examples: readonly LintExample[],
): void => {
  for (const { rule, fact, objects, setting, tells } of examples) {
    test(`${rule}: ${fact} ${tells === undefined ? 'is fine' : 'is told'}`, () => {
      const found = lint(objects, { ...lintSettingOfTest, ...setting }).filter((each) => each.rule === rule);
      if (tells === undefined) expect(found).toEqual([]);
      else {
        expect(found).toHaveLength(1);
        expect(found.map(({ why, instead }) => `${why}; ${instead}`).join()).toContain(tells);
      }
    });
  }

  test('every rule has an example that it finds', () => {
    const shown = new Set(examples.filter(({ tells }) => tells !== undefined).map(({ rule }) => rule));
    expect(rules.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
};
