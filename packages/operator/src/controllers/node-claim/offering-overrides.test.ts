import type { NodeClaim } from '@nodewright/apis';
import { instant } from '@nodewright/apis';
import { aNodeClass, anInstanceType, withOverrides } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { admissibleTypes } from './admissible-types.ts';
import { launchedClaim } from './launched-claim.ts';

const device = 'example.com/device';
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const special = withOverrides(anInstanceType('special'), ({ zone }) => zone === 'zone-b', {
  capacity: { [device]: 2 },
});

const asking = (requests: Readonly<Record<string, string>>): NodeClaim => ({
  metadata: { name: 'c' },
  spec: { nodeClassRef, requirements: [], resources: { requests } },
});

describe('SCH-29: a claim for a resource that only some offerings have', () => {
  test('is launched through these', () => {
    const types = admissibleTypes(asking({ [device]: '1' }), [anInstanceType('plain'), special]);
    expect(types.map(({ name, offerings }) => [name, ...offerings.map(({ zone }) => zone)])).toEqual([
      ['special', 'zone-b', 'zone-b'],
    ]);
  });

  test('is launched through none of these while they are not available', () => {
    const offerings = special.offerings.map((each) => ({ ...each, available: each.zone !== 'zone-b' }));
    expect(admissibleTypes(asking({ [device]: '1' }), [{ ...special, offerings }])).toEqual([]);
  });

  test.each([
    { zone: 'zone-a', has: undefined },
    { zone: 'zone-b', has: '2' },
  ])('says once it is launched in $zone that its node has $has', ({ zone, has }) => {
    const offering = special.offerings.find((each) => each.zone === zone);
    if (offering === undefined) throw new Error(`expected an offering in ${zone}`);
    const instance = {
      id: 'i-1',
      providerId: `aws:///${zone}/i-1`,
      instanceType: 'special',
      zone,
      capacityType: offering.capacityType,
      imageId: 'ami-1',
      state: 'running',
      launchedAt: instant(0),
      tags: {},
      tenancy: 'default',
      securityGroupIds: [],
      privateDnsName: '',
    } as const;
    const launched = { kind: 'launched', instance, instanceType: special, offering } as const;
    const { status } = launchedClaim(asking({}), aNodeClass(), launched, instant(0));
    expect([status?.capacity?.[device], status?.allocatable?.[device]]).toEqual([has, has]);
  });
});
