import type { NodeRollout, NodeRolloutStatus, VariantImage } from '@nodewright/apis';
import { findImageOf, imagesBeyond } from './image-set.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';

/** A rollout and the nodes that it is about. */
export type RolloutView = {
  readonly rollout: NodeRollout;
  readonly status: NodeRolloutStatus;
  /** Claims and nodes made for the target, as long as they are not leaving. */
  readonly members: readonly RolloutNode[];
  /** Nodes that run the target, made for it or not. */
  readonly updated: readonly RolloutNode[];
  /** Nodes that have to move and are not leaving yet. */
  readonly toMove: readonly RolloutNode[];
  /** Nodes that have to move and are leaving. */
  readonly moving: readonly RolloutNode[];
  /** Nodes that run the baseline, by variant. */
  readonly peersOf: (variant: string) => readonly RolloutNode[];
  readonly targetOf: (node: RolloutNode) => VariantImage | undefined;
};

/** A rollback moves nodes of the bad images only, and needs neither seats nor soak: its target is proven. */
export const isRollback = ({ spec }: NodeRollout): boolean => spec.cause === 'Rollback';

export function viewRollout(rollout: NodeRollout, seen: RolloutSnapshot): RolloutView {
  const { spec, status = {}, metadata } = rollout;
  const objects = new Map(seen.objects.map((object) => [object.id, object]));
  const imageIn = (set: readonly VariantImage[], node: RolloutNode): VariantImage | undefined =>
    findImageOf(set, { source: objects.get(node.object)?.source ?? '', variant: node.variant });
  const targetOf = (node: RolloutNode) => imageIn(spec.to, node);
  const isMember = (node: RolloutNode): boolean => node.rollout === metadata.name;
  const bad = imagesOfUndone(rollout);
  const hasToMove = (node: RolloutNode): boolean => {
    const target = targetOf(node);
    if (target === undefined || isMember(node) || node.image === target.image) return false;
    return !isRollback(rollout) || bad.has(node.image);
  };
  const present = seen.nodes.filter(({ leaving }) => !leaving);
  return {
    rollout,
    status,
    members: present.filter(isMember),
    updated: present.filter((node) => targetOf(node)?.image === node.image),
    toMove: present.filter(hasToMove),
    moving: seen.nodes.filter((node) => node.leaving && hasToMove(node)),
    peersOf: (variant) =>
      present.filter(
        (node) => node.variant === variant && !isMember(node) && imageIn(spec.from, node)?.image === node.image,
      ),
    targetOf,
  };
}

/** The images that a rollback takes back. */
const imagesOfUndone = ({ spec }: NodeRollout): ReadonlySet<string> =>
  new Set(imagesBeyond(spec.to, spec.from).map(({ image }) => image));
