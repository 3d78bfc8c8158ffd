import { fromTimestamp, instant } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { type Random, seededRandom, virtualTime } from '@nodewright/runtime';
import { sdkError } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { asCloudError, callAws, callOnce } from './call-aws.ts';
import { lookupRules } from './consequences.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');

/** Chance that always says the same. */
const alwaysNext = (next: number): Random => ({ ...seededRandom(1), next: () => next });

/** A service that fails with these errors before it answers, and when each attempt came. */
function aService(errors: readonly unknown[], random = alwaysNext(0)) {
  const time = virtualTime(start);
  const attempts: { readonly at: number; readonly ticket: number; readonly hasSignal: boolean }[] = [];
  const call = callAws({ clock: time.clock, gate: time.gate, random });
  const send = async ({ ticket, abortSignal }: { ticket: number; abortSignal?: AbortSignal }): Promise<string> => {
    const made = attempts.push({ at: time.clock.now() - start, ticket, hasSignal: abortSignal !== undefined });
    await time.gate.park(ticket, abortSignal);
    const error = errors[made - 1];
    if (error !== undefined) throw error;
    return 'answer';
  };
  const outcomeOf = (work: Promise<string>): Promise<unknown> => time.finish(work.catch((error: unknown) => error));
  return { time, call, send, attempts, outcomeOf };
}

const throttled = sdkError('RequestLimitExceeded', 'slow down', 503);
const refused = sdkError('UnauthorizedOperation', 'no', 403);

describe('a call', () => {
  test('that is answered is made once', async () => {
    const { call, send, attempts, outcomeOf } = aService([]);
    expect(await outcomeOf(call(send))).toBe('answer');
    expect(attempts).toMatchObject([{ at: 0, hasSignal: false }]);
  });

  for (const { fact, random, times } of [
    { fact: 'half of the pause at least', random: alwaysNext(0), times: [0, 100, 300, 700] },
    { fact: 'the whole pause at most', random: alwaysNext(1), times: [0, 200, 600, 1400] },
  ]) {
    test(`that is throttled is made four times, and waits twice as long each time: ${fact}`, async () => {
      const { call, send, attempts, outcomeOf } = aService(Array(9).fill(throttled), random);
      expect(await outcomeOf(call(send))).toBe(throttled);
      expect(attempts.map(({ at }) => at)).toEqual(times);
    });
  }

  test('is over with the first answer', async () => {
    const { call, send, attempts, outcomeOf } = aService([throttled, sdkError('InternalError', 'no', 500)]);
    expect(await outcomeOf(call(send))).toBe('answer');
    expect(attempts.map(({ at }) => at)).toEqual([0, 100, 300]);
  });

  test('stops with an error that another attempt does not change', async () => {
    const { call, send, attempts, outcomeOf } = aService([throttled, refused]);
    expect(await outcomeOf(call(send))).toBe(refused);
    expect(attempts).toHaveLength(2);
  });

  for (const error of [
    throttled,
    sdkError('Anything', 'no', 500),
    sdkError('Anything', 'no', 429),
    Object.assign(new Error('hang up'), { code: 'ECONNRESET' }),
    Object.assign(new Error('no answer'), { name: 'TimeoutError' }),
    Object.assign(new Error('Deserialization error'), { $metadata: {}, $responseBodyText: '<html>' }),
  ]) {
    test(`is made again after ${error.name} ${error.message}`, async () => {
      const { call, send, attempts, outcomeOf } = aService([error]);
      expect(await outcomeOf(call(send))).toBe('answer');
      expect(attempts).toHaveLength(2);
    });
  }

  for (const error of [
    refused,
    sdkError('InvalidParameterValue'),
    sdkError('VcpuLimitExceeded'),
    sdkError('InsufficientInstanceCapacity'),
    sdkError('IdempotentParameterMismatch'),
    sdkError('SomethingNew'),
    new TypeError('a mistake of our own'),
  ]) {
    test(`is made once when it fails with ${error.name}`, async () => {
      const { call, send, attempts, outcomeOf } = aService([error]);
      expect(await outcomeOf(call(send))).toBe(error);
      expect(attempts).toHaveLength(1);
    });
  }

  test('whose failure is an answer is made once', async () => {
    const { call, send, attempts, outcomeOf } = aService([throttled]);
    expect(await outcomeOf(call(send, undefined, callOnce))).toBe(throttled);
    expect(attempts).toHaveLength(1);
  });

  test('takes a ticket of its own for every attempt, and no time within one', async () => {
    const { call, send, attempts, outcomeOf } = aService([throttled, throttled]);
    await outcomeOf(call(send));
    expect(new Set(attempts.map(({ ticket }) => ticket)).size).toBe(3);
  });

  test('that is given up while it waits for another attempt makes none', async () => {
    const { time, call, send, attempts, outcomeOf } = aService([throttled, throttled]);
    const stopping = new AbortController();
    time.clock.at(instant(start + 50), () => stopping.abort(new Error('stopping')));
    expect(await outcomeOf(call(send, stopping.signal))).toMatchObject({ message: 'stopping' });
    expect([time.clock.now() - start, attempts]).toMatchObject([50, [{ at: 0, hasSignal: true }]]);
  });

  test('that is given up before it begins does not reach the service', async () => {
    const { call, send, outcomeOf } = aService([]);
    const signal = AbortSignal.abort(new Error('no need'));
    expect(await outcomeOf(call(send, signal))).toMatchObject({ message: 'no need' });
  });

  test('does not hold up another one', async () => {
    const { time, call, send, outcomeOf } = aService([throttled]);
    const answers = await outcomeOf(Promise.all([call(send), call(send)]).then((found) => found.join()));
    expect([answers, time.clock.now() - start]).toEqual(['answer,answer', 100]);
  });
});

describe('an error in the words of the port', () => {
  for (const { error, code, retry } of [
    { error: throttled, code: 'RequestLimitExceeded', retry: 'backOff' },
    { error: sdkError('EntityAlreadyExists'), code: 'EntityAlreadyExists', retry: 'soon' },
    { error: sdkError('InvalidParameterValue'), code: 'InvalidParameterValue', retry: 'backOff' },
    { error: sdkError('SomethingNew'), code: 'SomethingNew', retry: 'backOff' },
    { error: Object.assign(new Error('hang up'), { code: 'ECONNRESET' }), code: 'ECONNRESET', retry: 'backOff' },
  ] as const) {
    test(`${code} has ${retry}, and its cause`, () => {
      const found = asCloudError(error);
      expect(found).toBeInstanceOf(CloudError);
      expect(found).toMatchObject({ code, retry, cause: error, message: `${code}: ${error.message}` });
    });
  }

  test('has the consequence that its port says', () => {
    expect(asCloudError(sdkError('InvalidParameterValue'), lookupRules)).toMatchObject({ retry: 'afterSpecChange' });
    expect(asCloudError(throttled, lookupRules)).toMatchObject({ retry: 'backOff' });
  });

  for (const { fact, error } of [
    { fact: 'what has these words already', error: new CloudError('a', { code: 'b', retry: 'soon' }) },
    { fact: 'what was given up', error: Object.assign(new Error('aborted'), { name: 'AbortError', $metadata: {} }) },
    { fact: 'a mistake of our own', error: new TypeError('not a function') },
    { fact: 'what is no error', error: 'text' },
  ]) {
    test(`stays as it is for ${fact}`, () => {
      expect(asCloudError(error)).toBe(error);
    });
  }
});
