import { sdkError } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { askInParts, mostCalls } from './divided-batch.ts';

const idsUpTo = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `i-${at}`);

/** Asks for ids; a call fails as the rule says. */
async function ask(ids: readonly string[], failureOf: (part: readonly string[]) => Error | undefined) {
  const calls: (readonly string[])[] = [];
  const failures = await askInParts(ids, async (part) => {
    calls.push(part);
    const error = failureOf(part);
    if (error !== undefined) throw error;
  });
  return { calls, failures };
}

test('a call that succeeds is the only one', async () => {
  const { calls, failures } = await ask(idsUpTo(5), () => undefined);
  expect([calls, failures.size]).toEqual([[idsUpTo(5)], 0]);
});

for (const [size, most] of [
  [0, 1],
  [1, 1],
  [2, 3],
  [3, 5],
  [4, 5],
  [5, 7],
  [500, 19],
] as const) {
  test(`for ${size} ids there are ${most} calls at most`, () => {
    expect(mostCalls(size)).toBe(most);
  });
}

describe('a failed part', () => {
  test('is asked for again without the ids that its error names', async () => {
    const error = sdkError('InvalidInstanceID.NotFound', "The IDs 'i-1, i-3' do not exist");
    const { calls, failures } = await ask(idsUpTo(5), (part) => (part.includes('i-1') ? error : undefined));
    expect(calls).toEqual([idsUpTo(5), ['i-0', 'i-2', 'i-4']]);
    expect([...failures]).toEqual([
      ['i-1', { error, isOwn: true }],
      ['i-3', { error, isOwn: true }],
    ]);
  });

  test('is not asked for again when its error names every id', async () => {
    const error = sdkError('InvalidInstanceID.NotFound', 'i-0 i-1');
    const { calls, failures } = await ask(idsUpTo(2), () => error);
    expect([calls.length, failures.size]).toEqual([1, 2]);
  });

  test('of one id is that id’s own failure', async () => {
    const error = sdkError('UnauthorizedOperation');
    const { calls, failures } = await ask(['i-0'], () => error);
    expect([calls.length, failures.get('i-0')]).toEqual([1, { error, isOwn: true }]);
  });

  test('is divided by halves until the id is found', async () => {
    const error = sdkError('UnauthorizedOperation');
    const { calls, failures } = await ask(idsUpTo(5), (part) => (part.includes('i-3') ? error : undefined));
    expect(calls).toEqual([idsUpTo(5), ['i-0', 'i-1', 'i-2'], ['i-3', 'i-4'], ['i-3'], ['i-4']]);
    expect([...failures]).toEqual([['i-3', { error, isOwn: true }]]);
  });

  for (const code of ['RequestLimitExceeded', 'TimeoutError', 'UnreadableAnswer']) {
    test(`is not divided after ${code}`, async () => {
      const error = sdkError(code);
      const { calls, failures } = await ask(idsUpTo(4), () => error);
      expect(calls).toHaveLength(1);
      for (const failure of failures.values()) expect(failure).toEqual({ error, isOwn: false });
      expect(failures.size).toBe(4);
    });
  }

  test('is divided once after an error of the service when both halves fail', async () => {
    const { calls, failures } = await ask(idsUpTo(8), () => sdkError('InternalError', 'no', 500));
    expect([calls.length, failures.size]).toEqual([3, 8]);
  });

  test('is divided on after an error of the service when one half succeeds', async () => {
    const bad = (part: readonly string[]) => (part.includes('i-0') ? sdkError('InternalError', 'no', 500) : undefined);
    const { failures } = await ask(idsUpTo(8), bad);
    expect([...failures.keys()]).toEqual(['i-0']);
  });

  test('leaves no id without an outcome when the calls are used up', async () => {
    const { calls, failures } = await ask(idsUpTo(64), () => sdkError('UnauthorizedOperation'));
    expect(calls.length).toBeLessThanOrEqual(mostCalls(64));
    expect([...failures.keys()].toSorted()).toEqual(idsUpTo(64).toSorted());
    expect([...failures.values()].some(({ isOwn }) => !isOwn)).toBe(true);
  });
});
