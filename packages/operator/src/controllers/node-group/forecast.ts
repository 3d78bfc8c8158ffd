import type { Instant } from '@nodewright/apis';
import { outdatedNodes } from './counts.ts';
import { estimateUpdateSeconds } from './expected-duration.ts';
import { needsOf, obstaclesOf, parallelFor, podsThatMove, surgeFor, updateConfigOfGroup } from './gate.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import type { GroupObstacle } from './obstacle.ts';
import type { QuotaNeed } from './quota.ts';
import { judgeUpdate, type UpdateVerdict } from './verdict.ts';
import { goalOfImage } from './goal.ts';
import { listGroupWarnings } from './warnings.ts';
import { surgeByZone, type ZoneSurge } from './zones.ts';

/** What an update would take, before it is begun. */
export type UpdateForecast = {
  readonly verdict: UpdateVerdict['kind'];
  readonly why: string;
  readonly from: string;
  /** Absent when no image is wanted or may be had. */
  readonly to?: string;
  readonly image?: string;
  readonly strategy: 'DEFAULT' | 'MINIMAL';
  readonly parallel: number;
  readonly nodes: number;
  readonly outdated: number;
  /** Instances of the warm pool that will be launched anew. */
  readonly warm: number;
  /** Instances more than usual, at the peak. */
  readonly surge: number;
  readonly size: { readonly desired: number; readonly max: number };
  readonly peak: { readonly desired: number; readonly max: number };
  readonly zones: readonly ZoneSurge[];
  /** Limits that the surge counts against; none where the instance types are not known. */
  readonly quotas: readonly QuotaNeed[];
  readonly podsToMove: number;
  readonly obstacles: readonly GroupObstacle[];
  readonly warnings: readonly string[];
  readonly expectedSeconds: number;
};

/** The arithmetic of an update. Writes nothing, asks nothing. */
export function forecastUpdate(seen: NodeGroupSnapshot, now: Instant): UpdateForecast {
  const { wanted, scaling, managed } = seen;
  const verdict = judgeUpdate(seen, now);
  const obstacles =
    verdict.kind === 'blocked' ? verdict.obstacles : verdict.kind === 'upToDate' ? [] : obstaclesOf(seen);
  const surge = surgeFor(seen);
  const { desired = seen.nodes.length, max = seen.nodes.length } = scaling ?? {};
  return {
    verdict: verdict.kind,
    why: explainForecast(verdict, obstacles),
    from: managed?.release ?? scaling?.template?.imageId ?? 'unknown',
    ...(wanted.kind === 'image' ? { to: goalOfImage(wanted), image: wanted.image.id } : {}),
    strategy: updateConfigOfGroup(seen).strategy ?? 'DEFAULT',
    parallel: parallelFor(seen),
    nodes: seen.nodes.length,
    outdated: outdatedNodes(seen).length,
    warm: staleWarm(seen),
    surge,
    size: { desired, max },
    peak: { desired: desired + surge, max: max + surge },
    zones: surgeByZone(seen, surge),
    quotas: needsOf(seen),
    podsToMove: podsThatMove(seen).length,
    obstacles,
    warnings: outdatedNodes(seen).length === 0 ? [] : listGroupWarnings(seen),
    expectedSeconds: estimateUpdateSeconds(seen, surge),
  };
}

function staleWarm({ scaling, wanted }: NodeGroupSnapshot): number {
  const image = wanted.kind === 'image' ? wanted.image.id : undefined;
  return image === undefined ? 0 : (scaling?.warm ?? []).filter(({ imageId }) => imageId !== image).length;
}

function explainForecast(verdict: UpdateVerdict, obstacles: readonly GroupObstacle[]): string {
  switch (verdict.kind) {
    case 'watched':
      return 'spec.image is not set';
    case 'noImage':
    case 'mixed':
    case 'wouldGoBack':
    case 'heldByRollout':
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
