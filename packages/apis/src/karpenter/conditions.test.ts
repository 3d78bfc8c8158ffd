import { describe, expect, test } from 'vitest';
import { fromTimestamp } from '../kubernetes/meta.ts';
import {
  conditionFalse,
  type Conditioned,
  conditionOf,
  conditionTrue,
  conditionUnknown,
  isConditionTrue,
  isConditionUnknown,
  nodeClaimConditions,
  withCondition,
  withInitialConditions,
  withoutCondition,
} from './conditions.ts';

const created = '2024-01-28T16:00:00Z';
const at = (minute: string) => fromTimestamp(`2024-01-28T16:${minute}:00Z`);
const aClaim = (): Conditioned => ({ metadata: { name: 'default-abcde', generation: 1, creationTimestamp: created } });
const fresh = (): Conditioned => withInitialConditions(nodeClaimConditions, aClaim(), at('05'));
const types = (object: Conditioned) => (object.status?.conditions ?? []).map(({ type }) => type);
const summary = (object: Conditioned) => {
  const { status, reason, message } = conditionOf(object, 'Ready') ?? {};
  return { status, reason, message };
};

describe('a set of conditions', () => {
  test('begins as Unknown since the creation of the object, the root last', () => {
    const object = fresh();
    expect(types(object)).toEqual(['Launched', 'Registered', 'Initialized', 'Ready']);
    expect(object.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      created,
      created,
      created,
      created,
    ]);
    expect(conditionOf(object, 'Launched')).toMatchObject({ status: 'Unknown', reason: 'AwaitingReconciliation' });
    expect(summary(object)).toMatchObject({ status: 'Unknown', reason: 'ReconcilingDependents' });
  });

  test('is true as a whole once every dependent is', () => {
    const object = ['Launched', 'Registered', 'Initialized'].reduce(
      (current, type) => withCondition(nodeClaimConditions, current, conditionTrue(type), at('10')),
      fresh(),
    );
    expect(summary(object)).toEqual({ status: 'True', reason: 'Ready', message: '' });
    expect(conditionOf(object, 'Ready')?.lastTransitionTime).toBe('2024-01-28T16:10:00Z');
  });

  test('names the offenders, the most recent transition first', () => {
    const launched = withCondition(nodeClaimConditions, fresh(), conditionTrue('Launched'), at('10'));
    const object = withCondition(
      nodeClaimConditions,
      launched,
      conditionFalse('Registered', 'MultipleNodesFound', 'two'),
      at('11'),
    );
    expect(summary(object)).toEqual({
      status: 'False',
      reason: 'UnhealthyDependents',
      message: 'Registered=False, Initialized=Unknown',
    });
    expect(types(object)).toEqual(['Initialized', 'Launched', 'Registered', 'Ready']);
  });

  test('is unknown while a true dependent was observed at an older generation', () => {
    const ready = ['Launched', 'Registered', 'Initialized'].reduce(
      (current, type) => withCondition(nodeClaimConditions, current, conditionTrue(type), at('10')),
      fresh(),
    );
    const edited = { ...ready, metadata: { ...ready.metadata, generation: 2 } };
    const object = withCondition(nodeClaimConditions, edited, conditionTrue('Launched'), at('12'));
    expect(summary(object)).toMatchObject({ status: 'Unknown', message: 'Registered=True, Initialized=True' });
    expect(conditionOf(object, 'Launched')?.lastTransitionTime).toBe('2024-01-28T16:10:00Z');
  });

  test('stays the same object when nothing differs', () => {
    const launched = withCondition(nodeClaimConditions, fresh(), conditionTrue('Launched'), at('10'));
    expect(withCondition(nodeClaimConditions, launched, conditionTrue('Launched'), at('20'))).toBe(launched);
  });

  test('keeps the transition time when only the reason changes', () => {
    const object = withCondition(
      nodeClaimConditions,
      fresh(),
      conditionUnknown('Launched', 'LaunchFailed', 'no'),
      at('10'),
    );
    expect(conditionOf(object, 'Launched')).toMatchObject({ reason: 'LaunchFailed', lastTransitionTime: created });
  });

  test('dates a new independent condition now, and orders the rest by type when it goes', () => {
    const drifted = withCondition(
      nodeClaimConditions,
      fresh(),
      conditionTrue('Drifted', 'AMIDrift', 'AMIDrift'),
      at('10'),
    );
    expect(conditionOf(drifted, 'Drifted')?.lastTransitionTime).toBe('2024-01-28T16:10:00Z');
    const cleared = withoutCondition(nodeClaimConditions, drifted, 'Drifted');
    expect(types(cleared)).toEqual(['Initialized', 'Launched', 'Ready', 'Registered']);
    expect(() => withoutCondition(nodeClaimConditions, drifted, 'Launched')).toThrow('stays');
  });

  test('moves every observed generation forward while the object is being deleted', () => {
    const going = { ...fresh(), metadata: { ...aClaim().metadata, generation: 2, deletionTimestamp: created } };
    const object = withCondition(nodeClaimConditions, going, conditionTrue('Drained'), at('10'));
    expect(object.status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2, 2, 2]);
  });

  test('counts an absent condition as unknown and as not true', () => {
    expect([isConditionTrue(aClaim(), 'Launched'), isConditionUnknown(aClaim(), 'Launched')]).toEqual([false, true]);
  });
});
