import { fromTimestamp, instant, nodewrightAnnotations, type Instant, type NodeGroup, hours } from '@nodewright/apis';
import { outdatedNodes } from './counts.ts';
import { goalOfImage } from './goal.ts';
import { obstaclesOf } from './gate.ts';
import type { GroupObstacle } from './obstacle.ts';
import { instancesToReplace, isOnRestingImage } from './nodes-let-go.ts';
import { ownershipObstacles } from './ownership.ts';
import { compareGroupReleases } from './group-release.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';

type WantedImage = Extract<WantedState, { kind: 'image' }>;

/** Whether the group is to be updated now, and if not, why. */
export type UpdateVerdict =
  | { readonly kind: 'watched' }
  | { readonly kind: 'noImage'; readonly why: string }
  | { readonly kind: 'upToDate' }
  /** The group is on the release, some nodes are not, and a call would change nothing about it. */
  | { readonly kind: 'mixed'; readonly why: string }
  | { readonly kind: 'wouldGoBack'; readonly why: string }
  | { readonly kind: 'notAsked' }
  /** The policy that governs the group has not let it go. */
  | { readonly kind: 'heldByRollout'; readonly why: string }
  | { readonly kind: 'blocked'; readonly obstacles: readonly GroupObstacle[] }
  | { readonly kind: 'later'; readonly at: Instant }
  | { readonly kind: 'go'; readonly wanted: WantedImage };

export function judgeUpdate(seen: NodeGroupSnapshot, now: Instant): UpdateVerdict {
  const { wanted } = seen;
  const foreign = ownershipObstacles(seen);
  if (foreign.length > 0) return { kind: 'blocked', obstacles: foreign };
  if (wanted.kind === 'unspoken') return { kind: 'watched' };
  if (wanted.kind === 'none') return { kind: 'noImage', why: wanted.why };
  if (seen.rollout?.byNode !== undefined) return judgeNodes(seen, wanted, now);
  if (isOnTarget(seen, wanted)) return onTarget(seen);
  const back = wayBack(seen, wanted);
  if (back !== undefined) return { kind: 'wouldGoBack', why: back };
  if (seen.rollout?.isLetGo === false) return { kind: 'heldByRollout', why: seen.rollout.why };
  return judgeReadiness(seen, wanted, now);
}

/** Nodes go one after the other: there are some to replace, or the group is to launch from another image. */
function judgeNodes(seen: NodeGroupSnapshot, wanted: WantedImage, now: Instant): UpdateVerdict {
  const isPointed = isOnRestingImage(seen);
  if (isPointed && isOnTarget(seen, wanted)) return { kind: 'upToDate' };
  if (!isPointed || instancesToReplace(seen).length > 0) return judgeReadiness(seen, wanted, now);
  const obstacles = obstaclesOf(seen);
  if (obstacles.length > 0) return { kind: 'blocked', obstacles };
  return { kind: 'heldByRollout', why: seen.rollout?.why ?? 'the policy has let no node go' };
}

/** Whether the group is ready for the update, whatever a policy says of it. */
function judgeReadiness(seen: NodeGroupSnapshot, wanted: WantedImage, now: Instant): UpdateVerdict {
  const { nodeGroup } = seen;
  if (nodeGroup.spec.update?.mode === 'OnRequest' && !isRequested(nodeGroup)) return { kind: 'notAsked' };
  const obstacles = obstaclesOf(seen);
  if (obstacles.length > 0) return { kind: 'blocked', obstacles };
  const at = retryAt(nodeGroup, goalOfImage(wanted));
  return at !== undefined && at > now && !isRequested(nodeGroup) ? { kind: 'later', at } : { kind: 'go', wanted };
}

/** An update was requested, and none has begun since. */
export const isRequested = ({ metadata, status }: NodeGroup): boolean => {
  const request = metadata.annotations?.[nodewrightAnnotations.upgradeRequest];
  return request !== undefined && request !== status?.servedRequest;
};

/** What the group launches from is the wanted image. */
function isOnTarget({ managed, scaling }: NodeGroupSnapshot, wanted: WantedImage): boolean {
  if (managed !== undefined) return managed.release === goalOfImage(wanted);
  return scaling?.template?.imageId === wanted.image.id && liveImages(scaling).every((id) => id === wanted.image.id);
}

const liveImages = ({ instances, warm }: NonNullable<NodeGroupSnapshot['scaling']>): readonly string[] =>
  [...instances, ...warm].filter(({ lifecycle }) => !lifecycle.includes('Terminat')).map(({ imageId }) => imageId);

function onTarget(seen: NodeGroupSnapshot): UpdateVerdict {
  const left = outdatedNodes(seen).length;
  if (left === 0 || seen.managed === undefined) return { kind: 'upToDate' };
  const why = `the group is on ${seen.managed.release}, but ${left} nodes run another image; EKS replaces none of them by itself`;
  return { kind: 'mixed', why };
}

/** A pointer that was moved back says that the newer release is bad, not that nodes should go back to an older one. */
function wayBack({ managed, scaling }: NodeGroupSnapshot, wanted: WantedImage): string | undefined {
  if (!wanted.isMoving) return undefined;
  const { release, image } = wanted;
  if (managed !== undefined && release !== undefined) {
    if (compareGroupReleases(release, managed.release) >= 0) return undefined;
    return `the wanted release ${release} is older than ${managed.release}; name it in full to go back`;
  }
  const created = scaling?.template?.imageCreatedAt;
  if (created === undefined || image.createdAt >= created) return undefined;
  return `the wanted image ${image.id} is older than ${scaling?.template?.imageId}; name it by id to go back`;
}

const firstUpdatePauseMs = hours(1);
const longestUpdatePauseMs = 24 * firstUpdatePauseMs;

/** After a failure, ever more rarely: 1 h, 2 h, 4 h, a day at most. */
function retryAt({ status }: NodeGroup, target: string): Instant | undefined {
  const history = status?.history ?? [];
  const other = history.findIndex((each) => each.outcome === 'Successful' || each.target !== target);
  const failures = other === -1 ? history.length : other;
  const [last] = history;
  if (last === undefined || failures === 0) return undefined;
  return instant(
    fromTimestamp(last.endedAt) + Math.min(longestUpdatePauseMs, firstUpdatePauseMs * 2 ** (failures - 1)),
  );
}
