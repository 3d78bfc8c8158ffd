import type { NodePool, NodeRolloutPolicy } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import {
  claimsOfPools,
  claimsWith,
  isAnotherGeneration,
  objectNames,
  ownName,
  wakeOnChange,
} from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { DriftFindings } from '../../state/drift-findings.ts';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import type { InstanceNews } from '../../state/instance-news.ts';
import type { Objects } from '../../state/objects.ts';
import { driftReconciler } from './reconciler.ts';

type DriftWatchSources = {
  readonly objects: Objects;
  readonly decisions: ImageDecisions;
  readonly instanceNews: InstanceNews;
  readonly findings: DriftFindings;
};

/**
 * `nodeclaim.disruption` wakes for a claim that changes, for the claims of a NodePool with another spec or other
 * annotations, for the claims of an EC2NodeClass that changes, for those of one whose images were decided on anew, for
 * the claim of an instance that EC2 describes otherwise than before, for claims that a rollout policy lets go or calls
 * back, and for all of them when a policy comes, changes or goes. Every five minutes it polls what AWS sells, unless the
 * cloud tells that nothing changes.
 */
export function startDriftController(host: ControllerHost, sources: DriftWatchSources): Controller {
  const { objects, decisions, instanceNews, findings } = sources;
  const drift = startNamed(host, 'nodeclaim.disruption', (turn) => driftReconciler({ ...turn, ...sources }), {
    workers: 10,
  });
  const claimsOfNodeClass = (name: string): readonly string[] =>
    claimsOfPools(objects, objectNames(objects.nodePools.by('nodeClass', name)));
  wakeOnChange(objects.nodeClaims, [[drift, ownName]]);
  wakeOnChange(
    objects.nodePools,
    [[drift, ({ metadata }) => claimsOfPools(objects, [metadata.name])]],
    isChangedBesideStatus,
  );
  wakeOnChange(objects.nodeClasses, [[drift, ({ metadata }) => claimsOfNodeClass(metadata.name)]]);
  decisions.onChange((nodeClass) => {
    for (const claim of claimsOfNodeClass(nodeClass)) drift.enqueue(claim);
  });
  instanceNews.onChange((providerId) => {
    for (const claim of claimsWith(objects, providerId)) drift.enqueue(claim);
  });
  wakeOnChange(objects.rolloutPolicies, [[drift, () => objectNames(objects.nodeClaims.list())]], isGovernedOtherwise);
  objects.rolloutPolicies.cache.onChange(({ before, after }) => {
    for (const claim of movedClaims(before, after)) drift.enqueue(claim);
  });
  objects.nodeClaims.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) findings.forget(before.metadata.name);
  });
  host.cloud.changes?.onChange(() => drift.stir());
  return drift;
}

/** A policy came, went, was changed, or has begun to act. */
const isGovernedOtherwise = (before: NodeRolloutPolicy | undefined, after: NodeRolloutPolicy | undefined): boolean =>
  isAnotherGeneration(before, after) ||
  before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp ||
  (before?.status?.baseline === undefined) !== (after?.status?.baseline === undefined);

/** The claims that were let go or called back. */
function movedClaims(before: NodeRolloutPolicy | undefined, after: NodeRolloutPolicy | undefined): readonly string[] {
  const [old, present] = [before, after].map((policy) => new Set(policy?.status?.admitted?.map(({ node }) => node)));
  return [...new Set([...(old ?? []), ...(present ?? [])])].filter((node) => old?.has(node) !== present?.has(node));
}

/** What a pool has counted of its nodes does not make them drift. */
const isChangedBesideStatus = (before: NodePool | undefined, after: NodePool | undefined): boolean =>
  before?.metadata.generation !== after?.metadata.generation ||
  !isEqualDiffValue(before?.metadata.annotations, after?.metadata.annotations);
