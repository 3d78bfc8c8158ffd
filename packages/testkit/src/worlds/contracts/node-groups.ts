import { minutes } from '@nodewright/apis';
import type { ManagedGroupPort, ScalingGroup, ScalingGroupPort } from '@nodewright/ports';
import { expect } from 'vitest';
import { abortedBefore, describePort, expectAborted, failureOf, neverAborted } from './cloud-under-test.ts';

type Waiting = { readonly finish: <T>(work: Promise<T>) => Promise<T>; readonly pass: (ms: number) => Promise<void> };

/** An account with the active managed group `workers`, of the release `oldRelease`. */
export type ManagedGroupsUnderTest = Waiting & {
  readonly managedGroups: ManagedGroupPort;
  readonly kubernetesVersion: string;
  readonly newRelease: string;
};

const startUpdateOf = (
  { managedGroups, kubernetesVersion, newRelease, finish }: ManagedGroupsUnderTest,
  token: string,
  group = 'workers',
) => {
  const target = { kind: 'release', kubernetesVersion, release: newRelease } as const;
  return finish(managedGroups.startUpdate({ group, target, force: false, token }, neverAborted));
};

/** The guarantees of `ManagedGroupPort`. */
export const describeManagedGroupContract = (
  name: string,
  createSubject: () => Promise<ManagedGroupsUnderTest> | ManagedGroupsUnderTest,
): void =>
  describePort(`${name}: managed groups`, createSubject, {
    'groups are listed by name and described; another name is undefined': async ({ managedGroups, finish }) => {
      expect(await finish(managedGroups.list(neverAborted))).toEqual(['workers']);
      expect(await finish(managedGroups.describe('workers', neverAborted))).toMatchObject({
        name: 'workers',
        status: 'ACTIVE',
      });
      expect(await finish(managedGroups.describe('others', neverAborted))).toBeUndefined();
    },
    'a group at rest has no update, and an update that is not there is undefined': async ({
      managedGroups,
      finish,
    }) => {
      expect(await finish(managedGroups.updateUnderWay('workers', neverAborted))).toBeUndefined();
      expect(await finish(managedGroups.describeUpdate('workers', 'update-0', neverAborted))).toBeUndefined();
    },
    'an update that was started is under way, and says what it is for': async (subject) => {
      const { managedGroups, finish, newRelease } = subject;
      const outcome = await startUpdateOf(subject, 'token-1');
      if (outcome.kind !== 'started') throw new Error(outcome.message);
      const update = await finish(managedGroups.describeUpdate('workers', outcome.updateId, neverAborted));
      expect(update).toMatchObject({ id: outcome.updateId, status: 'InProgress', errors: [] });
      expect(update?.params['ReleaseVersion']).toBe(newRelease);
      expect(await finish(managedGroups.updateUnderWay('workers', neverAborted))).toEqual(update);
    },
    'the same token is the same update': async (subject) => {
      const first = await startUpdateOf(subject, 'token-1');
      expect(await startUpdateOf(subject, 'token-1')).toEqual(first);
    },
    'a second update waits for the first': async (subject) => {
      await startUpdateOf(subject, 'token-1');
      expect(await startUpdateOf(subject, 'token-2')).toMatchObject({ kind: 'busy' });
      const { managedGroups, finish } = subject;
      const config = { maxUnavailable: 2 };
      const configured = managedGroups.configure({ group: 'workers', config, token: 'token-3' }, neverAborted);
      expect(await finish(configured)).toMatchObject({ kind: 'busy' });
    },
    'an update of a group that is not there is refused': async (subject) => {
      expect(await startUpdateOf(subject, 'token-1', 'others')).toMatchObject({ kind: 'refused' });
      const { managedGroups, finish } = subject;
      const configured = managedGroups.configure({ group: 'others', config: {}, token: 'token-2' }, neverAborted);
      expect(await finish(configured)).toMatchObject({ kind: 'refused' });
    },
    'a configuration is what the group says afterwards': async ({ managedGroups, finish, pass }) => {
      const config = { maxUnavailable: 2 };
      const outcome = await finish(
        managedGroups.configure({ group: 'workers', config, token: 'token-1' }, neverAborted),
      );
      expect(outcome).toMatchObject({ kind: 'started' });
      await pass(minutes(5));
      const group = await finish(managedGroups.describe('workers', neverAborted));
      expect(group).toMatchObject({ status: 'ACTIVE', updateConfig: config });
    },
    'a question that is given up ends': async ({ managedGroups, finish }) => {
      await expectAborted(finish(managedGroups.list(abortedBefore())));
    },
  });

/** An account with the group `workers` of the cluster: three instances in service of at least one, four at most. */
export type ScalingGroupsUnderTest = Waiting & {
  readonly scalingGroups: ScalingGroupPort;
  /** Another image than that of the group. */
  readonly newImage: string;
};

async function describeWorkers({ scalingGroups, finish }: ScalingGroupsUnderTest): Promise<ScalingGroup> {
  const group = await finish(scalingGroups.describe('workers', neverAborted));
  if (group === undefined) throw new Error('there is no group');
  return group;
}

