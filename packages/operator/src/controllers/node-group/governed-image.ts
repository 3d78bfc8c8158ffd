import type { AmiFamily, Instant, NodeGroup, NodeRolloutPolicy } from '@nodewright/apis';
import {
  currentRollout,
  familyOfAlias,
  type FoundImage,
  governedId,
  type ImageGate,
  type ImageQuery,
  imageSetOf,
  printVariant,
  resolveRolloutSettings,
} from '@nodewright/engine';
import type { ManagedGroup, ScalingGroup } from '@nodewright/ports';
import type { Objects } from '../../state/objects.ts';
import {
  findAdoptingPolicyOfGroup,
  findPolicyOfGroup,
  groupSourceOf,
  readGateOfGroup,
  rolloutsOfPolicy,
} from '../../state/rollout-governance.ts';
import { movesByNode } from './nodes-let-go.ts';
import type { GroupImages, GroupRollout, NodesLetGo, WantedState } from './snapshot.ts';
import type { GroupDecision } from './wanted.ts';

type GroupKind = {
  readonly nodeGroup: NodeGroup;
  readonly managed?: ManagedGroup;
  readonly scaling?: ScalingGroup;
};

/** The kind of node that a group has: a group never changes it. Absent while the group is not there. */
function variantOfGroup({
  nodeGroup,
  managed,
  scaling,
}: GroupKind): { family: AmiFamily; variant: string } | undefined {
  const kind = managed?.imageKind ?? scaling?.template;
  if (kind === undefined) return undefined;
  const alias = nodeGroup.spec.image?.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  const own = managed?.imageKind === undefined ? undefined : familyOfAlias(`${managed.imageKind.family}@latest`);
  const family = own ?? familyOfAlias(alias ?? '') ?? 'Custom';
  const accelerator = kind.variant === 'nvidia' || kind.variant === 'neuron' ? kind.variant : 'none';
  return { family, variant: printVariant({ family, arch: kind.arch, accelerator }) };
}

export type GovernedQuestion = GroupKind & {
  readonly decided: GroupDecision;
  /** The decision with what a rollout makes of it. */
  readonly decide: (gate: ImageGate) => GroupDecision;
  readonly images: readonly FoundImage[];
  readonly kubernetesVersion: string;
  readonly now: Instant;
};

export type GovernedImage = {
  readonly wanted: WantedState;
  readonly images: GroupImages;
  readonly rollout?: GroupRollout;
};

/** Looks for images again: older ones, too, or by their ids. */
export type GroupImageLookup = (
  change: Pick<ImageQuery, 'history'> | Pick<ImageQuery, 'terms'>,
) => Promise<readonly FoundImage[]>;

/**
 * What the group is to run: without a policy the decision about images, with one the target of the rollout under way, else
 * the proven image. Whether an update may begin is the policy's, too.
 */
export async function resolveGovernedImage(
  objects: Pick<Objects, 'rolloutPolicies' | 'nodeGroups' | 'rollouts' | 'imageRules'>,
  question: GovernedQuestion,
  lookUp: GroupImageLookup,
): Promise<GovernedImage> {
  const { nodeGroup, decided, kubernetesVersion, now } = question;
  const { name } = nodeGroup.metadata;
  const kind = variantOfGroup(question);
  const own = (
    kind === undefined ? [] : imageSetOf(groupSourceOf(name), kind.family, decided.decision?.selected ?? [])
  ).filter(({ variant }) => variant === kind?.variant);
  const images: GroupImages = {
    ...(kind === undefined ? {} : { variant: kind.variant }),
    wanted: own,
    gone: [],
    withdrawn: [],
  };
  const adopting = findAdoptingPolicyOfGroup(objects, name);
  if (adopting !== undefined) return { wanted: decided.wanted, images, rollout: waitForAdoption(adopting) };
  const policy = findPolicyOfGroup(objects, name);
  if (kind === undefined || policy === undefined) return { wanted: decided.wanted, images };
  const gate = readGateOfGroup(objects, name, { kubernetesVersion, gone: [], now });
  const named = imagesOfGate(gate);
  const { found, gone } = await findAll(named, question.images, lookUp);
  const current = readGateOfGroup(objects, name, { kubernetesVersion, gone, now });
  const { decision } = current === undefined ? {} : question.decide(current);
  const choice = chosenImage(decision);
  const launches = decision?.rollout?.ordinary[0]?.id;
  return {
    wanted: governedState(choice, found, decided.wanted),
    images: { ...images, gone, withdrawn: withdrawnImages(decided, named) },
    rollout: {
      ...rolloutOfGroup(objects, policy, question),
      ...(movesByNode(nodeGroup, question.scaling) ? { byNode: nodesLetGo(policy, nodeGroup, launches) } : {}),
    },
  };
}

