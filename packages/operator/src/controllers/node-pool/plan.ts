import {
  conditionFalse,
  conditionOf,
  conditionTrue,
  isConditionTrue,
  karpenterAnnotations,
  minutes,
  nodePoolConditions,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import { hashVersion, nodePoolHash, toResourceList, type Resources } from '@nodewright/engine';
import { isHealthOutdated, withCurrentHealth } from './registration-health.ts';
import { poolComplaints } from './validation.ts';

export type PoolSnapshot = {
  readonly nodePool: NodePool;
  readonly nodeClass: EC2NodeClass | undefined;
  readonly claims: readonly NodeClaim[];
  /** The sum of the resources of its nodes that stay. */
  readonly used: Resources;
};

export type PoolAction =
  | { readonly kind: 'migrateClaim'; readonly claim: NodeClaim; readonly after: NodeClaim; readonly because: string }
  | { readonly kind: 'forgetRegistrations'; readonly because: string }
  | { readonly kind: 'write'; readonly after: NodePool; readonly because: string };

const forgetRegistrations: PoolAction = {
  kind: 'forgetRegistrations',
  because: 'the pool or its class is another than the one they tell of',
};

/** Keeps a NodePool's hash, usage and readiness; claims hashed by another formula come first. */
export function planNodePool(seen: PoolSnapshot, now: Instant): readonly PoolAction[] {
  const { nodePool } = seen;
  if (nodePool.metadata.deletionTimestamp !== undefined) return [];
  const conditions = [validationCondition(nodePool), nodeClassReadiness(seen)];
  const begun = withInitialConditions(nodePoolConditions, withCounts(hashed(nodePool), seen.used), now);
  const evaluated = conditions.reduce(
    (pool, condition) => withCondition(nodePoolConditions, pool, condition, now),
    begun,
  );
  const after = withCurrentHealth(evaluated, { before: nodePool, nodeClass: seen.nodeClass, now });
  const forget = isHealthOutdated(nodePool, seen.nodeClass) ? [forgetRegistrations] : [];
  return [...planPoolMigrations(seen), ...forget, { kind: 'write', after, because: 'this is what the pool is now' }];
}

const { nodePoolHash: hashKey, nodePoolHashVersion: versionKey } = karpenterAnnotations;

function hashed(nodePool: NodePool): NodePool {
  const hashes = { [hashKey]: nodePoolHash(nodePool), [versionKey]: hashVersion };
  const annotations = { ...nodePool.metadata.annotations, ...hashes };
  return { ...nodePool, metadata: { ...nodePool.metadata, annotations } };
}

/** A claim that has drifted keeps its old hash: another formula must not make it current again. */
function planPoolMigrations({ nodePool, claims }: PoolSnapshot): readonly PoolAction[] {
  if (nodePool.metadata.annotations?.[versionKey] === hashVersion) return [];
  return claims
    .filter(({ metadata }) => metadata.annotations?.[versionKey] !== hashVersion)
    .map((claim) => {
      const taken = conditionOf(claim, 'Drifted') === undefined ? { [hashKey]: nodePoolHash(nodePool) } : {};
      const annotations = { ...claim.metadata.annotations, ...taken, [versionKey]: hashVersion };
      const after = { ...claim, metadata: { ...claim.metadata, annotations } };
      return { kind: 'migrateClaim', claim, after, because: `hashes are of version ${hashVersion} now` };
    });
}

const nothingUsed: Resources = { cpu: 0, memory: 0, pods: 0, 'ephemeral-storage': 0, nodes: 0 };

function withCounts(nodePool: NodePool, used: Resources): NodePool {
  const resources = { ...nothingUsed, ...nonZeroAmounts(used) };
  const count = resources['nodes'] ?? 0;
  return { ...nodePool, status: { ...nodePool.status, resources: toResourceList(resources), nodes: count } };
}

const nonZeroAmounts = (amounts: Resources): Resources =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

function validationCondition(nodePool: NodePool): ConditionUpdate {
  const complaints = poolComplaints(nodePool);
  return complaints.length === 0
    ? conditionTrue('ValidationSucceeded')
    : conditionFalse('ValidationSucceeded', 'NodePoolValidationFailed', complaints.join('; '));
}

function nodeClassReadiness({ nodePool, nodeClass }: PoolSnapshot): ConditionUpdate {
  const { name } = nodePool.spec.template.spec.nodeClassRef;
  const not = (reason: string, message: string): ConditionUpdate => conditionFalse('NodeClassReady', reason, message);
  if (nodeClass === undefined) return not('NodeClassNotFound', `NodeClass not found on cluster: ${name}`);
  if (nodeClass.metadata.deletionTimestamp !== undefined)
    return not('NodeClassTerminating', `NodeClass is Terminating: ${name}`);
  const ready = conditionOf(nodeClass, 'Ready');
  if (isConditionTrue(nodeClass, 'Ready')) return conditionTrue('NodeClassReady');
  return ready?.status === 'False'
    ? not(ready.reason ?? 'NodeClassNotReady', ready.message ?? '')
    : not('NodeClassReadinessUnknown', `Node Class Readiness Unknown: ${name}`);
}

/** How long a class may be missing before it is reported, and how often at most after that: a pool may come before its class. */
export const toleratedUnresolvedMs = minutes(1);

/** Whether the pool refers to a class that is not there, or is going. */
export const isPoolWithoutClass = ({ nodePool, nodeClass }: PoolSnapshot): boolean =>
  nodePool.metadata.deletionTimestamp === undefined &&
  (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined);
