import {
  awsAnnotations,
  conditionOf,
  conditionTrue,
  finalizers,
  fromTimestamp,
  instant,
  isConditionTrue,
  nodeClaimConditions,
  nodewrightAnnotations,
  toTimestamp,
  withCondition,
  type EC2NodeClass,
  type NodeClaim,
} from '@nodewright/apis';
import { ec2NodeClassHash, hashVersion, type FoundImage } from '@nodewright/engine';
import { aNodeClass, anImage } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeClassSnapshot } from './observe.ts';
import { planNodeClass } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

/** Finalizer and hash in place. */
function adopted(nodeClass: EC2NodeClass = aNodeClass(), annotations: Record<string, string> = {}): EC2NodeClass {
  const hashes = {
    [awsAnnotations.ec2NodeClassHash]: ec2NodeClassHash(nodeClass),
    [awsAnnotations.ec2NodeClassHashVersion]: hashVersion,
  };
  return {
    ...nodeClass,
    metadata: {
      ...nodeClass.metadata,
      generation: 1,
      creationTimestamp: '2024-01-28T15:00:00Z',
      finalizers: [finalizers.ec2NodeClass],
      annotations: { ...hashes, ...annotations },
    },
  };
}

const found = <T>(value: T) => ({ kind: 'found', value }) as const;
const failed = (message: string) => ({ kind: 'failed', error: new Error(message) }) as const;
const imagesFound = (...images: readonly FoundImage[]) => found({ images, foundAt: now });

const seen = (traits: Partial<NodeClassSnapshot> = {}): NodeClassSnapshot => ({
  pace: 'close',
  nodeClass: adopted(),
  claims: [],
  kubernetesVersion: found('1.28'),
  images: imagesFound(anImage('ami-1')),
  subnets: found([
    { id: 'subnet-2', zone: 'us-east-1b', zoneId: 'use1-az2', freeAddresses: 10 },
    { id: 'subnet-1', zone: 'us-east-1a', zoneId: 'use1-az1', freeAddresses: 10 },
    { id: 'subnet-3', zone: 'us-east-1c', zoneId: 'use1-az3', freeAddresses: 200 },
  ]),
  securityGroups: found([
    { id: 'sg-2', name: 'b' },
    { id: 'sg-1', name: 'a' },
  ]),
  capacityReservations: found([]),
  placementGroup: found(undefined),
  instanceProfile: found('profile'),
  validation: { kind: 'notAsked' },
  ...traits,
});

function written(snapshot: NodeClassSnapshot): EC2NodeClass {
  const write = planNodeClass(snapshot, now).actions.find(({ kind }) => kind === 'write');
  if (write?.kind !== 'write') throw new Error('expected a write');
  return write.after;
}

/** As the next turn finds it. */
const afterOneTurn = (traits: Partial<NodeClassSnapshot> = {}): NodeClassSnapshot =>
  seen({ ...traits, nodeClass: written(seen(traits)), validation: found({ kind: 'valid' }) });

const aClaim = (annotations: Record<string, string> = {}): NodeClaim => ({
  metadata: { name: 'default-abcde', creationTimestamp: '2024-01-28T15:00:00Z', annotations },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
});

