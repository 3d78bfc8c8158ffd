import { earliest, type Instant, isConditionTrue, type NodeClaim, type NodePool, toTimestamp } from '@nodewright/apis';
import { joinFailuresAnnotation } from '../names.ts';
import { type JoinFailure, joinFailuresOn, timeOfCondition } from './join-failures.ts';
import type { Objects } from './objects.ts';
import { specFingerprint } from './spec-fingerprint.ts';

/** An image that ordinary launches of a pool do not get now, and why, as a clause. */
export type ClosedImage = { readonly image: string; readonly why: string; readonly until?: Instant };

type PoolObjects = Pick<Objects, 'nodeClasses' | 'nodeClaims'>;

/** The failures of a pool that still say something: another spec of pool or class ends them. */
function failuresThatCount({ nodeClasses }: PoolObjects, pool: NodePool): readonly JoinFailure[] {
  if (pool.metadata.annotations?.[joinFailuresAnnotation] === undefined) return [];
  const specs = specFingerprint(pool, nodeClasses.get(pool.spec.template.spec.nodeClassRef.name));
  return joinFailuresOn(pool).filter((failure) => failure.specs === specs);
}

/**
 * Images whose last machines did not join the pool, while the pause after that is not over, or while the one machine is
 * under way that is tried after it.
 */
export function listClosedImages(objects: PoolObjects, pool: NodePool, now: Instant): readonly ClosedImage[] {
  return failuresThatCount(objects, pool).flatMap((failure): ClosedImage[] => {
    const { image, until } = failure;
    if (now < until)
      return [{ image, until, why: `${printJoinFailure(failure)}; the next is tried at ${toTimestamp(until)}` }];
    const trial = objects.nodeClaims.by('nodePool', pool.metadata.name).find((claim) => isTrial(claim, failure));
    if (trial === undefined) return [];
    return [{ image, why: `${printJoinFailure(failure)}; NodeClaim ${trial.metadata.name} tries it again` }];
  });
}

/** When the first of the pauses ends that last now, after each of which one machine tries an image again. */
export const endOfImagePause = (objects: PoolObjects & Pick<Objects, 'nodePools'>, now: Instant): Instant | undefined =>
  earliest(
    ...objects.nodePools
      .list()
      .flatMap((pool) => failuresThatCount(objects, pool).flatMap(({ until }) => (now < until ? [until] : []))),
  );

/** A machine of the image that was launched since its last failure, and has not joined yet. */
const isTrial = (claim: NodeClaim, { image, failedAt }: JoinFailure): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  claim.status?.imageID === image &&
  (timeOfCondition(claim, 'Launched') ?? -Infinity) >= failedAt &&
  !isConditionTrue(claim, 'Registered');

/** Images that one machine alone is to try: the others of the pool wait for what becomes of it. */
export function listImagesToTry(objects: PoolObjects, pool: NodePool, now: Instant): readonly ClosedImage[] {
  return failuresThatCount(objects, pool)
    .filter(({ until }) => now >= until)
    .map((failure) => ({
      image: failure.image,
      why: `${printJoinFailure(failure)}; another NodeClaim tries it first`,
    }));
}

/** `machines of image NAME (ID) did not become nodes in 2 launches, one after the other`. */
export function printJoinFailure({ name, image, attempts }: JoinFailure): string {
  const id = name === image ? image : `${name} (${image})`;
  const launches = attempts === 1 ? 'the last launch' : `${attempts} launches, one after the other`;
  return `machines of image ${id} did not become nodes in ${launches}`;
}