/** Makes a version of the group's template with the new image. */
async function makeVersion(subject: ScalingGroupsUnderTest, token: string): Promise<string> {
  const { template } = await describeWorkers(subject);
  const request = { templateId: template?.id ?? '', sourceVersion: template?.version ?? '', imageId: subject.newImage };
  return subject.finish(subject.scalingGroups.createTemplateVersion({ ...request, token }, neverAborted));
}

/** The guarantees of `ScalingGroupPort`. */
export const describeScalingGroupContract = (
  name: string,
  createSubject: () => Promise<ScalingGroupsUnderTest> | ScalingGroupsUnderTest,
): void =>
  describePort(`${name}: scaling groups`, createSubject, {
    'groups of the cluster are listed, and described; another name is undefined': async (subject) => {
      const { scalingGroups, finish } = subject;
      expect(await finish(scalingGroups.list(neverAborted))).toEqual(['workers']);
      const group = await describeWorkers(subject);
      expect(group).toMatchObject({ name: 'workers', min: 1, max: 4, desired: 3, isOfCluster: true, suspended: [] });
      expect(group.instances.map(({ lifecycle }) => lifecycle)).toEqual(Array(3).fill('InService'));
      expect(await finish(scalingGroups.describe('others', neverAborted))).toBeUndefined();
    },
    'a token makes one version of a template, which leaves the group as it is': async (subject) => {
      const before = await describeWorkers(subject);
      const version = await makeVersion(subject, 'token-1');
      expect(await makeVersion(subject, 'token-1')).toBe(version);
      const { template } = await describeWorkers(subject);
      expect(template).toMatchObject({ version: before.template?.version, imageId: before.template?.imageId });
      expect(template?.versions).toMatchObject({ [subject.newImage]: version });
    },
    'a group launches from the version that it is pointed at': async (subject) => {
      const { scalingGroups, finish, newImage } = subject;
      const version = await makeVersion(subject, 'token-1');
      await finish(scalingGroups.pointAt('workers', version, neverAborted));
      await finish(scalingGroups.pointAt('workers', version, neverAborted));
      const { template } = await describeWorkers(subject);
      expect(template).toMatchObject({ version, imageId: newImage, isPinned: true });
    },
    'a size is what the group says afterwards': async (subject) => {
      const { scalingGroups, finish } = subject;
      await finish(scalingGroups.resize('workers', { max: 5, desired: 4 }, neverAborted));
      expect(await describeWorkers(subject)).toMatchObject({ min: 1, max: 5, desired: 4 });
    },
    'processes are suspended and resumed, and again without harm': async (subject) => {
      const { scalingGroups, finish } = subject;
      for (let count = 0; count < 2; count += 1)
        await finish(scalingGroups.suspend('workers', ['AZRebalance', 'ReplaceUnhealthy'], neverAborted));
      expect((await describeWorkers(subject)).suspended.toSorted()).toEqual(['AZRebalance', 'ReplaceUnhealthy']);
      for (let count = 0; count < 2; count += 1)
        await finish(scalingGroups.resume('workers', ['AZRebalance'], neverAborted));
      expect((await describeWorkers(subject)).suspended).toEqual(['ReplaceUnhealthy']);
    },
    'an instance ends with its place or without, and again without harm': async (subject) => {
      const { scalingGroups, finish } = subject;
      const [first, second] = (await describeWorkers(subject)).instances;
      await finish(scalingGroups.terminate(first?.id ?? '', { decrement: true }, neverAborted));
      expect((await describeWorkers(subject)).desired).toBe(2);
      await finish(scalingGroups.terminate(second?.id ?? '', { decrement: false }, neverAborted));
      await finish(scalingGroups.terminate(second?.id ?? '', { decrement: false }, neverAborted));
      expect((await describeWorkers(subject)).desired).toBe(2);
    },
    'what is not there may be ended, discarded and answered for': async ({ scalingGroups, finish }) => {
      const instanceId = 'i-0fedcba9876543210';
      const hook = { group: 'workers', hook: 'nodewright', instanceId } as const;
      await finish(scalingGroups.terminate(instanceId, { decrement: true }, neverAborted));
      await finish(scalingGroups.discard(instanceId, neverAborted));
      await finish(scalingGroups.answerHook({ ...hook, answer: 'continue' }, neverAborted));
      await finish(scalingGroups.answerHook({ ...hook, answer: 'heartbeat' }, neverAborted));
    },
    'a change of a group that is not there is an error': async ({ scalingGroups, finish }) => {
      await failureOf(finish(scalingGroups.resize('others', { max: 1, desired: 1 }, neverAborted)));
      await failureOf(finish(scalingGroups.pointAt('others', '1', neverAborted)));
      await failureOf(finish(scalingGroups.suspend('others', ['AZRebalance'], neverAborted)));
    },
    'a question that is given up ends': async ({ scalingGroups, finish }) => {
      await expectAborted(finish(scalingGroups.list(abortedBefore())));
    },
  });
