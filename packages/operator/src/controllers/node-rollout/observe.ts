import { fromTimestamp, type Instant, type NodePool, type NodeRolloutPolicy, selectableLabels } from '@nodewright/apis';
import {
  amiFamilyOf,
  assignPolicies,
  currentRollout,
  EvictionRules,
  findImageObstacle,
  type GovernableObject,
  governedId,
  hasEnded,
  imageSetOf,
  placesToRead,
  type Publication,
  readCheckResults,
  resolveRolloutSettings,
  type RolloutSnapshot,
} from '@nodewright/engine';
import type { KubernetesClient } from '@nodewright/runtime';
import type { DriftFindings } from '../../state/drift-findings.ts';
import type { PodEvidence } from '../../state/evidence/pod-evidence.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import { type DecisionRecord, type ImageDecisions, nameImageRules } from '../../state/image-decisions.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import { readLeaseRenewal } from '../../state/node-lease.ts';
import type { Objects } from '../../state/objects.ts';
import {
  governablePool,
  imageSourceOf,
  isGovernablePool,
  isLastingPolicy,
  rolloutsOfPolicy,
} from '../../state/rollout-governance.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';
import { governedPool } from './governed.ts';
import type { UpstreamState, UpstreamRecords } from '../../state/upstream-records.ts';
import { readRequest, readRequests } from './requests.ts';
import { isUnheardOf, rolloutNodesOfPool } from './rollout-nodes.ts';

export type RolloutSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly decisions: ImageDecisions;
  readonly findings: DriftFindings;
  readonly evidence: PodEvidence;
  readonly upstream: UpstreamRecords;
};

export type ObservedPolicy = {
  readonly policy: NodeRolloutPolicy;
  readonly policies: readonly NodeRolloutPolicy[];
  readonly objects: readonly (GovernableObject & { readonly nodes: number })[];
  /** What is planned from; absent before images were decided on for every EC2NodeClass of the policy. */
  readonly rollouts: RolloutSnapshot | undefined;
  /** How its record was published last. */
  readonly publication: Publication | undefined;
};

/** The policy, the others, what they may govern, and everything that the plan of its rollouts is made from. */
export async function observeRolloutPolicy(
  sources: RolloutSources,
  name: string,
  now: Instant,
): Promise<ObservedPolicy | undefined> {
  const { objects } = sources;
  const policy = objects.rolloutPolicies.get(name);
  if (policy === undefined) return undefined;
  const policies = objects.rolloutPolicies.list();
  const pools = objects.nodePools.list().filter(isGovernablePool);
  const groups = objects.nodeGroups.list().map((group) => ({
    kind: 'NodeGroup' as const,
    name: group.metadata.name,
    labels: selectableLabels(group),
    nodes: group.status?.nodes?.total ?? 0,
  }));
  const governable = [
    ...pools.map((pool) => ({
      ...governablePool(pool),
      nodes: objects.nodeClaims.by('nodePool', pool.metadata.name).length,
    })),
    ...groups,
  ];
  const { policyOf, remarks } = assignPolicies(policies.filter(isLastingPolicy), governable);
  const governed = pools.filter(
    ({ metadata }) => policyOf.get(governedId({ kind: 'NodePool', name: metadata.name })) === name,
  );
  const rollouts = await observeRollouts(sources, { policy, pools: governed, now });
  const { publication } = sources.upstream.stateOf(name) ?? {};
  return { policy, policies, objects: governable, rollouts: rollouts && { ...rollouts, remarks }, publication };
}

type PolicyScope = { readonly policy: NodeRolloutPolicy; readonly pools: readonly NodePool[]; readonly now: Instant };

async function observeRollouts(
  sources: RolloutSources,
  { policy, pools, now }: PolicyScope,
): Promise<RolloutSnapshot | undefined> {
  const { objects, evidence } = sources;
  const classes = classesOf(sources, pools);
  const promotion = sources.upstream.stateOf(policy.metadata.name);
  if (classes === undefined || isUpstreamUnread(policy, promotion)) return undefined;
  const rollouts = rolloutsOfPolicy(objects, policy.metadata.name);
  const current = currentRollout({ rollouts });
  const settings = resolveRolloutSettings(policy.spec);
  const nodeSources = {
    ...sources,
    rules: new EvictionRules(objects.podDisruptionBudgets.list()),
    rollouts,
    admitted: new Set(policy.status?.admitted?.map(({ node }) => node)),
    renewals: await readRenewals(sources, pools),
    now,
  };
  const approval = readRequest(policy, { kind: 'approve', rollout: '', now });
  return {
    now,
    policy,
    rollouts,
    objects: pools.map((pool) => governedPool(objects, pool)),
    nodes: pools.flatMap(({ metadata }) => rolloutNodesOfPool(nodeSources, metadata.name)),
    wanted: classes.flatMap(({ name, family, record }) => imageSetOf(imageSourceOf(name), family, record.wanted)),
    obstacles: obstaclesOf(sources, { policy, pools, now }),
    kubernetesVersion: classes[0]?.record.kubernetesVersion ?? current?.spec.kubernetesVersion ?? '',
    rules: objects.imageRules.list(),
    pauses: objects.pauses.list(),
    services: [],
    counters:
      current === undefined
        ? []
        : evidence.counters({
            rollout: current.metadata.name,
            startedAt: startOf(current.status?.startedAt ?? current.metadata.creationTimestamp, now),
            isPeerImage: ({ variant, image }) =>
              current.spec.from.some((proven) => proven.variant === variant && proven.image === image),
            readyWithinMs: settings.signals.podsReadyMs ?? 0,
            now,
          }),
    checks: readCheckResults(current?.status, settings.checkFailures),
    upstream: promotion?.readings ?? [],
    ...(promotion?.announced === undefined ? {} : { announced: promotion.announced }),
    requests: [
      ...rollouts.flatMap((rollout) => readRequests(rollout, now)),
      ...(approval === undefined ? [] : [approval]),
    ],
    isDriftKnown: pools.every((pool) => isDriftKnown(sources, pool)),
  };
}

