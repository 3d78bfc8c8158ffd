import {
  type EC2NodeClass,
  fromTimestamp,
  type Instant,
  instant,
  karpenterAnnotations,
  awsAnnotations,
  minutes,
  type NodeClaim,
  type NodeGroup,
  readOwn,
  type VariantImage,
} from '@nodewright/apis';
import {
  currentRollout,
  forecastWaves,
  planRollouts,
  type RolloutPlan,
  type RolloutSnapshot,
  statusAmiOf,
  type WaveForecast,
} from '@nodewright/engine';
import type { KubernetesClient } from '@nodewright/runtime';
import { eksLabels, instanceIdOfNode } from './controllers/node-group/names.ts';
import { observeRolloutPolicy } from './controllers/node-rollout/observe.ts';
import { DriftFindings } from './state/drift-findings.ts';
import { PodEvidence } from './state/evidence/pod-evidence.ts';
import { podPlaces } from './state/evidence/pod-places.ts';
import { type GroupedInstance, type GroupReading, GroupReadings } from './state/group-readings.ts';
import { ImageDecisions, nameImageRules } from './state/image-decisions.ts';
import { findNodeOfClaim } from './state/node-identity.ts';
import type { Objects } from './state/objects.ts';
import {
  findPolicyOfClass,
  findPolicyOfGroup,
  groupSourceOf,
  imageSourceOf,
  rolloutsOfPolicy,
} from './state/rollout-governance.ts';
import { specFingerprint } from './state/spec-fingerprint.ts';
import { UpstreamRecords } from './state/upstream-records.ts';
import { WantedTimes } from './state/wanted-times.ts';

/** What a policy would do next. Only its controller knows of images that are to come, and of pods that are gone. */
export type RolloutOutlook = {
  readonly policy: string;
  readonly snapshot: RolloutSnapshot;
  readonly plan: RolloutPlan;
  readonly waves: readonly WaveForecast[];
  /** Names of nodes by the names that the plan has for them. */
  readonly nodeNames: ReadonlyMap<string, string>;
};

type OutlookSources = { readonly objects: Objects; readonly client: KubernetesClient; readonly now: Instant };

/** Plans as the controller does, from what is stored. Writes nothing. */
export async function readRolloutOutlooks({
  objects,
  client,
  now,
}: OutlookSources): Promise<readonly RolloutOutlook[]> {
  if (objects.rolloutPolicies.list().length === 0) return [];
  const readings = new GroupReadings();
  for (const group of objects.nodeGroups.list())
    readings.record(group.metadata.name, storedReading(objects, group, now), now);
  const evidence = new PodEvidence(podPlaces(objects, readings));
  for (const pod of objects.pods.list()) evidence.notePod(pod);
  const sources = {
    objects,
    client,
    readings,
    evidence,
    decisions: storedDecisions(objects),
    findings: storedFindings(objects),
    wantedTimes: new WantedTimes(),
    upstream: unreadRecords(objects),
  };
  const outlooks: RolloutOutlook[] = [];
  for (const { metadata } of objects.rolloutPolicies.list()) {
    const seen = await observeRolloutPolicy(sources, metadata.name, now);
    if (seen?.rollouts === undefined) continue;
    const snapshot = seen.rollouts;
    outlooks.push({
      policy: metadata.name,
      snapshot,
      plan: planRollouts(snapshot),
      waves: forecastWaves(snapshot),
      nodeNames: new Map(
        snapshot.nodes.map(({ name }) => {
          const claim = objects.nodeClaims.get(name);
          const node = claim === undefined ? undefined : findNodeOfClaim(objects, claim);
          return [name, node?.metadata.name ?? readings.placeOf(name)?.instance.node ?? name];
        }),
      ),
    });
  }
  return outlooks;
}

/** Only the controller reads records of other clusters: what a policy requires of them counts as not read. */
function unreadRecords(objects: Objects): UpstreamRecords {
  const records = new UpstreamRecords();
  for (const { metadata } of objects.rolloutPolicies.list()) records.set(metadata.name, { readings: [] });
  return records;
}

/** Where the rollout under way leads to is wanted; without one what is launched. */
function storedDecisions(objects: Objects): ImageDecisions {
  const decisions = new ImageDecisions();
  for (const nodeClass of objects.nodeClasses.list()) {
    const { name } = nodeClass.metadata;
    const policy = findPolicyOfClass(objects, name);
    const rollout = rolloutOfSource(objects, policy?.metadata.name);
    const room = policy?.status?.room?.find(({ source }) => source === imageSourceOf(name));
    const target = imagesOfSource(rollout?.spec.to, imageSourceOf(name)).flatMap((image) => statusAmiOf(image) ?? []);
    decisions.record(name, {
      withheld: [],
      wanted: target.length > 0 ? target : (nodeClass.status?.amis ?? []),
      rules: nameImageRules(objects.imageRules.list()),
      kubernetesVersion: rollout?.spec.kubernetesVersion ?? '',
      gone: [],
      withdrawn: [],
      ...(room === undefined ? {} : { freeAddresses: room.freeAddresses }),
      ...(policy?.status?.quotas === undefined ? {} : { quotas: policy.status.quotas }),
    });
  }
  return decisions;
}

