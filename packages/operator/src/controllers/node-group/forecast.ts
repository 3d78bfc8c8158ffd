import type { Instant } from '@nodewright/apis';
import { outdatedNodes } from './counts.ts';
import { type Obstacle, obstaclesOf, parallelFor, podsThatMove, surgeFor, updateConfigOf } from './gate.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { judge, targetOf, type Verdict } from './verdict.ts';

/** What an update would take, before it is begun. */
export type UpdateForecast = {
  readonly verdict: Verdict['kind'];
  readonly why: string;
  readonly from: string;
  /** Absent when no image is wanted or may be had. */
  readonly to?: string;
  readonly image?: string;
  readonly strategy: 'DEFAULT' | 'MINIMAL';
  readonly parallel: number;
  readonly nodes: number;
  readonly outdated: number;
  /** Instances more than usual, at the peak. */
  readonly surge: number;
  readonly size: { readonly desired: number; readonly max: number };
  readonly peak: { readonly desired: number; readonly max: number };
  readonly zones: readonly {
    readonly zone: string;
    readonly nodes: number;
    readonly surge: number;
    readonly freeAddresses: number;
  }[];
  readonly podsToMove: number;
  readonly obstacles: readonly Obstacle[];
  readonly warnings: readonly string[];
  readonly expectedSeconds: number;
};

/** The arithmetic of an update. Writes nothing, asks nothing. */
export function forecastUpdate(seen: NodeGroupSnapshot, now: Instant): UpdateForecast {
  const { wanted, scaling, managed } = seen;
  const verdict = judge(seen, now);
  const obstacles = verdict.kind === 'upToDate' ? [] : obstaclesOf(seen);
  const surge = surgeFor(seen);
  const { desired = seen.nodes.length, max = seen.nodes.length } = scaling ?? {};
  return {
    verdict: verdict.kind,
    why: whyOf(verdict, obstacles),
    from: managed?.release ?? scaling?.template?.imageId ?? 'unknown',
    ...(wanted.kind === 'image' ? { to: targetOf(wanted), image: wanted.image.id } : {}),
    strategy: updateConfigOf(seen).strategy ?? 'DEFAULT',
    parallel: parallelFor(seen),
    nodes: seen.nodes.length,
    outdated: outdatedNodes(seen).length,
    surge,
    size: { desired, max },
    peak: { desired: desired + surge, max: max + surge },
    zones: zonesOf(seen, surge),
    podsToMove: podsThatMove(seen).length,
    obstacles,
    warnings: warningsOf(seen),
    expectedSeconds: expectedSeconds(seen, surge),
  };
}

function whyOf(verdict: Verdict, obstacles: readonly Obstacle[]): string {
  switch (verdict.kind) {
    case 'watched':
      return 'spec.image is not set';
    case 'noImage':
    case 'mixed':
    case 'wouldGoBack':
      return verdict.why;
    case 'upToDate':
      return 'every node is on the target';
    case 'notAsked':
      return obstacles.length === 0
        ? 'it would begin when `nodewright nodegroup upgrade` asks for it'
        : obstacles.map(({ message }) => message).join('; ');
    case 'blocked':
      return obstacles.map(({ message }) => message).join('; ');
    case 'later':
      return `the last update failed; next try at ${new Date(verdict.at).toISOString()}`;
    case 'go':
      return 'nothing speaks against it';
  }
}

/** The surge is spread by the service; at most so many may come per zone. */
function zonesOf({ scaling }: NodeGroupSnapshot, surge: number): UpdateForecast['zones'] {
  const zones = scaling?.zones ?? [];
  return zones.map((zone) => ({
    zone,
    nodes: scaling?.instances.filter((instance) => instance.zone === zone).length ?? 0,
    surge: Math.ceil(surge / zones.length),
    freeAddresses: (scaling?.subnets ?? [])
      .filter((subnet) => subnet.zone === zone)
      .reduce((sum, { freeAddresses }) => sum + freeAddresses, 0),
  }));
}

function warningsOf(seen: NodeGroupSnapshot): readonly string[] {
  const { scaling, nodes } = seen;
  const { strategy } = updateConfigOf(seen);
  const tolerant = podsThatMove(seen).filter(({ toleratesEverything }) => toleratesEverything);
  const short = zonesOf(seen, surgeFor(seen)).filter((zone) => zone.freeAddresses < zone.surge);
  const autoscaled = Object.keys(scaling?.tags ?? {}).some((tag) => tag.startsWith('k8s.io/cluster-autoscaler/'));
  return [
    ...(strategy === 'DEFAULT' &&
    (scaling?.zones.length ?? 0) > 1 &&
    scaling?.suspended.includes('AZRebalance') === true
      ? ['AZRebalance is suspended: a zone with old nodes may get no new one, and the update then fails']
      : []),
    ...short.map(({ zone, surge, freeAddresses }) => `${zone} may need ${surge} addresses and has ${freeAddresses}`),
    ...(strategy === 'MINIMAL' && nodes.length > 0 && parallelFor(seen) >= nodes.length
      ? ['as many nodes go at once as there are: the group may be empty for a while']
      : []),
    ...tolerant.map(
      ({ namespace, name }) => `pod ${namespace}/${name} tolerates every taint and may come back to its node`,
    ),
    ...(scaling?.isRefreshing === 'unknown'
      ? ['the endpoint does not tell whether an instance refresh is under way; none may be']
      : []),
    ...(autoscaled ? ['Cluster Autoscaler knows the group: if it raises it meanwhile, the larger size stays'] : []),
  ];
}

const minute = 60;

/** Launch and join, then each batch drained, settled and ended, then one step down for each instance too many. */
function expectedSeconds(seen: NodeGroupSnapshot, surge: number): number {
  const outdated = outdatedNodes(seen).length;
  if (outdated === 0) return 0;
  const batches = Math.ceil(outdated / parallelFor(seen));
  const isMinimal = updateConfigOf(seen).strategy === 'MINIMAL';
  const perBatch = isMinimal ? 6 * minute : 3 * minute;
  return minute + (isMinimal ? 0 : 5 * minute) + batches * perBatch + surge * minute;
}
