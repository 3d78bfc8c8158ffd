import {
  type AmiSelectorTerm,
  fromTimestamp,
  type Instant,
  type Node,
  type NodeGroup,
  type NodePool,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import {
  amiFamilyOf,
  assignPolicies,
  governablePool,
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
import type { GroupReading, GroupReadings } from '../../state/group-readings.ts';
import { type DecisionRecord, type ImageDecisions, nameImageRules } from '../../state/image-decisions.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import { readLeaseRenewal } from '../../state/node-lease.ts';
import type { Objects } from '../../state/objects.ts';
import {
  governableGroup,
  groupSourceOf,
  imageSourceOf,
  isGovernableGroup,
  isGovernablePool,
  isLastingPolicy,
  rolloutsOfPolicy,
} from '../../state/rollout-governance.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';
import { mergeRooms } from '../../state/vcpu-room.ts';
import type { WantedTimes } from '../../state/wanted-times.ts';
import { governedPool } from './governed.ts';
import type { UpstreamState, UpstreamRecords } from '../../state/upstream-records.ts';
import { listSourcePins } from './source-pins.ts';
import { readRequest, readRequests } from './requests.ts';
import { isUnheardOf } from './node-health.ts';
import { governedGroup, rolloutNodesOfGroup } from './rollout-group-nodes.ts';
import { rolloutNodesOfPool } from './rollout-nodes.ts';
import { listServiceEndpoints } from './service-endpoints.ts';

export type RolloutSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly decisions: ImageDecisions;
  readonly findings: DriftFindings;
  readonly evidence: PodEvidence;
  readonly readings: GroupReadings;
  readonly wantedTimes: WantedTimes;
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
  const groups = objects.nodeGroups.list().filter(isGovernableGroup);
  const governable = [
    ...pools.map((pool) => ({
      ...governablePool(pool),
      nodes: objects.nodeClaims.by('nodePool', pool.metadata.name).length,
    })),
    ...groups.map((group) => ({ ...governableGroup(group), nodes: group.status?.nodes?.total ?? 0 })),
  ];
  const { policyOf, remarks } = assignPolicies(policies.filter(isLastingPolicy), governable);
  const governed = pools.filter(
    ({ metadata }) => policyOf.get(governedId({ kind: 'NodePool', name: metadata.name })) === name,
  );
  const governedGroups = groups.filter(
    ({ metadata }) => policyOf.get(governedId({ kind: 'NodeGroup', name: metadata.name })) === name,
  );
  const rollouts = await observeRollouts(sources, { policy, pools: governed, groups: governedGroups, now });
  const { publication } = sources.upstream.stateOf(name) ?? {};
  return { policy, policies, objects: governable, rollouts: rollouts && { ...rollouts, remarks }, publication };
}

type PolicyScope = {
  readonly policy: NodeRolloutPolicy;
  readonly pools: readonly NodePool[];
  readonly groups: readonly NodeGroup[];
  readonly now: Instant;
};

async function observeRollouts(
  sources: RolloutSources,
  { policy, pools, groups, now }: PolicyScope,
): Promise<RolloutSnapshot | undefined> {
  const { objects, evidence } = sources;
  const classes = classesOf(sources, pools);
  const seenGroups = readingsOf(sources, groups);
  const promotion = sources.upstream.stateOf(policy.metadata.name);
  if (classes === undefined || seenGroups === undefined || isUpstreamUnread(policy, promotion)) return undefined;
  const rollouts = rolloutsOfPolicy(objects, policy.metadata.name);
  const current = currentRollout({ rollouts });
  const settings = resolveRolloutSettings(policy.spec);
  const quotas = mergeRooms(classes.flatMap(({ record }) => record.quotas ?? []));
  const nodeSources = {
    ...sources,
    quotas,
    rules: new EvictionRules(objects.podDisruptionBudgets.list()),
    rollouts,
    admitted: new Set([...(policy.status?.admitted ?? []), ...(policy.status?.parked ?? [])].map(({ node }) => node)),
    renewals: await readRenewals(sources, nodesOfScope(sources, pools, seenGroups)),
    now,
  };
  const sourcesOfImages = [
    ...classes.map(({ name, terms, family, record }) => ({
      terms,
      wanted: imageSetOf(imageSourceOf(name), family, record.wanted),
    })),
    ...seenGroups.map(({ group, reading }) => ({
      terms: group.spec.image?.amiSelectorTerms ?? [],
      wanted: reading.wanted,
    })),
  ];
  const wanted = sourcesOfImages.flatMap((source) => source.wanted);
  const wantedSince = sources.wantedTimes.sinceWhen(policy.metadata.name, wanted, now);
  const nodes = [
    ...pools.flatMap(({ metadata }) => rolloutNodesOfPool(nodeSources, metadata.name)),
    ...seenGroups.flatMap(({ group, reading }) => rolloutNodesOfGroup(nodeSources, group.metadata.name, reading)),
  ];
  const approval = readRequest(policy, { kind: 'approve', rollout: '', now });
  return {
    now,
    policy,
    rollouts,
    objects: [
      ...pools.map((pool) => governedPool(sources, pool)),
      ...seenGroups.map(({ group, reading }) => governedGroup(group, reading, rollouts)),
    ],
    nodes,
    wanted,
    pins: sourcesOfImages.flatMap((source) => listSourcePins(source.terms, source.wanted)),
    ...(classes.length + seenGroups.length > 1 ? { wantedSince } : {}),
    obstacles: imageObstaclesOf(sources, policy, now),
    kubernetesVersion:
      classes[0]?.record.kubernetesVersion ??
      seenGroups[0]?.reading.kubernetesVersion ??
      current?.spec.kubernetesVersion ??
      '',
    ...(quotas.length === 0 ? {} : { quotas }),
    rules: objects.imageRules.list(),
    pauses: objects.pauses.list(),
    services: settings.lastEndpoint ? listServiceEndpoints({ objects, planNames: planNamesOf(nodes) }) : [],
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

/** Until every place was asked since the start of the controller it is unknown whether a wave of a neighbour runs. */
const isUpstreamUnread = ({ spec }: NodeRolloutPolicy, promotion: UpstreamState | undefined): boolean =>
  placesToRead(spec.promotion ?? {}).length > 0 && promotion === undefined;

const startOf = (timestamp: string | undefined, now: Instant): Instant =>
  timestamp === undefined ? now : fromTimestamp(timestamp);

type DecidedClass = {
  readonly name: string;
  readonly terms: readonly AmiSelectorTerm[];
  readonly family: ReturnType<typeof amiFamilyOf>;
  readonly record: DecisionRecord;
};

/**
 * The EC2NodeClasses of the pools with their last decisions; absent while one is still to be made. A decision with other
 * ImageRules than there are now is none: a rule that was lifted would look like an image that is no longer wanted.
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
    decided.push({ name, terms: nodeClass.spec.amiSelectorTerms, family: amiFamilyOf(nodeClass), record });
  }
  return decided;
}

type ReadGroup = { readonly group: NodeGroup; readonly reading: GroupReading };

/** The node groups as their controller saw them last; absent while one was not looked at with the ImageRules of now. */
function readingsOf(
  { objects, readings }: Pick<RolloutSources, 'objects' | 'readings'>,
  groups: readonly NodeGroup[],
): readonly ReadGroup[] | undefined {
  const rules = nameImageRules(objects.imageRules.list());
  const seen: ReadGroup[] = [];
  for (const group of groups) {
    const reading = readings.of(group.metadata.name);
    if (reading === undefined || !isEqualDiffValue(reading.rules, rules)) return undefined;
    seen.push({ group, reading });
  }
  return seen;
}

/** What is known of the images of a source: an EC2NodeClass or a NodeGroup. */
const imageFactsOf = ({ decisions, readings }: Pick<RolloutSources, 'decisions' | 'readings'>, source: string) =>
  source.startsWith(groupSourceOf(''))
    ? readings.of(source.slice(groupSourceOf('').length))
    : decisions.recordOf(source.replace(imageSourceOf(''), ''));

/** Why images that the policy knows cannot be launched any more. */
function imageObstaclesOf(
  sources: RolloutSources,
  policy: NodeRolloutPolicy,
  now: Instant,
): RolloutSnapshot['obstacles'] {
  const { objects } = sources;
  const rollouts = rolloutsOfPolicy(objects, policy.metadata.name).filter((rollout) => !hasEnded(rollout));
  const known = [...(policy.status?.baseline ?? []), ...rollouts.flatMap(({ spec }) => [...spec.from, ...spec.to])];
  return new Map(
    known.flatMap((image) => {
      const record = imageFactsOf(sources, image.source);
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

/** Claims and instances by the names of their nodes. */
const planNamesOf = (nodes: RolloutSnapshot['nodes']): ReadonlyMap<string, string> =>
  new Map(nodes.flatMap(({ name, nodeName }) => (nodeName === undefined ? [] : [[nodeName, name] as const])));

/** The nodes of pools and groups. */
const nodesOfScope = (
  { objects }: Pick<RolloutSources, 'objects'>,
  pools: readonly NodePool[],
  groups: readonly ReadGroup[],
): readonly Node[] => [
  ...pools.flatMap(({ metadata }) =>
    objects.nodeClaims.by('nodePool', metadata.name).flatMap((claim) => findNodeOfClaim(objects, claim) ?? []),
  ),
  ...groups.flatMap(({ reading }) => reading.instances.flatMap(({ node = '' }) => objects.nodes.get(node) ?? [])),
];

/** Leases are read for the nodes that the control plane has lost: no Lease is watched. */
async function readRenewals(
  { client }: Pick<RolloutSources, 'client'>,
  nodes: readonly Node[],
): Promise<ReadonlyMap<string, Instant>> {
  const renewals = new Map<string, Instant>();
  for (const node of nodes.filter(isUnheardOf)) {
    const renewedAt = await readLeaseRenewal(client, node.metadata.name);
    if (renewedAt !== undefined) renewals.set(node.metadata.name, renewedAt);
  }
  return renewals;
}