const imagesOfGate = (gate: ImageGate | undefined): readonly string[] => [
  ...new Set([...(gate?.baseline ?? []), ...(gate?.target ?? [])].map(({ image }) => image)),
];

/** A group goes to the target as soon as it may be updated; nothing else changes what it launches. */
const chosenImage = (decision: GroupDecision['decision']): string | undefined =>
  (decision?.rollout?.seats[0] ?? decision?.rollout?.ordinary[0])?.id;

/** Images that the decision does not know any more are looked for among older ones, then by their ids. */
async function findAll(
  named: readonly string[],
  images: readonly FoundImage[],
  lookUp: GroupImageLookup,
): Promise<{ readonly found: readonly FoundImage[]; readonly gone: readonly string[] }> {
  const missingIn = (found: readonly FoundImage[]): readonly string[] =>
    named.filter((image) => !found.some(({ id }) => id === image));
  if (missingIn(images).length === 0) return { found: images, gone: [] };
  const older = [...images, ...(await lookUp({ history: true }))];
  const missing = missingIn(older);
  if (missing.length === 0) return { found: older, gone: [] };
  const all = [...older, ...(await lookUp({ terms: missing.map((id) => ({ id })) }))];
  return { found: all, gone: missingIn(all) };
}

function governedState(choice: string | undefined, found: readonly FoundImage[], free: WantedState): WantedState {
  if (choice === undefined) return { kind: 'none', why: 'neither the proven image nor the target can be launched' };
  const image = found.find(({ id }) => id === choice);
  if (image === undefined) return { kind: 'none', why: `image ${choice} of the rollout is not there` };
  const end = free.kind === 'unspoken' || free.validUntil === undefined ? {} : { validUntil: free.validUntil };
  return { kind: 'image', image, isMoving: false, ...end };
}

const withdrawnImages = ({ decision }: GroupDecision, named: readonly string[]): readonly string[] =>
  (decision?.passedOver ?? [])
    .filter(({ image, reason }) => reason.kind === 'notRecommended' && named.includes(image.id))
    .map(({ image }) => image.id);

/** An update that begins before the policy knows the group would go past its waves. */
const waitForAdoption = ({ metadata }: NodeRolloutPolicy): GroupRollout => ({
  isLetGo: false,
  why: `NodeRolloutPolicy ${metadata.name} has not looked at the group yet`,
});

function nodesLetGo(
  { spec, status }: NodeRolloutPolicy,
  { metadata }: NodeGroup,
  launches: string | undefined,
): NodesLetGo {
  const id = governedId({ kind: 'NodeGroup', name: metadata.name });
  const admitted = (status?.admitted ?? []).filter(({ object }) => object === id);
  return {
    nodes: new Set(admitted.map(({ node }) => node)),
    ...(launches === undefined ? {} : { launches }),
    terminatesFirst: resolveRolloutSettings(spec).pace.order === 'TerminateFirst',
  };
}

function rolloutOfGroup(
  objects: Pick<Objects, 'rollouts'>,
  { metadata, status }: NodeRolloutPolicy,
  { nodeGroup, scaling }: GroupKind,
): GroupRollout {
  const id = governedId({ kind: 'NodeGroup', name: nodeGroup.metadata.name });
  const rollout = currentRollout({ rollouts: rolloutsOfPolicy(objects, metadata.name) });
  const isLetGo = (status?.admitted ?? []).some(({ node, object }) => node === id && object === id);
  if (rollout === undefined)
    return { isLetGo, why: `NodeRolloutPolicy ${metadata.name} governs the group, and no rollout is under way` };
  const what = movesByNode(nodeGroup, scaling) ? 'lets its nodes go one by one' : 'has not let the group go yet';
  const why = `NodeRollout ${rollout.metadata.name} ${what}, in wave ${rollout.status?.wave ?? '1'}`;
  return { isLetGo, why, isLeading: rollout.status?.halted === undefined };
}
