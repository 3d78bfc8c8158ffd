import { expect, test } from 'vitest';
import { listOldKindCrds } from './old-kinds.ts';
import { provisionerSpecSchema } from './provisioner.ts';

const crds = listOldKindCrds();

test('the kinds before NodePool and EC2NodeClass are served, stored and deprecated', () => {
  expect(crds.map(({ metadata }) => metadata.name)).toEqual([
    'awsnodetemplates.karpenter.k8s.aws',
    'provisioners.karpenter.sh',
  ]);
  for (const { spec } of crds)
    for (const version of spec.versions) {
      expect(version).toMatchObject({ served: true, storage: true, deprecated: true, subresources: { status: {} } });
      expect(version.deprecationWarning).toMatch(/is deprecated; .* is made of it$/);
    }
});

test('the weight of a Provisioner is a column of wide tables alone', () => {
  const columns = crds.flatMap(({ spec }) =>
    spec.versions.flatMap((version) => version.additionalPrinterColumns ?? []),
  );
  expect(columns.filter(({ priority = 0 }) => priority > 0)).toEqual([
    { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'integer' },
  ]);
});

test('the times and the weight of a Provisioner have bounds', () => {
  const { ttlSecondsAfterEmpty, ttlSecondsUntilExpired, weight } = provisionerSpecSchema.properties ?? {};
  expect([ttlSecondsAfterEmpty, ttlSecondsUntilExpired].map((schema) => schema?.minimum)).toEqual([0, 0]);
  expect(weight).toMatchObject({ minimum: 1, maximum: 100 });
});
