import {
  disruptionPauses,
  fromTimestamp,
  instant,
  nodeRolloutPolicies,
  nodeRollouts,
  toTimestamp,
  byNumberOf,
  inReverse,
  minutes,
} from '@nodewright/apis';
import type { SimulatedPolicy, StepAction } from '../histories/history.ts';
import { policyManifest, simulatedPolicyName } from '../histories/manifests.ts';
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
  { minutes: lengthMinutes, inFlight }: Extract<StepAction, { readonly do: 'pause' }>,
): Promise<void> {
  const until = toTimestamp(instant(time.clock.now() + minutes(lengthMinutes)));
  await time.finish(
    admin.create(disruptionPauses, {
      metadata: { name: `pause-${random.nameSuffix(6)}` },
      spec: { reason: 'the history says so', until, inFlight },
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

const creationOf = (timestamp: string | undefined): number => (timestamp === undefined ? 0 : fromTimestamp(timestamp));
