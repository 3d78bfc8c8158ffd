import { expect, test } from 'vitest';
import { findKnownIssues, knownIssues } from './known-issues.ts';

const found = (...asked: Parameters<typeof findKnownIssues>): readonly string[] =>
  findKnownIssues(...asked).map(({ family, versions }) => `${family} ${versions}`);

test('a release is found by its family and version', () => {
  expect(found({ family: 'AL2', version: 'v20221027' }, '1.24')).toEqual(['AL2 v20221027']);
  expect(found({ family: 'AL2023', version: 'v20240807' })).toEqual(['AL2023 >=v20240807 <v20240828']);
  expect(found({ family: 'AL2023', version: 'v20240828' })).toEqual([]);
  expect(found({ family: 'Bottlerocket', version: 'v1.20.4' })).toEqual([]);
});

test('what concerns one minor of Kubernetes is found for that, and where the minor is not known', () => {
  const release = { family: 'AL2', version: 'v20240117' } as const;
  expect(found(release)).toEqual(['AL2 <v20240202']);
  expect(found(release, '1.29')).toEqual(['AL2 <v20240202']);
  expect(found(release, '1.28')).toEqual([]);
});

test('what concerns all minors is found for each', () => {
  expect(found({ family: 'AL2', version: 'v20251103' }, '1.31')).toEqual(['AL2 v20251103']);
});

test('every report says what happens and where that is written', () => {
  for (const { what, source } of knownIssues) {
    expect(what).not.toBe('');
    expect(source).toMatch(/^https:\/\//);
  }
});
