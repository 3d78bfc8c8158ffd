import { buildNodeClassImageQuery } from '@nodewright/engine';
import { byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import { expect } from 'vitest';
import { abortedBefore, type CloudUnderTest, describePort, expectAborted, neverAborted } from './cloud-under-test.ts';

/** The guarantees of `NodeClassPort`. */
export const describeNodeClassContract = (
  name: string,
  createSubject: () => Promise<CloudUnderTest> | CloudUnderTest,
): void =>
  describePort(`${name}: NodeClasses`, createSubject, {
    'subnets come with most free addresses first, then by id, and each has its zone': async ({
      cloud,
      finish,
      nodeClass,
    }) => {
      const found = await finish(cloud.nodeClasses.subnets(nodeClass, neverAborted));
      expect(found.length).toBeGreaterThan(1);
      expect(found).toEqual(
        found.toSorted(
          inOrder(
            inReverse(byNumberOf(({ freeAddresses }) => freeAddresses)),
            byTextOf(({ id }) => id),
          ),
        ),
      );
      for (const { zone, zoneId } of found)
        expect([zone, zoneId]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    },
    'security groups come by id': async ({ cloud, finish, nodeClass }) => {
      const ids = (await finish(cloud.nodeClasses.securityGroups(nodeClass, neverAborted))).map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).toEqual([...new Set(ids)].toSorted());
    },
    'images come with their term and the time of the lookup, and a question again has the same answer': async ({
      cloud,
      finish,
      nodeClass,
    }) => {
      const query = buildNodeClassImageQuery(nodeClass, '1.28');
      const first = await finish(cloud.nodeClasses.images(query, neverAborted));
      const again = await finish(cloud.nodeClasses.images(query, neverAborted));
      expect(first.images.length).toBeGreaterThan(0);
      expect(again.images).toEqual(first.images);
      expect(again.foundAt).toBeGreaterThanOrEqual(first.foundAt);
      for (const { term } of first.images) expect(query.terms[term]).toBeDefined();
    },
    'without selectors there is neither a reservation nor a placement group': async ({ cloud, finish, nodeClass }) => {
      expect(await finish(cloud.nodeClasses.capacityReservations(nodeClass, neverAborted))).toEqual([]);
      expect(await finish(cloud.nodeClasses.placementGroup(nodeClass, neverAborted))).toBeUndefined();
    },
    'the profile of a role is made once, and keeps its name': async ({ cloud, finish, nodeClass }) => {
      const made = await finish(cloud.nodeClasses.ensureInstanceProfile(nodeClass, neverAborted));
      expect(made).not.toBe('');
      expect(await finish(cloud.nodeClasses.ensureInstanceProfile(nodeClass, neverAborted))).toBe(made);
    },
    'a profile that the NodeClass names is taken as it is': async ({ cloud, finish, nodeClass }) => {
      const { role: _role, ...spec } = nodeClass.spec;
      const named = { ...nodeClass, spec: { ...spec, instanceProfile: 'my-profile' } };
      expect(await finish(cloud.nodeClasses.ensureInstanceProfile(named, neverAborted))).toBe('my-profile');
    },
    'a NodeClass that EC2 would run is valid': async ({ cloud, finish, nodeClass }) => {
      expect(await finish(cloud.nodeClasses.validate(nodeClass, [], neverAborted))).toEqual({ kind: 'valid' });
    },
    'a clean-up may come again, and before anything was made': async ({ cloud, finish, nodeClass }) => {
      await finish(cloud.nodeClasses.cleanUp(nodeClass, neverAborted));
      await finish(cloud.nodeClasses.ensureInstanceProfile(nodeClass, neverAborted));
      await finish(cloud.nodeClasses.cleanUp(nodeClass, neverAborted));
      await finish(cloud.nodeClasses.cleanUp(nodeClass, neverAborted));
    },
    'a lookup that is given up ends': async ({ cloud, finish, nodeClass }) => {
      const unseen = { ...nodeClass, spec: { ...nodeClass.spec, subnetSelectorTerms: [{ id: 'subnet-0' }] } };
      await expectAborted(finish(cloud.nodeClasses.subnets(unseen, abortedBefore())));
    },
  });
