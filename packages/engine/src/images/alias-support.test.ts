import { expect, test } from 'vitest';
import { unsupportedAlias } from './alias-support.ts';

const problemOf = (kubernetesVersion: string, ...aliases: readonly (string | undefined)[]) =>
  unsupportedAlias({
    terms: aliases.map((alias) => (alias === undefined ? { id: 'ami-1' } : { alias })),
    kubernetesVersion,
  });

test.each([
  ['1.32', 'al2@latest'],
  ['1.33', 'al2023@latest'],
  ['1.35', 'windows2025@latest'],
  ['1.33', undefined],
  ['1.29', 'ubuntu@latest'],
])('Kubernetes %s has images of %s', (version, alias) => {
  expect(problemOf(version, alias)).toBeUndefined();
});

test.each([
  ['1.33', 'al2@latest', 'there are no AL2 images for Kubernetes 1.33; use al2023'],
  ['1.34', 'windows2025@latest', 'images start with Kubernetes 1.35; this cluster is 1.34'],
  ['1.29', 'al2', 'must be family@version, such as al2@v20240625'],
  ['1.29', 'al2@v1@x', 'must be family@version, such as al2@v20240625'],
  ['1.29', 'fedora@latest', 'must be family@version, such as al2023@v20240828'],
  ['1.29', 'windows2022', 'must be family@version, such as al2023@v20240828'],
])('Kubernetes %s has none of %s', (version, alias, problem) => {
  expect(problemOf(version, alias)).toBe(`spec.amiSelectorTerms[0].alias "${alias}": ${problem}`);
});

test('the term that cannot be used is named by its place', () => {
  expect(problemOf('1.33', undefined, 'al2023@latest', 'al2@latest')).toContain('spec.amiSelectorTerms[2].alias');
});
