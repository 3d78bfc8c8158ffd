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
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import type { Objects } from '../../state/objects.ts';
import type { ClaimDeps } from './claim-deps.ts';

type OutcomeDeps = Pick<ClaimDeps, 'objects' | 'registrations' | 'clock'>;

/**
 * Tells the claim's pool whether it became a node: the pool shows in NodeRegistrationHealthy whether
 * what it launches lately does. It is written before the claim, so that a conflict repeats both.
 */
export async function tellPool(
  { objects, registrations, clock }: OutcomeDeps,
  claim: NodeClaim,
  registered: boolean,
): Promise<void> {
  const pool = findOwningPool(objects, claim);
  if (pool === undefined) return;
  const health = registrations.record(pool, claim.metadata.uid ?? claim.metadata.name, registered);
  const condition = withRegistrationHealth(pool, claim, registered, health);
  if (condition === undefined) return;
  await objects.nodePools.save(pool, withCondition(nodePoolConditions, pool, condition, clock.now()));
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