const rolloutOfSource = (objects: Objects, policy: string | undefined) =>
  policy === undefined ? undefined : currentRollout({ rollouts: rolloutsOfPolicy(objects, policy) });

const imagesOfSource = (images: readonly VariantImage[] | undefined, source: string): readonly VariantImage[] =>
  (images ?? []).filter((image) => image.source === source);

/** Nodes whose specs have changed since they were launched: what else drift looks at, AWS tells. */
function storedFindings(objects: Objects): DriftFindings {
  const findings = new DriftFindings();
  for (const pool of objects.nodePools.list()) {
    const nodeClass = objects.nodeClasses.get(pool.spec.template.spec.nodeClassRef.name);
    const specs = specFingerprint(pool, nodeClass);
    for (const claim of objects.nodeClaims.by('nodePool', pool.metadata.name)) {
      const isPoolOther = isOtherHash(claim, pool.metadata.annotations, poolHash);
      const isClassOther = isOtherHash(claim, nodeClass?.metadata.annotations, classHash);
      const reason = isPoolOther ? 'NodePoolDrifted' : isClassOther ? 'NodeClassDrift' : undefined;
      findings.record(claim.metadata.name, { specs, ...(reason === undefined ? {} : { reason }) });
    }
  }
  return findings;
}

type HashKeys = { readonly hash: string; readonly version: string };
const poolHash: HashKeys = {
  hash: karpenterAnnotations.nodePoolHash,
  version: karpenterAnnotations.nodePoolHashVersion,
};
const classHash: HashKeys = {
  hash: awsAnnotations.ec2NodeClassHash,
  version: awsAnnotations.ec2NodeClassHashVersion,
};

function isOtherHash(
  { metadata }: NodeClaim,
  owner: EC2NodeClass['metadata']['annotations'],
  { hash, version }: HashKeys,
): boolean {
  const [own, theirs] = [readOwn(metadata.annotations, hash), readOwn(owner, hash)];
  const isSameVersion = readOwn(metadata.annotations, version) === readOwn(owner, version);
  return own !== undefined && theirs !== undefined && isSameVersion && own !== theirs;
}

const storedObstacleMs = minutes(2);

/** A group as its status and its nodes tell of it. */
function storedReading(objects: Objects, group: NodeGroup, now: Instant): GroupReading {
  const { metadata, spec, status = {} } = group;
  const source = groupSourceOf(metadata.name);
  const policy = findPolicyOfGroup(objects, metadata.name);
  const rollout = rolloutOfSource(objects, policy?.metadata.name);
  const proven = imagesOfSource(policy?.status?.baseline, source);
  const target = imagesOfSource(rollout?.spec.to, source);
  const [first] = [...target, ...proven];
  // A pause is a gate of its own.
  const obstacles = (status.blockedBy ?? []).filter(({ reason }) => reason !== 'DisruptionPause');
  const because = obstacles.map(({ message }) => message).join('; ');
  return {
    uid: metadata.uid,
    ...(first === undefined ? {} : { variant: first.variant }),
    wanted: target.length > 0 ? target : proven,
    rules: nameImageRules(objects.imageRules.list()),
    kubernetesVersion: rollout?.spec.kubernetesVersion ?? '',
    gone: [],
    withdrawn: [],
    moves: spec.eks === undefined ? 'byNode' : 'whole',
    isUpdating: status.update !== undefined,
    instances: spec.eks === undefined ? storedInstances(objects, group) : labelledInstances(objects, spec.eks.name),
    ...(because === '' ? {} : { obstacle: { because, until: instant(now + storedObstacleMs) } }),
  };
}

/** Nodes of an Auto Scaling group carry no sign of it: the status of the NodeGroup names the instances. */
const storedInstances = ({ nodes }: Objects, { status }: NodeGroup): readonly GroupedInstance[] =>
  (status?.instances ?? []).map(({ id, image, zone, launchedAt, leaving = false }) => {
    const [node] = nodes.by('instanceId', id);
    return {
      id,
      image,
      zone,
      launchedAt: fromTimestamp(launchedAt),
      leaving,
      ...(node === undefined ? {} : { node: node.metadata.name }),
    };
  });

/** EKS labels the nodes of its groups. */
const labelledInstances = ({ nodes }: Objects, group: string): readonly GroupedInstance[] =>
  nodes
    .list()
    .filter((node) => node.metadata.labels?.[eksLabels.nodeGroup] === group)
    .map((node) => ({
      id: instanceIdOfNode(node) === '' ? node.metadata.name : instanceIdOfNode(node),
      zone: '',
      image: node.metadata.labels?.[eksLabels.image] ?? '',
      launchedAt: instant(Date.parse(node.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z')),
      leaving: node.metadata.deletionTimestamp !== undefined,
      node: node.metadata.name,
    }));