describe('the status of an EC2NodeClass', () => {
  test('tells rollouts of free addresses where they are few', () => {
    const subnets = (freeAddresses: number) =>
      found([
        { id: 'subnet-1', zone: 'us-east-1a', zoneId: 'use1-az1', freeAddresses },
        { id: 'subnet-2', zone: 'us-east-1b', zoneId: 'use1-az2', freeAddresses: 3 },
      ]);
    const recordOf = (free: number) => {
      const [write] = planNodeClass(seen({ subnets: subnets(free) }), now).actions;
      return write?.kind === 'write' ? write.record?.freeAddresses : 'nothing';
    };
    expect([recordOf(0), recordOf(200), recordOf(8_000)]).toEqual([3, 203, undefined]);
  });

  test('lists subnets with the most room first and groups by id', () => {
    const { status } = written(seen());
    expect(status?.subnets?.map(({ id }) => id)).toEqual(['subnet-3', 'subnet-1', 'subnet-2']);
    expect(status?.securityGroups?.map(({ id }) => id)).toEqual(['sg-1', 'sg-2']);
    expect(status?.amis?.map(({ id }) => id)).toEqual(['ami-1']);
  });

  for (const { fact, selector, group, status, reason } of [
    { fact: 'asks for none', selector: undefined, group: found(undefined), status: 'True', reason: undefined },
    {
      fact: 'finds its group',
      selector: { name: 'racks' },
      group: found({ id: 'pg-1', strategy: 'spread' } as const),
      status: 'True',
      reason: undefined,
    },
    {
      fact: 'finds no group',
      selector: { name: 'racks' },
      group: found(undefined),
      status: 'False',
      reason: 'PlacementGroupNotFound',
    },
    {
      fact: 'gets no answer',
      selector: { id: 'pg-1' },
      group: failed('denied'),
      status: 'Unknown',
      reason: 'AwaitingReconciliation',
    },
  ]) {
    test(`says of its placement group that it ${fact}`, () => {
      const asking = adopted(aNodeClass(selector === undefined ? {} : { placementGroupSelector: selector }));
      const after = written(seen({ nodeClass: asking, placementGroup: group }));
      const condition = conditionOf(after, 'PlacementGroupReady');
      expect(condition?.status).toBe(status);
      if (reason !== undefined) expect(condition?.reason).toBe(reason);
      if (selector !== undefined && status !== 'True') expect(condition?.message).toContain(JSON.stringify(selector));
    });
  }

  test('lists reservations by id, and is looked at again when the first ends', () => {
    const reservation = {
      id: 'cr-1',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      ownerId: '111122223333',
      matchCriteria: 'targeted',
      type: 'default',
      interruptible: false,
      state: 'active',
      endsAt: instant(now + 20_000),
    } as const;
    const snapshot = seen({ capacityReservations: found([reservation]) });
    expect(written(snapshot).status?.capacityReservations).toEqual([
      {
        id: 'cr-1',
        availabilityZone: 'us-east-1a',
        instanceType: 'm5.large',
        instanceMatchCriteria: 'targeted',
        ownerID: '111122223333',
        reservationType: 'default',
        state: 'active',
        endTime: '2024-01-28T16:00:20Z',
      },
    ]);
    expect(planNodeClass(snapshot, now).recheckAt).toBe(reservation.endsAt);
  });

  test('is ready once what was found has been validated', () => {
    expect(isConditionTrue(written(seen()), 'Ready')).toBe(false);
    expect(isConditionTrue(written(afterOneTurn()), 'Ready')).toBe(true);
  });

  for (const { fact, traits, condition, reason } of [
    { fact: 'no image', traits: { images: imagesFound() }, condition: 'AMIsReady', reason: 'AMINotFound' },
    { fact: 'no subnet', traits: { subnets: found([]) }, condition: 'SubnetsReady', reason: 'SubnetsNotFound' },
    {
      fact: 'no security group',
      traits: { securityGroups: found([]) },
      condition: 'SecurityGroupsReady',
      reason: 'SecurityGroupsNotFound',
    },
  ] as const) {
    test(`tells of ${fact} and is not ready`, () => {
      const after = written(afterOneTurn(traits));
      expect(conditionOf(after, condition)).toMatchObject({ status: 'False', reason });
      expect(conditionOf(after, 'Ready')).toMatchObject({ status: 'False', reason: 'UnhealthyDependents' });
    });
  }

  test('keeps what it had when a lookup fails, and the turn fails after the rest is stored', () => {
    const before = afterOneTurn();
    const plan = planNodeClass({ ...before, images: failed('throttled'), subnets: found([]) }, now);
    const [write] = plan.actions;
    if (write?.kind !== 'write') throw new Error('expected a write');
    expect(write.after.status?.amis?.map(({ id }) => id)).toEqual(['ami-1']);
    expect(write.after.status?.subnets).toBeUndefined();
    expect(plan.failures.map(String)).toEqual(['Error: throttled']);
  });

  test('says why there are no images yet when their first lookup fails', () => {
    const after = written(seen({ images: failed('not authorized') }));
    expect(conditionOf(after, 'AMIsReady')).toMatchObject({
      status: 'Unknown',
      message: expect.stringMatching(/^spec\.amiSelectorTerms .*: not authorized$/) as string,
    });
  });

  test('carries the end of an image decision that time changes, and is looked at again then', () => {
    const nodeClass = adopted(aNodeClass({ amiSelectorTerms: [{ name: 'x', minimumAgeDuration: '10d' }] }));
    const images = imagesFound(anImage('ami-old'), anImage('ami-new', { created: '2024-01-18T16:00:30Z' }));
    const plan = planNodeClass(seen({ nodeClass, images }), now);
    const after = written(seen({ nodeClass, images }));
    expect(after.status?.amis?.map(({ id }) => id)).toEqual(['ami-old']);
    const end = after.metadata.annotations?.[nodewrightAnnotations.decisionValidUntil];
    expect(end).toBe('2024-01-28T16:00:30Z');
    expect(plan.recheckAt === undefined ? undefined : toTimestamp(plan.recheckAt)).toBe(end);
  });

  test('loses that end when the decision has none', () => {
    const nodeClass = adopted(aNodeClass(), { [nodewrightAnnotations.decisionValidUntil]: '2024-01-28T15:00:00Z' });
    const annotations = written(seen({ nodeClass })).metadata.annotations ?? {};
    expect(Object.keys(annotations)).not.toContain(nodewrightAnnotations.decisionValidUntil);
  });

  test('is not written before finalizer and hash are', () => {
    expect(planNodeClass(seen({ nodeClass: aNodeClass() }), now).actions.map(({ kind }) => kind)).toEqual(['adopt']);
  });
});

