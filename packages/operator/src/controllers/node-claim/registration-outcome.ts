import {
  conditionFalse,
  conditionOf,
  conditionTrue,
  isConditionFalse,
  isConditionTrue,
  nodePoolConditions,
  nodePools,
  withCondition,
  type ConditionUpdate,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import { type JoinFailure, joinFailuresOn, nextJoinFailure, withJoinFailures } from '../../state/join-failures.ts';
import type { Objects } from '../../state/objects.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';
import type { ClaimDeps } from './claim-deps.ts';

type OutcomeDeps = Pick<ClaimDeps, 'objects' | 'registrations' | 'clock'>;

/**
 * Tells the claim's pool whether it became a node: the pool shows in NodeRegistrationHealthy whether
 * what it launches lately does, and remembers images whose machines do not join. It is written before the claim, so that a conflict repeats both.
 */
export async function tellPool(
  { objects, registrations, clock }: OutcomeDeps,
  claim: NodeClaim,
  registered: boolean,
): Promise<ToldPool> {
  const pool = findOwningPool(objects, claim);
  if (pool === undefined) return {};
  const health = registrations.record(pool, claim.metadata.uid ?? claim.metadata.name, registered);
  const condition = withRegistrationHealth(pool, claim, registered, health);
  const joins = registered ? afterJoin(pool, claim) : afterFailedJoin(objects, pool, claim, clock.now());
  const told =
    condition === undefined ? joins.pool : withCondition(nodePoolConditions, joins.pool, condition, clock.now());
  if (told !== pool) await objects.nodePools.save(pool, told);
  return joins.failure === undefined ? {} : { joinFailure: { pool, failure: joins.failure } };
}

/** What people should know of it: the image of the claim does not join the pool. */
export type ToldPool = { readonly joinFailure?: { readonly pool: NodePool; readonly failure: JoinFailure } };

type PoolAfterLaunch = { readonly pool: NodePool; readonly failure?: JoinFailure };

/** A machine that joins clears what was held against its image. */
const afterJoin = (pool: NodePool, { status }: NodeClaim): PoolAfterLaunch => {
  const known = joinFailuresOn(pool);
  const left = known.filter(({ image }) => image !== status?.imageID);
  return { pool: left.length === known.length ? pool : withJoinFailures(pool, left) };
};

/** Machines of a rollout are judged by its seats: they hold nothing against other launches. */
function afterFailedJoin(
  { nodeClaims, nodeClasses }: OutcomeDeps['objects'],
  pool: NodePool,
  claim: NodeClaim,
  now: Instant,
): PoolAfterLaunch {
  if (rolloutOfClaim(claim) !== undefined) return { pool };
  const nodeClass = nodeClasses.get(claim.spec.nodeClassRef.name);
  const image = claim.status?.imageID ?? '';
  const known = joinFailuresOn(pool);
  const failure = nextJoinFailure(known, {
    claim,
    name: nodeClass?.status?.amis?.find(({ id }) => id === image)?.name ?? image,
    specs: specFingerprint(pool, nodeClass),
    others: nodeClaims.by('nodePool', pool.metadata.name),
    now,
  });
  if (failure === undefined) return { pool };
  const others = known.filter((each) => each.image !== image);
  return { pool: withJoinFailures(pool, [...others, failure]), failure };
}

/** A success shows only what is healthy, a failure only what is not; `undefined` when nothing is to be shown. */
function withRegistrationHealth(
  pool: NodePool,
  claim: NodeClaim,
  registered: boolean,
  health: 'unknown' | 'healthy' | 'unhealthy',
): ConditionUpdate | undefined {
  if (registered) return health === 'healthy' ? conditionTrue('NodeRegistrationHealthy') : undefined;
  if (health !== 'unhealthy' || isConditionFalse(pool, 'NodeRegistrationHealthy')) return undefined;
  const launched = conditionOf(claim, 'Launched');
  return isConditionTrue(claim, 'Launched')
    ? conditionFalse(
        'NodeRegistrationHealthy',
        'RegistrationFailed',
        'Failed to register node: instances were launched and did not become nodes',
      )
    : conditionFalse('NodeRegistrationHealthy', launched?.reason ?? 'LaunchFailed', launched?.message ?? '');
}

/** The pool that made the claim, unless it is another one of the same name by now. */
function findOwningPool(objects: Objects, { metadata }: NodeClaim): NodePool | undefined {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === nodePools.kind);
  const pool = owner === undefined ? undefined : objects.nodePools.get(owner.name);
  return pool?.metadata.uid === owner?.uid ? pool : undefined;
}
