import { aNodePool, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { problemComplaints } from './problem-complaints.ts';

const offering = { zone: 'a', capacityType: 'spot', price: 0.1, available: true };
const type = {
  name: 'm',
  requirements: { 'kubernetes.io/arch': ['amd64'], gpu: [], hypervisor: [''] },
  capacity: { cpu: '4', pods: 10 },
  overhead: {},
  offerings: [offering],
};
const right = { instanceTypes: [type], nodePools: [aNodePool()], pods: [aPod('p')] };
const complaints = (different: object) =>
  problemComplaints({ ...right, ...different }, ['instanceTypes', 'nodePools', 'pods']);

for (const { fact, different, told } of [
  { fact: 'what is right', different: {}, told: [] },
  { fact: 'a missing list', different: { pods: undefined }, told: ['pods must be a list, not missing'] },
  {
    fact: 'an amount',
    different: { instanceTypes: [{ ...type, capacity: { cpu: 'lots' } }] },
    told: ['instanceTypes[0].capacity["cpu"] must be a quantity such as 100m, 1.5 or 2Gi, not "lots"'],
  },
  {
    fact: 'a capacity type and a price',
    different: { instanceTypes: [{ ...type, offerings: [{ ...offering, capacityType: 'free', price: '0' }] }] },
    told: [
      'instanceTypes[0].offerings[0].capacityType must be one of on-demand, spot, reserved, not "free"',
      'instanceTypes[0].offerings[0].price must be a number from 0, not "0"',
    ],
  },
  {
    fact: 'an amount that only one offering has',
    different: { instanceTypes: [{ ...type, offerings: [{ ...offering, capacityOverride: { gpu: 'lots' } }] }] },
    told: [
      'instanceTypes[0].offerings[0].capacityOverride["gpu"] must be a quantity such as 100m, 1.5 or 2Gi, not "lots"',
    ],
  },
  {
    fact: 'a pod without anything',
    different: { pods: [{}] },
    told: ['pods[0].metadata must be an object, not missing', 'pods[0].spec must be an object, not missing'],
  },
]) {
  test(`${fact}: ${told.length} complaints`, () => {
    expect(complaints(different)).toEqual(told);
  });
}
