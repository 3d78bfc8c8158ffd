import { expect, test } from 'vitest';
import { withoutNulls } from './without-nulls.ts';

test('fields that are null are left out, wherever they are', () => {
  const pod = {
    metadata: { name: 'p', creationTimestamp: null },
    spec: { affinity: null, containers: [{ ports: null }] },
  };
  expect(withoutNulls(pod)).toEqual({ metadata: { name: 'p' }, spec: { containers: [{}] } });
});

test('data without any stays the same object', () => {
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ args: ['', 0, false] }] } };
  expect(withoutNulls(pod)).toBe(pod);
});
