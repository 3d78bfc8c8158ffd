import { type Instant, type NodeGroup, selectableLabels } from '@nodewright/apis';
import { findPause, type ImageGate, isBlockingAnything, printPause } from '@nodewright/engine';
import type {
  ControlPlanePort,
  ManagedGroup,
  ManagedGroupPort,
  NodeClassPort,
  ScalingGroup,
  ScalingGroupPort,
  SeenUpdate,
} from '@nodewright/ports';
import type { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import { firstSeenIn, withSeen } from '../node-class/first-seen.ts';
import { findGroupNodes, readLeavingNodes } from './group-nodes.ts';
import { groupPods } from './group-pods.ts';
import { neighboursOf } from './neighbours.ts';
import { instanceTypesOfGroup, type SeenQuota } from './quota.ts';
import { absenceOf } from './absence.ts';
import { keeperOf } from './ownership.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';
import { resolveGovernedImage } from './governed-image.ts';
import { buildGroupImageQuery, decideGroupImage } from './wanted.ts';

export type NodeGroupSources = {
  readonly objects: Objects;
  readonly now: Instant;
  /** What AWS did not describe; without it every answer counts at once. */
  readonly absences?: Absences;
  readonly nodeClasses: NodeClassPort;
  readonly controlPlane: ControlPlanePort;
  readonly managedGroups: ManagedGroupPort;
  readonly scalingGroups: ScalingGroupPort;
};

/** The only place that reads. A lookup that fails ends the turn: half a picture is none. */
export async function observeNodeGroup(
  sources: NodeGroupSources,
  nodeGroup: NodeGroup,
  signal: AbortSignal,
): Promise<NodeGroupSnapshot> {
  const kubernetesVersion = await sources.controlPlane.kubernetesVersion(signal);
  const groups = await describedGroups(sources, nodeGroup, signal);
  const { firstSeen, ...images } = await lookUpWanted(sources, { nodeGroup, kubernetesVersion, ...groups }, signal);
  const update = groups.managed === undefined ? undefined : await updateOf(sources, nodeGroup, groups.managed, signal);
  const keptBy = keeperOf(nodeGroup, sources.objects.nodeGroups.list());
  await readLeavingNodes(sources.objects, groups.scaling);
  const nodes = findGroupNodes(sources.objects, nodeGroup, groups.scaling);
  const inDoubtUntil = doubtOf(sources, { nodeGroup, update, ...groups });
  const pods = nodes.flatMap(({ metadata }) => sources.objects.pods.by('node', metadata.name));
  const labels = selectableLabels(nodeGroup);
  const pause = findPause(sources.objects.pauses.list(), { kind: 'NodeGroup', labels }, 'Drifted', sources.now);
  return {
    nodeGroup,
    ...(pause === undefined ? {} : { pause: printPause(pause) }),
    kubernetesVersion,
    ...groups,
    ...images,
    firstSeen,
    nodes,
    neighbours: neighboursOf(sources.objects.pods.list()),
    pods: groupPods(pods, sources.objects.podDisruptionBudgets.list()),
    ...(keptBy === undefined ? {} : { keptBy }),
    ...(update === undefined ? {} : { update }),
    ...(inDoubtUntil === undefined ? {} : { inDoubtUntil }),
  };
}

/** What an update is made on is not taken for gone because one answer of AWS lacks it. */
function doubtOf(
  { absences, now }: NodeGroupSources,
  {
    nodeGroup,
    scaling,
    update,
  }: FoundGroups & { readonly nodeGroup: NodeGroup; readonly update: SeenUpdate | undefined },
): Instant | undefined {
  const { name, uid } = nodeGroup.metadata;
  const current = nodeGroup.status?.update;
  const isMissed =
    current !== undefined &&
    (nodeGroup.spec.eks === undefined ? scaling === undefined : current.id !== undefined && update === undefined);
  const key = `nodegroup ${uid ?? name}`;
  const verdict = isMissed ? absences?.missed(key, now) : absences?.found(key);
  return verdict?.kind === 'doubtful' ? verdict.recheckAt : undefined;
}

/** With the limits of the account that more instances of the group count against. */
export async function withQuotas(
  { scalingGroups }: Pick<NodeGroupSources, 'scalingGroups'>,
  seen: NodeGroupSnapshot,
  signal: AbortSignal,
): Promise<NodeGroupSnapshot> {
  const { scaling } = seen;
  const quotas: SeenQuota[] = [];
  for (const market of ['onDemand', 'spot'] as const) {
    if (scaling === undefined || (scaling.bought[market] ?? 0) === 0) continue;
    const quota = await scalingGroups.quota({ types: instanceTypesOfGroup(scaling), market }, signal);
    if (quota !== undefined) quotas.push({ ...quota, market });
  }
  return { ...seen, quotas };
}

type FoundGroups = { readonly managed?: ManagedGroup; readonly scaling?: ScalingGroup };

async function describedGroups(
  { managedGroups, scalingGroups }: NodeGroupSources,
  { spec }: NodeGroup,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const managed = spec.eks === undefined ? undefined : await managedGroups.describe(spec.eks.name, signal);
  const name = spec.autoScalingGroup?.name ?? managed?.scalingGroup;
  const scaling = name === undefined ? undefined : await scalingGroups.describe(name, signal);
  return {
    ...(managed === undefined ? {} : { managed }),
    ...(scaling === undefined ? {} : { scaling }),
  };
}

type GroupQuestion = FoundGroups & { readonly nodeGroup: NodeGroup; readonly kubernetesVersion: string };

async function lookUpWanted(
  { now, nodeClasses, managedGroups, objects }: NodeGroupSources,
  question: GroupQuestion,
  signal: AbortSignal,
): Promise<Pick<NodeGroupSnapshot, 'wanted' | 'rollout' | 'images' | 'firstSeen'>> {
  const { nodeGroup, kubernetesVersion, managed, scaling } = question;
  const known = firstSeenIn(Object.entries(nodeGroup.status?.imagesFirstSeen ?? {}));
  if (nodeGroup.spec.image === undefined) return { wanted: { kind: 'unspoken' }, firstSeen: known };
  if (managed === undefined && scaling === undefined) {
    return { wanted: { kind: 'none', why: absenceOf(nodeGroup) }, firstSeen: known };
  }
  const rules = objects.imageRules.list();
  const history = isBlockingAnything(rules, now) ? { history: true as const } : {};
  const query = { ...buildGroupImageQuery(nodeGroup, kubernetesVersion), ...history };
  const { images } = await nodeClasses.images(query, signal);
  const firstSeen = withSeen(known, images);
  const asked = { ...question, images, firstSeen, rules, now };
  const decided = decideGroupImage(asked);
  const decide = (gate: ImageGate) => decideGroupImage({ ...asked, gate });
  const governed = await resolveGovernedImage(
    objects,
    { ...question, decided, decide, images, now },
    async (change) => {
      const found = await nodeClasses.images({ ...query, ...change }, signal);
      return found.images;
    },
  );
  return { ...governed, wanted: await withRelease(managedGroups, governed.wanted, question, signal), firstSeen };
}

/** A group of EKS is moved to a release rather than to an image. */
async function withRelease(
  managedGroups: ManagedGroupPort,
  wanted: WantedState,
  { managed, kubernetesVersion }: GroupQuestion,
  signal: AbortSignal,
): Promise<WantedState> {
  if (wanted.kind !== 'image' || managed?.imageKind === undefined) return wanted;
  const release = await managedGroups.releaseOf(
    { image: wanted.image, kind: managed.imageKind, kubernetesVersion },
    signal,
  );
  if (release !== undefined) return { ...wanted, release };
  const { id, name } = wanted.image;
  return { kind: 'none', why: `image ${id} (${name}) is no release of EKS for Kubernetes ${kubernetesVersion}` };
}

async function updateOf(
  { managedGroups }: NodeGroupSources,
  { status }: NodeGroup,
  { name, status: state }: ManagedGroup,
  signal: AbortSignal,
): Promise<SeenUpdate | undefined> {
  const id = status?.update?.id;
  if (id !== undefined) return managedGroups.describeUpdate(name, id, signal);
  return state === 'UPDATING' ? managedGroups.updateUnderWay(name, signal) : undefined;
}
