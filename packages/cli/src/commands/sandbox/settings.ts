import type { Instant } from '@nodewright/apis';
import { type Random, seededRandom } from '@nodewright/runtime';
import { InputError } from '../../terminal/exit-status.ts';
import type { Ports } from '../../world/endpoints.ts';
import type { Identity } from '../../world/sandbox-home.ts';
import type { SandboxFlags } from './flags.ts';

/** What this start of a sandbox is. */
export type Settings = Pick<Identity, 'clusterName' | 'region' | 'zones' | 'seed' | 'starts'>;

/**
 * The settings of the first start last; the flags make them.
 * @throws InputError when a flag asks for what a data directory is not
 */
export function sandboxSettings(flags: SandboxFlags, identity: Identity | undefined): Settings {
  const { clusterName = 'sandbox', region = 'us-east-1', seed = 1 } = flags;
  const zones = flags.zones ?? ['a', 'b', 'c'].map((letter) => `${region}${letter}`);
  const elsewhere = identity === undefined ? zones.find((zone) => regionOfZone(zone) !== region) : undefined;
  if (elsewhere !== undefined)
    throw new InputError(`--zones: ${elsewhere} is no zone of the region ${region}; zones are named as ${region}a`);
  if (identity === undefined) return { clusterName, region, zones, seed, starts: 1 };
  for (const [flag, field] of lasting) {
    const [asked, is] = [flags[field]?.toString(), identity[field].toString()];
    if (asked !== undefined && asked !== is)
      throw new InputError(
        `${flag} is ${asked}, but the sandbox in --data-dir has ${is}; leave the flag out, or choose another directory`,
      );
  }
  return { ...identity, starts: identity.starts + 1 };
}

/** Of `us-east-1a` and of the local zone `us-east-1-bos-1a`. */
const regionOfZone = (zone: string): string => zone.slice(0, -1).replace(/-[a-z]{3}-\d$/, '');

const lasting = [
  ['--cluster-name', 'clusterName'],
  ['--region', 'region'],
  ['--zones', 'zones'],
  ['--seed', 'seed'],
] as const;

/** The ports of an earlier start, unless others are asked for. */
export const sandboxPorts = ({ kubernetesPort, awsPort }: SandboxFlags, identity: Identity | undefined): Ports => ({
  kubernetes: kubernetesPort === 0 ? (identity?.ports.kubernetes ?? 0) : kubernetesPort,
  aws: awsPort === 0 ? (identity?.ports.aws ?? 0) : awsPort,
  control: identity?.ports.control ?? 0,
});

/** Each start has a chance of its own: what the one before drew is taken. */
export const randomOf = ({ seed, starts }: Settings): Random => seededRandom(starts === 1 ? seed : `${seed}/${starts}`);

/** With time that runs faster than the wall's, ages seen by real clients must never be negative. */
const defaultStart = Date.parse('2024-01-28T16:00:00Z');

/**
 * When the clock begins, in milliseconds: never before what has happened already.
 * A scenario has its own beginning, at every speed.
 * @param earliest from when on the cluster's minor has images; counts where no start time is given
 */
export function sandboxStart(
  { startTime, speed, scenario }: SandboxFlags,
  last: Instant | undefined,
  earliest = 0,
): number {
  const past = scenario ? Date.parse(scenario.startTime) : Math.min(Math.max(defaultStart, earliest), Date.now());
  const wanted = startTime ?? (speed === 1 && scenario === undefined ? Date.now() : (last ?? past));
  return Math.max(wanted, last ?? wanted);
}

/** How the sandbox's AWS does what its documents leave open, or what an account is spared. */
export const updateChoices = ({
  onUpdateFailure: onFailure,
  nodeSkew,
  updateQuiet: updateQuietMs,
  throttle,
  catalogue,
}: SandboxFlags) => ({
  ...(onFailure && { onFailure }),
  ...(nodeSkew && { nodeSkew }),
  ...(updateQuietMs !== undefined && { updateQuietMs }),
  ...(throttle && { throttle }),
  ...(catalogue && { catalogue }),
});
