import { type KubernetesObject } from '@nodewright/apis';
import { aPodBudget, aWorkload, testLintExamples } from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import { stuckPodBudgetRule, twoPodBudgetsRule } from './pod-budget-rules.ts';

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
} as unknown as KubernetesObject;

testLintExamples([stuckPodBudgetRule, twoPodBudgetsRule], lintManifests, [
  {
    rule: 'two-pod-budgets',
    fact: 'two selectors on one Deployment',
    objects: [
      aWorkload(3),
      aPodBudget('a', { maxUnavailable: 1 }),
      aPodBudget('b', { selector: {}, maxUnavailable: 1 }),
    ],
    tells: 'PodDisruptionBudget a selects too',
  },
  {
    rule: 'two-pod-budgets',
    fact: 'another namespace',
    objects: [
      aWorkload(3),
      aPodBudget('a', { maxUnavailable: 1 }),
      { ...aPodBudget('b', { maxUnavailable: 1 }), metadata: { name: 'b', namespace: 'other' } },
    ],
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'no pod may be away',
    objects: [aPodBudget('a', { maxUnavailable: 0 })],
    tells: 'its maxUnavailable is 0',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'as many as there are',
    objects: [aWorkload(1), aPodBudget('a', { minAvailable: 1 })],
    tells: 'minAvailable: 1 are 1 of 1 pods (Deployment web)',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'a share that rounds up to all',
    objects: [aWorkload(3, 'StatefulSet'), aPodBudget('a', { minAvailable: '90%' })],
    tells: '3 of 3 pods',
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'a number of replicas that an autoscaler decides',
    objects: [aWorkload(1), autoscaler, aPodBudget('a', { minAvailable: 1 })],
  },
  {
    rule: 'pod-budget-never-yields',
    fact: 'one of three',
    objects: [aWorkload(3), aPodBudget('a', { maxUnavailable: 1 })],
  },
]);
