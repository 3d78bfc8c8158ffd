import { forgetfulLedger } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { Idempotency } from './idempotency.ts';

function world() {
  const idempotency = new Idempotency(forgetfulLedger());
  let count = 0;
  const call = (operation: string, token: string | undefined, request: object = {}) =>
    idempotency.once({ operation, token, request }, () => ({ number: (count += 1) })).number;
  return { call };
}

describe('calls with a client token', () => {
  test('are done once', () => {
    const { call } = world();
    expect([call('A', 't', { x: 1 }), call('A', 't', { x: 1 })]).toEqual([1, 1]);
  });

  test.each([[undefined], ['']])('without one (%j) are done each time', (token) => {
    const { call } = world();
    expect([call('A', token), call('A', token)]).toEqual([1, 2]);
  });

  test('of different operations do not meet', () => {
    const { call } = world();
    expect([call('A', 't'), call('B', 't')]).toEqual([1, 2]);
  });

  test('with another request are refused', () => {
    const { call } = world();
    call('A', 't', { x: 1 });
    expect(() => call('A', 't', { x: 2 })).toThrow(/same client token as a previous, but non-identical request/);
  });

  test('that failed may be sent again with the same token', () => {
    const idempotency = new Idempotency(forgetfulLedger());
    const attempt = (work: () => object) => idempotency.once({ operation: 'A', token: 't', request: {} }, work);
    const fail = () => {
      throw new Error('no capacity');
    };
    expect(() => attempt(fail)).toThrow('no capacity');
    expect(attempt(() => ({ done: true }))).toEqual({ done: true });
  });

  test('are forgotten after ten thousand others', () => {
    const { call } = world();
    for (let at = 0; at <= 10_000; at += 1) call('A', `t${at}`);
    expect([call('A', 't1'), call('A', 't0')]).toEqual([2, 10_002]);
  });

  test.each([
    [128, true],
    [129, false],
  ])('may have a token of %i characters: %s', (length, isAllowed) => {
    const attempt = () => world().call('A', 't'.repeat(length));
    if (isAllowed) expect(attempt()).toBe(1);
    else expect(attempt).toThrow(/clientToken is invalid/);
  });
});
