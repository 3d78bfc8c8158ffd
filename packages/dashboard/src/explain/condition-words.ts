import { type Condition, byTextOf } from '@nodewright/apis';

/** Conditions that are not as they should be, one sentence each. `Ready` only sums up the others. */
export const describeTroubledConditions = (conditions: readonly Condition[] = []): readonly string[] =>
  conditions
    .filter(({ type, status }) => type !== 'Ready' && status !== 'True')
    .toSorted(byTextOf(({ type }) => type))
    .map(({ type, status, reason, message }) => {
      const why = [reason, message].filter((words) => words !== undefined && words !== '').join(': ');
      return `${type} is ${status}${why === '' ? '' : `, ${why}`}`;
    });
