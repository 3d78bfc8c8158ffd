import { conditionOf, type KubernetesObject, type Node, type NodeClaim, seconds } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, objectNames, poolKeysOf, wakeOnChange } from '../../hosting/wake.ts';
import { disruptionCommandAnnotation, replacementFailuresAnnotation } from '../../names.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { Objects } from '../../state/objects.ts';
import type { OpenSeats } from '../../state/open-seats.ts';
import { findPolicySelectingPool } from '../../state/rollout-governance.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import type { RolloutSources } from './observe.ts';
import { rolloutPolicyReconciler } from './reconciler.ts';

/**
 * `noderolloutpolicy` wakes all policies for a policy, NodePool, NodeGroup, ImageRule or DisruptionPause that changes, for
 * a request on a NodeRollout or an answer of its checks, for pods that fail on nodes of a rollout, and for images and groups
 * that are looked at anew: which policy governs an object depends on all of them. The life of a claim, the health of its
 * node and its drift wake the policy of its NodePool alone: a large pool without a policy costs nothing here. News of
 * another cluster wake the policy that asked for them.
 */
export function startRolloutPolicyController(
  host: ControllerHost,
  sources: RolloutSources & { readonly openSeats: OpenSeats },
): Controller {
  const { objects, decisions, findings, evidence, readings, upstream } = sources;
  const policies = startNamed(host, 'noderolloutpolicy', (turn) => rolloutPolicyReconciler({ ...turn, ...sources }), {
    workers: 1,
    gapMs: betweenLooksMs,
  });
  const names = (): readonly string[] => objectNames(objects.rolloutPolicies.list());
  const wakeAll = (): void => {
    for (const name of names()) policies.enqueue(name);
  };
  wakeOnChange(objects.rolloutPolicies, [[policies, names]], isChangedBesideStatus);
  wakeOnChange(
    objects.rollouts,
    [[policies, names]],
    (before, after) =>
      isChangedBesideStatus(before, after) || !isEqualDiffValue(before?.status?.checks, after?.status?.checks),
  );
  wakeOnChange(objects.nodePools, [[policies, names]], isChangedBesideStatus);
  wakeOnChange(objects.nodeGroups, [[policies, names]], isChangedBesideStatus);
  wakeOnChange(objects.imageRules, [[policies, names]], isChangedBesideStatus);
  wakeOnChange(objects.pauses, [[policies, names]], isChangedBesideStatus);
  const policyOfClaim = (claim: NodeClaim): readonly string[] => policiesOfPool(objects, poolKeysOf(claim));
  // A node of a group, or one that has just joined, does not name a NodePool.
  const policiesOfNode = (node: Node): readonly string[] => {
    const pools = poolKeysOf(node);
    return pools.length === 0 ? names() : policiesOfPool(objects, pools);
  };
  wakeOnChange(objects.nodeClaims, [[policies, policyOfClaim]], isAnotherStep);
  wakeOnChange(objects.nodes, [[policies, policiesOfNode]], isAnotherHealth);
  decisions.onRecord(wakeAll);
  readings.onRecord(wakeAll);
  findings.onChange((name) => {
    const claim = objects.nodeClaims.get(name);
    for (const policy of claim === undefined ? [] : policyOfClaim(claim)) policies.enqueue(policy);
  });
  upstream.onChange((policy) => policies.enqueue(policy));
  evidence.onNews(({ rollout }) => {
    if (rollout !== undefined) wakeAll();
  });
  followPods(host, sources);
  return policies;
}

/** A look goes over all nodes of a policy, and while nodes move something changes all the time. */
const betweenLooksMs = seconds(1);

const policiesOfPool = (objects: Objects, [pool = '']: readonly string[]): readonly string[] => {
  const policy = findPolicySelectingPool(objects, pool);
  return policy === undefined ? [] : [policy.metadata.name];
};

/** Pods are counted while there is a policy. When the first policy comes, the pods that are there begin to count. */
function followPods({ clock }: ControllerHost, { objects, evidence, readings }: RolloutSources): void {
  const isCounting = (): boolean => objects.rolloutPolicies.list().length > 0;
  const noteAll = (): void => {
    for (const pod of objects.pods.list()) evidence.notePod(pod);
  };
  if (isCounting()) noteAll();
  // A pod on a node of a group counts once the instances of the group are known.
  readings.onRecord((group) => {
    if (!isCounting()) return;
    for (const { node } of readings.of(group)?.instances ?? [])
      for (const pod of node === undefined ? [] : objects.pods.by('node', node)) evidence.notePod(pod);
  });
  objects.rolloutPolicies.cache.onChange(({ before, after }) => {
    if (before === undefined && after !== undefined) noteAll();
  });
  objects.pods.cache.onChange(({ before, after }) => {
    if (after === undefined && before !== undefined) evidence.notePodEnd(before, clock.now());
    else if (after !== undefined && isCounting()) evidence.notePod(after);
  });
}

/** Status is the controller's own. */
const isChangedBesideStatus = (before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean =>
  isAnotherGeneration(before, after) ||
  before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp ||
  !isEqualDiffValue(before?.metadata.annotations, after?.metadata.annotations) ||
  !isEqualDiffValue(before?.metadata.labels, after?.metadata.labels);

/** A claim came, went, or is a step further on its way. */
const isAnotherStep = (before: NodeClaim | undefined, after: NodeClaim | undefined): boolean =>
  !isEqualDiffValue(stepOfClaim(before), stepOfClaim(after));

const stepOfClaim = (claim: NodeClaim | undefined) =>
  claim && {
    uid: claim.metadata.uid,
    deletedAt: claim.metadata.deletionTimestamp,
    image: claim.status?.imageID,
    rollout: rolloutOfClaim(claim),
    command: claim.metadata.annotations?.[disruptionCommandAnnotation],
    unreplaced: claim.metadata.annotations?.[replacementFailuresAnnotation],
    launched: [conditionOf(claim, 'Launched')?.status, conditionOf(claim, 'Launched')?.message],
    initialized: conditionOf(claim, 'Initialized')?.status,
  };

/** A node came, went, or says something else of itself. Heartbeats are no news. */
const isAnotherHealth = (before: Node | undefined, after: Node | undefined): boolean =>
  !isEqualDiffValue(healthOfNode(before), healthOfNode(after));

const healthOfNode = (node: Node | undefined) =>
  node && {
    uid: node.metadata.uid,
    conditions: (node.status?.conditions ?? []).map(({ type, status }) => [type, status]),
  };