describe('claims hashed another way', () => {
  const takenOver = adopted(aNodeClass(), { [awsAnnotations.ec2NodeClassHashVersion]: 'v6' });
  const migrated = (claim: NodeClaim) => {
    const { actions } = planNodeClass(seen({ nodeClass: takenOver, claims: [claim] }), now);
    return actions.flatMap((action) =>
      action.kind === 'migrateClaim' ? [action.after.metadata.annotations ?? {}] : [],
    );
  };
  const old = aClaim({ [awsAnnotations.ec2NodeClassHash]: '1', [awsAnnotations.ec2NodeClassHashVersion]: 'v6' });

  test('take the present hash', () => {
    const [annotations] = migrated(old);
    expect(annotations?.[awsAnnotations.ec2NodeClassHash]).toBe(ec2NodeClassHash(aNodeClass()));
    expect(annotations?.[awsAnnotations.ec2NodeClassHashVersion]).toBe(hashVersion);
  });

  test('keep their hash when they have drifted', () => {
    const drifted = withCondition(nodeClaimConditions, old, conditionTrue('Drifted', 'AMIDrift', 'AMIDrift'), now);
    expect(migrated(drifted)[0]?.[awsAnnotations.ec2NodeClassHash]).toBe('1');
  });
});

describe('a deleted EC2NodeClass', () => {
  const nodeClass: EC2NodeClass = {
    ...adopted(),
    metadata: { ...adopted().metadata, deletionTimestamp: '2024-01-28T15:59:00Z' },
  };
  const stepsWith = (claims: readonly NodeClaim[]) =>
    planNodeClass(seen({ nodeClass, claims }), now).actions.map(({ kind }) => kind);

  test('waits for its claims', () => {
    expect(stepsWith([aClaim()])).toEqual(['awaitClaims']);
  });

  test('cleans up after them', () => {
    expect(stepsWith([])).toEqual(['cleanUp']);
  });
});
