import { type NodeClaim, type RequirementWithMinValues, fromTimestamp } from '@nodewright/apis';
import { type InstanceType, type Offering, schedulePods } from '@nodewright/engine';
import {
  contradictedKey,
  requirementsIntersect,
  normaliseKey,
  requireOneOf,
  parseRequirement,
  requirementSet,
  parseRequirements,
} from '@nodewright/requirements';
import { virtualTime } from '@nodewright/runtime';
import { aNodePool, aPod } from '@nodewright/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listLaunchOptions } from './launch-options.ts';
import { UnavailableOfferings } from '../../market/unavailable-offerings.ts';

const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));

const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const partition = 'karpenter.k8s.aws/placement-group-partition';

/** Values that offerings carry; the empty list stands for a label that the node does not have. */
const offeredLabels = {
  [zone]: [['us-east-1a'], ['us-east-1b'], ['us-east-1c']],
  [capacityType]: [['spot'], ['on-demand']],
  [partition]: [[], ['1'], ['2'], ['10']],
} as const;

/** Each label under its names, with values that nodes have and others. */
const askedLabels: readonly (readonly [key: string, values: readonly string[]])[] = [
  [zone, ['us-east-1a', 'us-east-1b', 'elsewhere']],
  ['failure-domain.beta.kubernetes.io/zone', ['us-east-1b', 'us-east-1c']],
  ['topology.ebs.csi.aws.com/zone', ['us-east-1a', 'us-east-1c']],
  [capacityType, ['spot', 'on-demand', 'reserved']],
  [partition, ['1', '2', '10']],
  ['beta.kubernetes.io/arch', ['amd64', 'arm64']],
  ['example.com/team', ['red']],
];

const someRequirement = (): fc.Arbitrary<RequirementWithMinValues> =>
  fc.constantFrom(...askedLabels).chain(([key, values]) =>
    fc.oneof(
      fc.record({
        key: fc.constant(key),
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.subarray([...values], { minLength: 1 }),
      }),
      fc.record({ key: fc.constant(key), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
      fc.record({
        key: fc.constant(key),
        operator: fc.constantFrom('Gt' as const, 'Lt' as const, 'Gte' as const, 'Lte' as const),
        values: fc.constantFrom(['0'], ['1'], ['2'], ['5'], ['10']),
      }),
    ),
  );

const someOffering = (): fc.Arbitrary<Offering> =>
  fc
    .record({
      zone: fc.constantFrom(...offeredLabels[zone]),
      capacityType: fc.constantFrom(...offeredLabels[capacityType]),
      partition: fc.constantFrom(...offeredLabels[partition]),
      available: fc.constantFrom(true, true, true, false),
    })
    .map((drawn) => ({
      zone: drawn.zone[0],
      capacityType: drawn.capacityType[0],
      priceMicroUsdPerHour: 100,
      available: drawn.available,
      requirements: requirementSet([
        requireOneOf(zone, drawn.zone),
        requireOneOf(capacityType, drawn.capacityType),
        requireOneOf(partition, drawn.partition),
      ]),
    }));

const someType = (): fc.Arbitrary<InstanceType> =>
  fc
    .record({
      offerings: fc.array(someOffering(), { minLength: 1, maxLength: 4 }),
      arch: fc.constantFrom('amd64', 'arm64'),
    })
    .map(({ offerings, arch }) => ({
      name: 'm5.large',
      offerings,
      capacity: { cpu: 2000, pods: 10 },
      allocatable: { cpu: 2000, pods: 10 },
      requirements: requirementSet([
        requireOneOf('node.kubernetes.io/instance-type', ['m5.large']),
        requireOneOf('kubernetes.io/arch', [arch]),
        ...[zone, capacityType, partition].map((key) =>
          requireOneOf(
            key,
            offerings.flatMap(({ requirements }) => [...(requirements.get(key)?.values ?? [])]),
          ),
        ),
      ]),
    }));

const claimOf = (requirements: readonly RequirementWithMinValues[]): NodeClaim => ({
  metadata: { name: 'claim' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
});

const images = [{ id: 'ami-1', requirements: [] }];

const launched = (type: InstanceType, asked: readonly RequirementWithMinValues[]): readonly Offering[] =>
  listLaunchOptions({ claim: claimOf(asked), images, instanceTypes: [type] }, new UnavailableOfferings(time.clock)).map(
    ({ offering }) => offering,
  );

/** Whether a node with this value of the label (`undefined`: without it) matches, as the Kubernetes API documents node selectors. */
function matches({ operator, values = [] }: RequirementWithMinValues, value: string | undefined): boolean {
  const [bound] = values.map(Number);
  const number = Number(value);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return bound !== undefined && number > bound;
    case 'Gte':
      return bound !== undefined && number >= bound;
    case 'Lt':
      return bound !== undefined && number < bound;
    case 'Lte':
      return bound !== undefined && number <= bound;
  }
}

const isContradictory = (asked: readonly RequirementWithMinValues[]): boolean =>
  contradictedKey(asked.map(parseRequirement)) !== undefined;

test('a launch offers exactly what a node selector with the requirements of the claim would match', () => {
  fc.assert(
    fc.property(someType(), fc.array(someRequirement(), { maxLength: 3 }), (type, asked) => {
      fc.pre(!isContradictory(asked));
      const expected = type.offerings.filter(
        ({ available, requirements }) =>
          available &&
          asked
            .filter(({ key }) => requirements.has(normaliseKey(key)))
            .every((each) => matches(each, [...(requirements.get(normaliseKey(each.key))?.values ?? [])][0])),
      );
      expect(launched(type, asked)).toEqual(expected);
    }),
    { numRuns: 1000, seed: 13 },
  );
});

test('the provider launches a type within requirements exactly when the engine plans a node of it', () => {
  let planned = 0;
  fc.assert(
    fc.property(someType(), fc.array(someRequirement(), { maxLength: 3 }), (type, asked) => {
      fc.pre(!isContradictory(asked));
      const { newNodes } = schedulePods({
        nodePools: [{ nodePool: aNodePool('default', { requirements: asked }), instanceTypes: [type] }],
        nodes: [],
        pods: [aPod('pod')],
        daemonPods: [],
        namespaces: [],
        options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
      });
      const isAdmissible = requirementsIntersect(parseRequirements(asked), type.requirements);
      expect(isAdmissible && launched(type, asked).length > 0).toBe(newNodes.length > 0);
      planned += newNodes.length;
    }),
    { numRuns: 500, seed: 13 },
  );
  expect(planned).toBeGreaterThan(100);
});
