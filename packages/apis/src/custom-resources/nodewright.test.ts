import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listKarpenterCrds, printYaml } from './karpenter.ts';
import { ownCrds } from './nodewright.ts';

test('our own kinds are none of Karpenter', () => {
  expect(ownCrds().map(({ metadata }) => metadata.name)).toEqual([
    'disruptionpauses.nodewright.dev',
    'imagerules.nodewright.dev',
    'nodegroups.nodewright.dev',
    'noderolloutpolicies.nodewright.dev',
    'noderollouts.nodewright.dev',
  ]);
  expect(new Set(ownCrds().flatMap(({ spec }) => spec.names.categories))).toEqual(new Set(['nodewright']));
  expect(new Set(ownCrds().map(({ spec }) => spec.scope))).toEqual(new Set(['Cluster']));
});

test('a wanted image is written in the words of an EC2NodeClass, minimum age included', () => {
  const schemaOf = (kind: string) =>
    [...listKarpenterCrds(), ...ownCrds()].find(({ spec }) => spec.names.kind === kind)?.spec.versions[0]?.schema
      .openAPIV3Schema.properties?.['spec']?.properties;
  expect(schemaOf('NodeGroup')?.['image']?.properties?.['amiSelectorTerms']).toEqual(
    schemaOf('EC2NodeClass')?.['amiSelectorTerms'],
  );
});

test('the definitions read back from YAML as they are', () => {
  const read = parseAllDocuments(printYaml(ownCrds()), { version: '1.1' }).map(
    (document) => document.toJS() as unknown,
  );
  expect(read).toEqual(ownCrds());
});
