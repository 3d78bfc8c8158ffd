import { toTimestamp, instant } from '@nodewright/apis';
import type { ForecastRelease, Snapshot } from '@nodewright/forecast';
import { InputError } from '../../terminal/exit-status.ts';
import type { ForecastFlags } from './flags.ts';

/**
 * Flags that are well formed and that this cluster has no answer for.
 * @throws InputError with the flag, the value and what would be right
 */
export function refuseUnfitFlags(flags: ForecastFlags, snapshot: Snapshot): void {
  const { at, for: forMs, kubernetesVersion, release = [], updateGroup = [] } = flags;
  if (at !== undefined && at < Date.parse(snapshot.takenAt))
    refuseFlag('at', toTimestamp(instant(at)), `is before the snapshot; it begins at ${snapshot.takenAt}`);
  if (forMs === 0) refuseFlag('for', '0s', 'follows nothing; a duration such as 30m, 24h or 10d is needed');
  if (kubernetesVersion !== undefined) refuseUnfitMinor(kubernetesVersion, snapshot.kubernetesVersion);
  for (const each of release) refuseUnknownFamily(each, snapshot);
  for (const { group } of updateGroup) refuseUnknownGroup(group, snapshot);
}

function refuseFlag(flag: string, value: string, why: string): never {
  throw new InputError(`--${flag} ${value}: ${why}`);
}

/** EKS upgrades a control plane by one minor, and never back. */
function refuseUnfitMinor(wanted: string, present: string): void {
  const [major, minor] = present.split('.').map(Number);
  const next = `${major}.${(minor ?? 0) + 1}`;
  if (wanted === next) return;
  const why = wanted === present ? 'is what the control plane has' : `cannot follow ${present}`;
  refuseFlag('kubernetes-version', wanted, `${why}; EKS upgrades it to ${next}`);
}

/** The builds of a release that comes out are those of the family's releases before. */
function refuseUnknownFamily(
  { family, version }: ForecastRelease,
  { kubernetesVersion, aws: { images } }: Snapshot,
): void {
  const known = images
    .filter((each) => each.kubernetesVersion === kubernetesVersion && each.images.length > 0)
    .flatMap(({ alias }) => alias?.split('@', 1) ?? []);
  if (known.includes(family.toLowerCase())) return;
  refuseFlag(
    'release',
    `${family}=${version}`,
    `the snapshot has no release of ${family} for ${kubernetesVersion}, because no EC2NodeClass and no node group uses it; it has ${known.join(', ')}`,
  );
}

function refuseUnknownGroup(group: string, { aws: { managedGroups = [] } }: Snapshot): void {
  const names = managedGroups.map(({ name }) => name);
  if (names.includes(group)) return;
  const why = names.length === 0 ? 'the cluster has none' : `the cluster has ${names.join(', ')}`;
  refuseFlag('update-group', group, `there is no such managed node group; ${why}`);
}