/** Until every place was asked since the start of the controller nobody knows whether a wave of a neighbour runs. */
const isUpstreamUnread = ({ spec }: NodeRolloutPolicy, promotion: UpstreamState | undefined): boolean =>
  placesToRead(spec.promotion ?? {}).length > 0 && promotion === undefined;

const startOf = (timestamp: string | undefined, now: Instant): Instant =>
  timestamp === undefined ? now : fromTimestamp(timestamp);

type DecidedClass = {
  readonly name: string;
  readonly family: ReturnType<typeof amiFamilyOf>;
  readonly record: DecisionRecord;
};

/**
 * The EC2NodeClasses of the pools with their last decisions; absent while one is still to be made. A decision with other
 * ImageRules than there are now is none: a rule that was lifted would look like an image that nobody wants any more.
 */
function classesOf(
  { objects, decisions }: Pick<RolloutSources, 'objects' | 'decisions'>,
  pools: readonly NodePool[],
): readonly DecidedClass[] | undefined {
  const names = [...new Set(pools.map(({ spec }) => spec.template.spec.nodeClassRef.name))].toSorted();
  const rules = nameImageRules(objects.imageRules.list());
  const decided: DecidedClass[] = [];
  for (const name of names) {
    const nodeClass = objects.nodeClasses.get(name);
    if (nodeClass === undefined) continue;
    const record = decisions.recordOf(name);
    if (record === undefined || !isEqualDiffValue(record.rules, rules)) return undefined;
    decided.push({ name, family: amiFamilyOf(nodeClass), record });
  }
  return decided;
}

/** Why images that the policy knows cannot be launched any more. */
function obstaclesOf(
  { objects, decisions }: RolloutSources,
  { policy, now }: PolicyScope,
): RolloutSnapshot['obstacles'] {
  const rollouts = rolloutsOfPolicy(objects, policy.metadata.name).filter((rollout) => !hasEnded(rollout));
  const known = [...(policy.status?.baseline ?? []), ...rollouts.flatMap(({ spec }) => [...spec.from, ...spec.to])];
  return new Map(
    known.flatMap((image) => {
      const record = decisions.recordOf(image.source.replace(imageSourceOf(''), ''));
      if (record === undefined) return [];
      const question = { ...record, rules: objects.imageRules.list(), gone: new Set(record.gone), now };
      const withdrawn = record.withdrawn.includes(image.image) ? { kind: 'withdrawn' as const } : undefined;
      const obstacle = findImageObstacle(image, question) ?? withdrawn;
      return obstacle === undefined ? [] : [[image.image, obstacle] as const];
    }),
  );
}

/** Every launched claim of the pool was held against the specs that pool and class have now. */
function isDriftKnown({ objects, findings }: RolloutSources, nodePool: NodePool): boolean {
  const nodeClass = objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name);
  const specs = specFingerprint(nodePool, nodeClass);
  return objects.nodeClaims
    .by('nodePool', nodePool.metadata.name)
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.imageID !== undefined)
    .every(({ metadata }) => findings.findingOf(metadata.name)?.specs === specs);
}

/** Leases are read of nodes alone that the control plane does not hear of: no Lease is watched. */
async function readRenewals(
  { objects, client }: RolloutSources,
  pools: readonly NodePool[],
): Promise<ReadonlyMap<string, Instant>> {
  const renewals = new Map<string, Instant>();
  for (const { metadata } of pools)
    for (const claim of objects.nodeClaims.by('nodePool', metadata.name)) {
      const node = findNodeOfClaim(objects, claim);
      if (node === undefined || !isUnheardOf(node)) continue;
      const renewedAt = await readLeaseRenewal(client, node.metadata.name);
      if (renewedAt !== undefined) renewals.set(node.metadata.name, renewedAt);
    }
  return renewals;
}
