import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listKarpenterCrds, karpenterCustomResources, printYaml } from './karpenter.ts';

test('the definitions are printed by name, each with its one version', () => {
  expect(
    listKarpenterCrds().map(({ metadata, spec }) => [metadata.name, spec.versions.map(({ name }) => name)]),
  ).toEqual([
    ['capacitybuffers.autoscaling.x-k8s.io', ['v1beta1']],
    ['ec2nodeclasses.karpenter.k8s.aws', ['v1']],
    ['nodeclaims.karpenter.sh', ['v1']],
    ['nodeoverlays.karpenter.sh', ['v1alpha1']],
    ['nodepools.karpenter.sh', ['v1']],
  ]);
});

test('where there is v1 it is stored, and v1beta1 is served beside it', () => {
  const kinds = ['EC2NodeClass', 'NodeClaim', 'NodePool'];
  const stored = karpenterCustomResources.filter(({ crd }) => kinds.includes(crd.spec.names.kind));
  expect(stored).toHaveLength(kinds.length);
  for (const { crd } of stored) {
    expect(crd.spec.versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false },
    ]);
  }
});

test('the definitions read back from YAML as they are', () => {
  const read = parseAllDocuments(printYaml(listKarpenterCrds()), { version: '1.1' }).map(
    (document) => document.toJS() as unknown,
  );
  expect(read).toEqual(listKarpenterCrds());
});

test('Karpenter gains one field only', () => {
  expect(printYaml(listKarpenterCrds()).match(/minimumAgeDuration/g)).toHaveLength(1);
});

test('a pool without a word about disruption may lose a tenth of its nodes at once', () => {
  const schema = listKarpenterCrds().find(({ spec }) => spec.names.kind === 'NodePool')?.spec.versions[0]?.schema
    .openAPIV3Schema;
  const disruption = schema?.properties?.['spec']?.properties?.['disruption'];
  expect(disruption?.default).toEqual({ consolidateAfter: '0s' });
  expect(disruption?.properties?.['consolidationPolicy']?.default).toBe('WhenEmptyOrUnderutilized');
  expect(disruption?.properties?.['budgets']?.default).toEqual([{ nodes: '10%' }]);
});
