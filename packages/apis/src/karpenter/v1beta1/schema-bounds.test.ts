import { expect, test } from 'vitest';
import type { CustomResourceVersion } from '../../schema/custom-resource-definition.ts';
import type { StructuralSchema } from '../../schema/structural.ts';
import { readOwn } from '../../values/own-property.ts';
import { ec2NodeClassV1Beta1 } from './ec2-node-class.ts';
import { nodeClaimV1Beta1 } from './node-claim.ts';
import { nodePoolV1Beta1 } from './node-pool.ts';

/** The schema of a field: `[]` are the items of a list, `*` the members of a map. */
const schemaAt = ({ schema }: CustomResourceVersion, path: string): StructuralSchema | undefined =>
  path
    .split('.')
    .reduce<StructuralSchema | undefined>(
      (at, step) =>
        step === '[]' ? at?.items : step === '*' ? at?.additionalProperties : readOwn(at?.properties, step),
      schema.openAPIV3Schema,
    );

for (const [version, path, expected] of [
  [ec2NodeClassV1Beta1, 'spec.metadataOptions', { default: { httpPutResponseHopLimit: 2, httpTokens: 'required' } }],
  [ec2NodeClassV1Beta1, 'spec.metadataOptions.httpPutResponseHopLimit', { default: 2, minimum: 1, maximum: 64 }],
  [ec2NodeClassV1Beta1, 'spec.amiSelectorTerms', { maxItems: 30 }],
  [ec2NodeClassV1Beta1, 'spec.amiSelectorTerms.[].tags', { maxProperties: 20 }],
  [nodePoolV1Beta1, 'spec.disruption.budgets', { default: [{ nodes: '10%' }], maxItems: 50 }],
  [nodePoolV1Beta1, 'spec.weight', { minimum: 1, maximum: 100 }],
  [nodePoolV1Beta1, 'spec.template.metadata.labels', { maxProperties: 100 }],
  [nodePoolV1Beta1, 'spec.template.metadata.labels.*', { maxLength: 63 }],
  [nodePoolV1Beta1, 'spec.template.spec.kubelet.imageGCHighThresholdPercent', { minimum: 0, maximum: 100 }],
  [nodePoolV1Beta1, 'spec.template.spec.kubelet.imageGCLowThresholdPercent', { minimum: 0, maximum: 100 }],
  [nodePoolV1Beta1, 'spec.template.spec.kubelet.maxPods', { minimum: 0 }],
  [nodePoolV1Beta1, 'spec.template.spec.kubelet.podsPerCore', { minimum: 0 }],
] as const)
  test(`${path} of ${version.name} has its bounds`, () => {
    expect(schemaAt(version, path)).toMatchObject(expected);
  });

test.each([ec2NodeClassV1Beta1, nodeClaimV1Beta1, nodePoolV1Beta1])('v1beta1 is served, and not stored', (version) => {
  expect(version).toMatchObject({ name: 'v1beta1', served: true, storage: false });
});

test('the weight is a column of wide tables alone', () => {
  expect(nodePoolV1Beta1.additionalPrinterColumns?.filter(({ priority = 0 }) => priority > 0)).toEqual([
    { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'string' },
  ]);
});
