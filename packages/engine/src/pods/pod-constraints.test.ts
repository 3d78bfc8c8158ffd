import type { Pod, PodAffinityTerm } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { podConstraintsOf, relaxConstraints } from './pod-constraints.ts';
import type { PodConstraints } from './pod-constraints.ts';

const near = (name: string): PodAffinityTerm => ({ topologyKey: name, labelSelector: {} });
const at = (zone: string) => ({
  matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [zone] }],
});
const spread = (topologyKey: string, whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway') => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable,
});
/** A light one before a heavy one. */
const weighted = <T>(of: (name: string) => T, field: string, name: string) => [
  { weight: 1, [field]: of(`light ${name}`) },
  { weight: 50, [field]: of(`heavy ${name}`) },
];

const demanding: Pod = aPod('p', {
  nodeSelector: { team: 'x' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [at('first'), at('second'), at('last')] },
      preferredDuringSchedulingIgnoredDuringExecution: weighted(at, 'preference', 'zone') as never,
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [near('required')],
      preferredDuringSchedulingIgnoredDuringExecution: weighted(near, 'podAffinityTerm', 'friend') as never,
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [near('forbidden')],
      preferredDuringSchedulingIgnoredDuringExecution: weighted(near, 'podAffinityTerm', 'foe') as never,
    },
  },
  topologySpreadConstraints: [
    spread('a', 'ScheduleAnyway'),
    spread('kept', 'DoNotSchedule'),
    spread('b', 'ScheduleAnyway'),
    spread('c', 'ScheduleAnyway'),
  ],
});

const zoneOf = ({ matchExpressions = [] }: PodConstraints['requiredTerms'][number]) => matchExpressions[0]?.values?.[0];
const keyOf = ({ topologyKey }: { readonly topologyKey: string }) => topologyKey;

/** Everything that can be given up, by name. */
const wishesOf = (constraints: PodConstraints): readonly string[] => [
  ...constraints.requiredTerms.map((term) => `zone ${zoneOf(term)}`),
  ...constraints.preferredAffinity.map(keyOf),
  ...constraints.preferredAntiAffinity.map(keyOf),
  ...constraints.preferredTerms.map((term) => zoneOf(term) ?? ''),
  ...constraints.spread.map((each) => `spread over ${keyOf(each)}`),
];

/** What is given up at each step, and what is left in the end. */
function givenUp(somePreferNoSchedule: boolean) {
  const steps: string[] = [];
  let form = podConstraintsOf(demanding, 'Respect');
  for (let next = relaxConstraints(form, { somePreferNoSchedule }); next !== undefined;) {
    const left = new Set(wishesOf(next));
    const gone = wishesOf(form).filter((wish) => !left.has(wish));
    steps.push(gone.length === 0 ? `tolerates ${next.tolerations.map(({ effect }) => effect).join()}` : gone.join());
    form = next;
    next = relaxConstraints(form, { somePreferNoSchedule });
  }
  return { steps, form };
}

const inOrder = [
  'zone first',
  'zone second',
  'heavy friend',
  'light friend',
  'heavy foe',
  'light foe',
  'heavy zone',
  'light zone',
  'spread over a',
  'spread over c',
  'spread over b',
];

describe('what a pod gives up', () => {
  test('is one thing at a time: alternatives, friends, foes, places, then spreads; the heaviest of each first', () => {
    expect(givenUp(false).steps).toEqual(inOrder);
  });
  test('is last of all the avoidance of PreferNoSchedule, where a pool has such a taint', () => {
    expect(givenUp(true).steps).toEqual([...inOrder, 'tolerates PreferNoSchedule']);
  });
  test('is nothing that it requires', () => {
    const { form } = givenUp(true);
    expect(wishesOf(form)).toEqual(['zone last', 'spread over kept']);
    expect([form.affinity.map(keyOf), form.antiAffinity.map(keyOf)]).toEqual([['required'], ['forbidden']]);
    expect([...form.nodeSelector.keys()]).toEqual(['team']);
  });
});

test('of a pod whose preferences are ignored only what it requires is left', () => {
  expect(wishesOf(podConstraintsOf(demanding, 'Ignore'))).toEqual([
    'zone first',
    'zone second',
    'zone last',
    'spread over kept',
  ]);
});
