import type { NodeClaim, RequirementWithMinValues } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { chooseTenancy } from './tenancy.ts';

const key = 'karpenter.k8s.aws/instance-tenancy';

const asking = (...requirements: readonly RequirementWithMinValues[]): NodeClaim => ({
  metadata: { name: 'claim' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
});

for (const { fact, claim, tenancy } of [
  { fact: 'nothing is asked', claim: asking(), tenancy: 'default' },
  {
    fact: 'both are admitted',
    claim: asking({ key, operator: 'In', values: ['dedicated', 'default'] }),
    tenancy: 'default',
  },
  { fact: 'any is admitted', claim: asking({ key, operator: 'Exists' }), tenancy: 'default' },
  { fact: 'it alone is admitted', claim: asking({ key, operator: 'In', values: ['dedicated'] }), tenancy: 'dedicated' },
  {
    fact: 'shared hardware is excluded',
    claim: asking({ key, operator: 'NotIn', values: ['default'] }),
    tenancy: 'dedicated',
  },
]) {
  test(`a launch is on ${tenancy} hardware when ${fact}`, () => {
    expect(chooseTenancy(claim)).toBe(tenancy);
  });
}
