import { aNodePool, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { problemComplaints, problemFields } from './problem-complaints.ts';

const offering = { zone: 'a', capacityType: 'spot', price: 0.1, available: true };
const type = {
  name: 'm',
  requirements: { 'kubernetes.io/arch': ['amd64'], gpu: [], hypervisor: [''] },
  capacity: { cpu: '4', pods: 10 },
  overhead: {},
  offerings: [offering],
};
const right = { instanceTypes: [type], nodePools: [aNodePool()], pods: [aPod('p')] };
const complaints = (different: object) => problemComplaints({ ...right, ...different }, problemFields);
const podWith = (spec: object) => ({ pods: [{ ...aPod('p'), spec: { ...aPod('p').spec, ...spec } }] });

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
  {
    fact: 'a spread without a label and without room',
    different: podWith({ topologySpreadConstraints: [{ maxSkew: 0, whenUnsatisfiable: 'DoNotSchedule' }] }),
    told: [
      'pods[0].spec.topologySpreadConstraints[0].topologyKey must be a text, not missing',
      'pods[0].spec.topologySpreadConstraints[0].maxSkew must be a whole number from 1, not 0',
    ],
  },
  {
    fact: 'an operator of a daemon and a request of a pod on a node',
    different: {
      daemonSetPods: [
        {
          ...aPod('d'),
          spec: {
            containers: [],
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }],
                },
              },
            },
          },
        },
      ],
      nodes: [
        {
          node: { metadata: { name: 'n' } },
          pods: [{ metadata: { name: 'q' }, spec: { containers: [{ resources: { requests: { cpu: 'lots' } } }] } }],
        },
      ],
    },
    told: [
      'daemonSetPods[0].spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]' +
        '.matchExpressions[0].operator must be one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte, not "Like"',
      'nodes[0].pods[0].spec.containers[0].resources.requests["cpu"] must be a quantity such as 100m, 1.5 or 2Gi, not "lots"',
    ],
  },
  {
    fact: 'names that are there twice',
    different: { pods: [aPod('p'), aPod('p')], nodes: [{ pods: [] }] },
    told: ['pods[1] is the second with the name "default/p"', 'nodes[0] must have a node, a nodeClaim or both'],
  },
  {
    fact: 'a policy and the limit of a pool',
    different: {
      nodePools: [aNodePool('a', { limits: { cpu: 'many' } })],
      options: { preferencePolicy: 'Maybe' },
    },
    told: [
      'nodePools[0].spec.limits["cpu"] must be a quantity such as 100m, 1.5 or 2Gi, not "many"',
      'options.preferencePolicy must be one of Respect, Ignore, not "Maybe"',
    ],
  },
]) {
  test(`${fact}: ${told.length} complaints`, () => {
    expect(complaints(different)).toEqual(told);
  });
}
