import { minutes } from '@nodewright/apis';
import { CloudError, type Instance } from '@nodewright/ports';
import { expect } from 'vitest';
import {
  abortedBefore,
  aClaimNamed,
  type CloudUnderTest,
  describePort,
  expectAborted,
  failureOf,
  launchRequestFor,
  neverAborted,
} from './cloud-under-test.ts';

const unknownId = 'aws:///us-east-1a/i-0fedcba9876543210';
const malformedId = 'kind://docker/node';

async function launchClaim(subject: CloudUnderTest, name: string, attempt = 1): Promise<Instance> {
  const { cloud, finish } = subject;
  const request = await launchRequestFor(subject, aClaimNamed(name), attempt);
  const outcome = await finish(cloud.instances.launch(request, neverAborted));
  if (outcome.kind !== 'launched') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.instance;
}

const listIds = async ({ cloud, finish }: CloudUnderTest): Promise<readonly string[]> =>
  (await finish(cloud.instances.list(neverAborted))).map(({ id }) => id);

/** Ends an instance, and waits until it has ended. */
async function endInstance(
  { cloud, finish, pass }: CloudUnderTest,
  { providerId }: Instance,
): Promise<readonly string[]> {
  const first = await finish(cloud.instances.terminate(providerId, neverAborted));
  await pass(minutes(5));
  return [first, await finish(cloud.instances.terminate(providerId, neverAborted))];
}

