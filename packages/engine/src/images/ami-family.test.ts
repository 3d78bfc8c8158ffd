import type { EC2NodeClass } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { amiFamilyOf } from './ami-family.ts';

const familyOf = (spec: Partial<EC2NodeClass['spec']>): string =>
  amiFamilyOf({
    metadata: { name: 'default' },
    spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [], ...spec },
  });

test.each([
  [
    'a family that is written',
    { amiFamily: 'Bottlerocket', amiSelectorTerms: [{ alias: 'al2@latest' }] },
    'Bottlerocket',
  ],
  ['that of the alias', { amiSelectorTerms: [{ id: 'ami-1' }, { alias: 'al2023@latest' }] }, 'AL2023'],
  ['that of the first alias', { amiSelectorTerms: [{ alias: 'al2@latest' }, { alias: 'al2023@latest' }] }, 'AL2'],
  ['none for images without an alias', { amiSelectorTerms: [{ id: 'ami-1' }] }, 'Custom'],
  ['none for an alias of no family', { amiSelectorTerms: [{ alias: 'fedora@latest' }] }, 'Custom'],
] as const)('user data is that of %s', (_, spec, family) => {
  expect(familyOf(spec)).toBe(family);
});
