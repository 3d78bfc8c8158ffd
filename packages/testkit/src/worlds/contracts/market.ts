import { karpenterLabels, minutes } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { CloudError } from '@nodewright/ports';
import { expect } from 'vitest';
import {
  abortedBefore,
  type CloudUnderTest,
  describePort,
  expectAborted,
  failureOf,
  neverAborted,
} from './cloud-under-test.ts';

const listTypes = ({ cloud, finish, nodeClass }: CloudUnderTest): Promise<readonly InstanceType[]> =>
  finish(cloud.instanceTypes.list(nodeClass, neverAborted));

/** `m5.large us-east-1a spot`, of all that can be bought. */
const offersIn = (types: readonly InstanceType[]): readonly string[] =>
  types.flatMap(({ name, offerings }) =>
    offerings.filter(({ available }) => available).map(({ zone, capacityType }) => `${name} ${zone} ${capacityType}`),
  );

/** The guarantees of `InstanceTypePort` and `CapacityPort`. */
export const describeMarketContract = (
  name: string,
  createSubject: () => Promise<CloudUnderTest> | CloudUnderTest,
): void =>
  describePort(`${name}: instance types`, createSubject, {
    'the types are sorted by name, and each says what it needs and has': async (subject) => {
      const types = await listTypes(subject);
      const names = types.map((type) => type.name);
      expect(names.length).toBeGreaterThan(1);
      expect(names).toEqual([...new Set(names)].toSorted());
      for (const { requirements, capacity, offerings } of types) {
        expect(requirements.has(karpenterLabels.capacityType)).toBe(true);
        expect(capacity['cpu']).toBeGreaterThan(0);
        for (const { priceMicroUsdPerHour } of offerings) expect(priceMicroUsdPerHour).toBeGreaterThan(0);
      }
    },
    'the list is the same object as long as nothing changed': async (subject) => {
      expect(await listTypes(subject)).toBe(await listTypes(subject));
    },
    'spot capacity that is taken back is not offered for three minutes; all else is': async (subject) => {
      const { cloud, pass } = subject;
      const before = offersIn(await listTypes(subject));
      const [instanceType = '', zone = ''] = before.find((offer) => offer.endsWith(' spot'))?.split(' ') ?? [];
      cloud.capacity.spotTakenBack({ instanceType, zone });
      const taken = offersIn(await listTypes(subject));
      expect(taken).toEqual(before.filter((offer) => offer !== `${instanceType} ${zone} spot`));
      await pass(minutes(3));
      expect(offersIn(await listTypes(subject))).toEqual(before);
    },
    'types are named without a NodeClass: sorted, each once, at the prices that a NodeClass gets them for': async (
      subject,
    ) => {
      const { cloud, finish } = subject;
      const listed = await listTypes(subject);
      const [first, second] = listed.filter(({ offerings }) => offerings.some(({ available }) => available));
      if (first === undefined || second === undefined) throw new Error('fewer than two types can be bought');
      const asked = [second.name, first.name, second.name, 'x0.nano'];
      const named = await finish(cloud.instanceTypes.named(asked, neverAborted));
      expect(named.map(({ name }) => name)).toEqual([first.name, second.name]);
      expect(named[0]?.vcpus).toBe((first.capacity['cpu'] ?? 0) / 1000);
      for (const { zone, capacityType, priceMicroUsdPerHour, available } of first.offerings)
        if (available)
          expect(named[0]?.offerings).toContainEqual(
            expect.objectContaining({ zone, capacityType, priceMicroUsdPerHour, available }),
          );
    },
    'spot capacity that is taken back is not offered among named types either': async (subject) => {
      const { cloud, finish } = subject;
      const offers = offersIn(await listTypes(subject));
      const [instanceType = '', zone = ''] = offers.find((offer) => offer.endsWith(' spot'))?.split(' ') ?? [];
      const offersSpot = async (): Promise<boolean> =>
        (await finish(cloud.instanceTypes.named([instanceType], neverAborted))).some(({ offerings }) =>
          offerings.some((each) => each.zone === zone && each.capacityType === 'spot' && each.available),
        );
      expect(await offersSpot()).toBe(true);
      cloud.capacity.spotTakenBack({ instanceType, zone });
      expect(await offersSpot()).toBe(false);
    },
    'a NodeClass without subnets has no types yet': async ({ cloud, finish, nodeClass }) => {
      const unresolved = { ...nodeClass, status: { ...nodeClass.status, subnets: [] } };
      const error = await failureOf(finish(cloud.instanceTypes.list(unresolved, neverAborted)));
      expect(error).toBeInstanceOf(CloudError);
      expect(error).toMatchObject({ code: 'SubnetsNotResolved', retry: 'backOff' });
    },
  });

/** A cloud in which a test makes reservations of capacity. */
export type ReservationsUnderTest = CloudUnderTest & {
  /** @returns the id of a reservation of the account */
  readonly reserve: () => Promise<string>;
};

/** The guarantees of `ReservationPort`, `ControlPlanePort` and `InstanceHealthPort`. */
export const describeAccountContract = (
  name: string,
  createSubject: () => Promise<ReservationsUnderTest> | ReservationsUnderTest,
): void =>
  describePort(`${name}: the account`, createSubject, {
    'reservations come by id, each once, without those that are not there': async ({ cloud, finish, reserve }) => {
      const ids = [await reserve(), await reserve()].toSorted();
      const asked = [...ids.toReversed(), ...ids, 'cr-0fedcba9876543210'];
      const found = await finish(cloud.capacityReservations.named(asked, neverAborted));
      expect(found.map(({ id }) => id)).toEqual(ids);
    },
    'of no reservations there are none': async ({ cloud, finish }) => {
      expect(await finish(cloud.capacityReservations.named([], neverAborted))).toEqual([]);
    },
    'the version of the control plane is its minor': async ({ cloud, finish }) => {
      expect(await finish(cloud.controlPlane.kubernetesVersion(neverAborted))).toMatch(/^1\.\d+$/);
    },
    'no instance is unhealthy in an account without any': async ({ cloud, finish }) => {
      expect(await finish(cloud.instanceHealth.unhealthy(neverAborted))).toEqual([]);
    },
    'a lookup that is given up ends': async ({ cloud, finish }) => {
      await expectAborted(finish(cloud.instanceHealth.unhealthy(abortedBefore())));
    },
  });