/** The guarantees of `InstancePort`. */
export const describeInstanceContract = (
  name: string,
  createSubject: () => Promise<CloudUnderTest> | CloudUnderTest,
): void =>
  describePort(`${name}: instances`, createSubject, {
    'a launch is of what was asked for, and carries the tag of its claim': async (subject) => {
      const { cloud, finish, nodeClass } = subject;
      const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] } as const;
      const bought = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] } as const;
      const request = await launchRequestFor(subject, aClaimNamed('a', [zone, bought]));
      const outcome = await finish(cloud.instances.launch(request, neverAborted));
      if (outcome.kind !== 'launched') throw new Error(outcome.message);
      const { instance, instanceType, offering } = outcome;
      expect(instance.providerId).toBe(`aws:///us-east-1b/${instance.id}`);
      expect(instance).toMatchObject({ zone: 'us-east-1b', capacityType: 'spot', instanceType: instanceType.name });
      expect(offering).toMatchObject({ zone: 'us-east-1b', capacityType: 'spot' });
      expect(request.instanceTypes).toContain(instanceType);
      expect(nodeClass.status?.amis?.map(({ id }) => id)).toContain(instance.imageId);
      expect(instance.tags).toMatchObject({ 'karpenter.sh/nodeclaim': 'a' });
    },
    'the same attempt of a claim again is the same instance': async (subject) => {
      const [first, again] = [await launchClaim(subject, 'a'), await launchClaim(subject, 'a')];
      expect(again.id).toBe(first.id);
      expect(await listIds(subject)).toEqual([first.id]);
    },
    'another attempt, or another claim, is another instance': async (subject) => {
      const launched = [
        await launchClaim(subject, 'a'),
        await launchClaim(subject, 'a', 2),
        await launchClaim(subject, 'b'),
      ].map(({ id }) => id);
      expect(new Set(launched).size).toBe(3);
      expect(await listIds(subject)).toEqual(launched.toSorted());
    },
    'a claim that nothing suits is out of capacity, and starts nothing': async (subject) => {
      const { cloud, finish } = subject;
      const nowhere = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1z'] } as const;
      const request = await launchRequestFor(subject, aClaimNamed('a', [nowhere]));
      expect(await finish(cloud.instances.launch(request, neverAborted))).toMatchObject({
        kind: 'insufficientCapacity',
      });
      expect(await listIds(subject)).toEqual([]);
    },
    'a launch without an image starts nothing': async (subject) => {
      const { cloud, finish } = subject;
      const request = { ...(await launchRequestFor(subject, aClaimNamed('a'))), images: [] };
      expect(await finish(cloud.instances.launch(request, neverAborted))).toMatchObject({
        kind: 'insufficientCapacity',
      });
      expect(await listIds(subject)).toEqual([]);
    },
    'a launch that is given up before it begins starts nothing': async (subject) => {
      const { cloud, finish } = subject;
      const request = await launchRequestFor(subject, aClaimNamed('a'));
      await expectAborted(finish(cloud.instances.launch(request, abortedBefore())));
      expect(await listIds(subject)).toEqual([]);
    },
    'an instance is read alone as in the list, and as it was last seen': async (subject) => {
      const { cloud, finish } = subject;
      const { providerId, id } = await launchClaim(subject, 'a');
      const read = await finish(cloud.instances.get(providerId, neverAborted));
      expect(read).toMatchObject({ id, providerId });
      expect(await finish(cloud.instances.list(neverAborted))).toEqual([read]);
      expect(await finish(cloud.instances.lastSeen(providerId, neverAborted))).toEqual(read);
      expect(await finish(cloud.instances.checkPresence(providerId, neverAborted))).toBe('present');
    },
    'what was never there is unknown': async ({ cloud, finish }) => {
      expect(await finish(cloud.instances.get(unknownId, neverAborted))).toBeUndefined();
      expect(await finish(cloud.instances.lastSeen(unknownId, neverAborted))).toBeUndefined();
      expect(await finish(cloud.instances.checkPresence(unknownId, neverAborted))).toBe('unknown');
      expect(await finish(cloud.instances.terminate(unknownId, neverAborted))).toBe('unknown');
    },
    'an id of another provider names no instance': async ({ cloud, finish }) => {
      expect(await finish(cloud.instances.get(malformedId, neverAborted))).toBeUndefined();
      expect(await finish(cloud.instances.checkPresence(malformedId, neverAborted))).toBe('ended');
      expect(await finish(cloud.instances.terminate(malformedId, neverAborted))).toBe('gone');
      await finish(cloud.instances.tag(malformedId, { Name: 'a' }, neverAborted));
    },
    'an end begins once, and is over when it is asked for again': async (subject) => {
      const { cloud, finish } = subject;
      const [ending, staying] = [await launchClaim(subject, 'a'), await launchClaim(subject, 'b')];
      expect(await endInstance(subject, ending)).toEqual(['terminating', 'gone']);
      expect(await finish(cloud.instances.terminate(ending.providerId, neverAborted))).toBe('gone');
      expect(await finish(cloud.instances.get(ending.providerId, neverAborted))).toBeUndefined();
      expect(await finish(cloud.instances.checkPresence(ending.providerId, neverAborted))).toBe('ended');
      expect(await listIds(subject)).toEqual([staying.id]);
    },
    'an instance that is ending is still in the list': async (subject) => {
      const { cloud, finish } = subject;
      const { id, providerId } = await launchClaim(subject, 'a');
      await finish(cloud.instances.terminate(providerId, neverAborted));
      const [ending] = await finish(cloud.instances.list(neverAborted));
      expect(ending).toMatchObject({ id, state: 'shutting-down' });
    },
    'tags are added to those that are there': async (subject) => {
      const { cloud, finish } = subject;
      const { providerId, tags } = await launchClaim(subject, 'a');
      await finish(cloud.instances.tag(providerId, { Name: 'node-a' }, neverAborted));
      await finish(cloud.instances.tag(providerId, { Name: 'node-a' }, neverAborted));
      const read = await finish(cloud.instances.get(providerId, neverAborted));
      expect(read?.tags).toMatchObject({ ...tags, Name: 'node-a' });
    },
    'a tag for what is not there is an error of the cloud': async ({ cloud, finish }) => {
      const error = await failureOf(finish(cloud.instances.tag(unknownId, { Name: 'a' }, neverAborted)));
      expect(error).toBeInstanceOf(CloudError);
      expect(error).toMatchObject({ code: 'InvalidInstanceID.NotFound', retry: 'backOff' });
    },
    'a list that is given up ends': async ({ cloud, finish }) => {
      await expectAborted(finish(cloud.instances.list(abortedBefore())));
    },
  });
