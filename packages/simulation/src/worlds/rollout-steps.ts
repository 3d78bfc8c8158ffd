import {
  configMaps,
  disruptionPauses,
  fromTimestamp,
  imageRules,
  instant,
  nodeRolloutPolicies,
  nodeRollouts,
  toTimestamp,
  byNumberOf,
  inReverse,
  minutes,
} from '@nodewright/apis';
import type { ImageRelease } from '@nodewright/aws-endpoints';
import { writeRecordText } from '@nodewright/operator';
import type { SimulatedPolicy, StepAction } from '../histories/history.ts';
import { policyManifest, simulatedPolicyName, upstreamRecord } from '../histories/manifests.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** The policy of the history, new or changed. */
export async function writePolicy({ sandbox: { admin }, time }: SimulatedWorld, plan: SimulatedPolicy): Promise<void> {
  const manifest = policyManifest(plan);
  const there = await time.finish(admin.get(nodeRolloutPolicies, { name: simulatedPolicyName }));
  const write = (): Promise<unknown> =>
    there === undefined
      ? admin.create(nodeRolloutPolicies, manifest)
      : admin.update(nodeRolloutPolicies, { ...there, spec: manifest.spec });
  await time.finish(write());
}

/** A pause of everything, as a person writes it. */
export async function pauseFor(
  { sandbox: { admin }, time, random }: SimulatedWorld,
  { minutes: lengthMinutes, inFlight, only }: Extract<StepAction, { readonly do: 'pause' }>,
): Promise<void> {
  const until = toTimestamp(instant(time.clock.now() + minutes(lengthMinutes)));
  await time.finish(
    admin.create(disruptionPauses, {
      metadata: { name: `pause-${random.nameSuffix(6)}` },
      spec: {
        reason: 'the history says so',
        until,
        inFlight,
        ...(only !== undefined && { scope: { reasons: [...only] } }),
      },
    }),
  );
}

/** What a person asks of the newest rollout that has not ended. */
export async function askOfRollout(
  { sandbox: { admin }, time }: SimulatedWorld,
  request: Extract<StepAction, { readonly do: 'ask' }>['request'],
): Promise<void> {
  const { items } = await time.finish(admin.list(nodeRollouts));
  const [newest] = items
    .filter(({ status }) => status?.endedAt === undefined)
    .toSorted(inReverse(byNumberOf(({ metadata }) => creationOf(metadata.creationTimestamp))));
  if (newest === undefined) return;
  const wave = newest.status?.wave ?? 'all';
  const value = {
    approve: wave,
    'skip-soak': `${wave}=history`,
    halt: 'history',
    resume: 'history',
    rollback: 'history',
  };
  const patch = { metadata: { annotations: { [`nodewright.dev/${request}`]: value[request] } } };
  await time.finish(admin.patch(nodeRollouts, { name: newest.metadata.name }, { type: 'merge', patch }));
}

/** Another cluster tells what came of a release; a spoiled record is one that was changed by hand. */
export async function publishUpstream(
  { sandbox: { admin }, time }: SimulatedWorld,
  builds: readonly ImageRelease[],
  verdict: Extract<StepAction, { readonly do: 'prove' }>['verdict'],
): Promise<void> {
  const at = toTimestamp(time.clock.now());
  const releases = builds.map(({ family, arch, version: release }) => ({
    variant: `${family}/${arch}/none`,
    release,
    completedAt: at,
    nodeHours: 100,
    pods: 10,
    failures: 0,
    verdict: verdict === 'Halted' ? verdict : ('Proven' as const),
  }));
  const record = { cluster: 'staging', policy: simulatedPolicyName, at, releases };
  const text = writeRecordText(record, '', { usualBytes: 100_000, mostBytes: 100_000 });
  const data = { record: verdict === 'Spoiled' ? text.replace('"pods":10', '"pods":11') : text };
  const there = await time.finish(admin.get(configMaps, upstreamRecord));
  const write = (): Promise<unknown> =>
    there === undefined
      ? admin.create(configMaps, { metadata: upstreamRecord, data })
      : admin.update(configMaps, { ...there, data });
  await time.finish(write());
}

/** Then the images that halts have kept out are wanted again. */
export async function deleteHaltRules({ sandbox: { admin }, time }: SimulatedWorld): Promise<void> {
  for (const { metadata } of (await time.finish(admin.list(imageRules))).items)
    if (metadata.name.startsWith('halted-')) await time.finish(admin.delete(imageRules, { name: metadata.name }));
}

const creationOf = (timestamp: string | undefined): number => (timestamp === undefined ? 0 : fromTimestamp(timestamp));
