import type { ImageRule, Instant, NodeGroup } from '@nodewright/apis';
import {
  buildImageQuery,
  decideImages,
  type FirstSeen,
  type FoundImage,
  type ImageDecision,
  type ImageGate,
  type ImageQuery,
} from '@nodewright/engine';
import type { ManagedGroup, ScalingGroup } from '@nodewright/ports';
import type { WantedState } from './snapshot.ts';

/** The question of a NodeGroup for images. */
export const buildGroupImageQuery = ({ metadata, spec }: NodeGroup, kubernetesVersion: string): ImageQuery =>
  buildImageQuery({ metadata, terms: spec.image?.amiSelectorTerms ?? [], kubernetesVersion });

export type WantedQuestion = {
  readonly nodeGroup: NodeGroup;
  readonly images: readonly FoundImage[];
  readonly firstSeen: FirstSeen;
  readonly rules?: readonly ImageRule[];
  /** How far a rollout has let the image of the group go. */
  readonly gate?: ImageGate;
  readonly kubernetesVersion: string;
  readonly managed?: ManagedGroup;
  readonly scaling?: ScalingGroup;
  readonly now: Instant;
};

export type GroupDecision = {
  readonly wanted: WantedState;
  /** Absent where the family of the group forbids all images. */
  readonly decision?: ImageDecision;
};

/** The one image that the group is to run. The engine decides among the images that suit the group. */
export function decideGroupImage(question: WantedQuestion): GroupDecision {
  const { nodeGroup, kubernetesVersion, firstSeen, rules = [], gate, now } = question;
  const mismatch = familyMismatch(question);
  if (mismatch !== undefined) return { wanted: { kind: 'none', why: mismatch } };
  const images = question.images.filter((image) => suitsGroup(image, question));
  const query = buildGroupImageQuery(nodeGroup, kubernetesVersion);
  const decision = decideImages({ query, images, firstSeen, rules, now, ...(gate === undefined ? {} : { gate }) });
  const end = decision.validUntil === undefined ? {} : { validUntil: decision.validUntil };
  const chosen = images.find(({ id }) => id === decision.selected[0]?.id);
  if (chosen !== undefined)
    return { decision, wanted: { kind: 'image', image: chosen, isMoving: isMoving(nodeGroup, chosen), ...end } };
  const others = question.images.length - images.length;
  const unsuitable = others === 0 ? '' : `; ${others} images are not for nodes of this group`;
  const why = `${decision.problem?.message ?? 'no image suits'}${unsuitable}`;
  return { decision, wanted: { kind: 'none', why, ...end } };
}

/** EKS never changes the family of a group. */
function familyMismatch({ nodeGroup, managed }: WantedQuestion): string | undefined {
  const alias = nodeGroup.spec.image?.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  const family = alias?.split('@')[0];
  const own = managed?.imageKind?.family;
  if (family === undefined || own === undefined || family === own) return undefined;
  return `alias ${alias} is of another family than the group, which is ${own}; make a new group for ${family}`;
}

function suitsGroup(image: FoundImage, { managed, scaling }: WantedQuestion): boolean {
  const kind = managed?.imageKind ?? scaling?.template;
  if (kind === undefined) return true;
  return image.arch === kind.arch && (image.variant === undefined || image.variant === kind.variant);
}

function isMoving({ spec }: NodeGroup, { term }: FoundImage): boolean {
  const { id, alias } = spec.image?.amiSelectorTerms[term] ?? {};
  return id === undefined && (alias === undefined || alias.endsWith('@latest'));
}
