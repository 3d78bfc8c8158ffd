import { expect, test } from 'vitest';
import { compareGroupReleases } from './group-release.ts';

for (const { a, b, order } of [
  { a: '1.29.0-20240202', b: '1.29.0-20240129', order: 1 },
  { a: '1.29.1-20240129', b: '1.29.0-20240202', order: 1 },
  { a: '1.30.0-20240101', b: '1.29.9-20240202', order: 1 },
  { a: '1.29.0-20240202', b: '1.29.0-20240202', order: 0 },
  { a: '1.29-2024.02.13', b: '1.29-2024.01.09', order: 1 },
  { a: '1.30-2024.01.09', b: '1.29-2024.02.13', order: 1 },
  { a: '1.18.0-7452c37e', b: '1.18.0-ea1afdd6', order: 0 },
  { a: '1.9.1-7452c37e', b: '1.18.0-ea1afdd6', order: -1 },
]) {
  test(`REL-4: ${a} is ${order === 0 ? 'as new as' : order > 0 ? 'newer than' : 'older than'} ${b}`, () => {
    expect(Math.sign(compareGroupReleases(a, b))).toBe(order);
    expect(Math.sign(compareGroupReleases(b, a))).toBe(order === 0 ? 0 : -order);
  });
}
