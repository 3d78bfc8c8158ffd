import { finalizers, type NodeGroup } from '@nodewright/apis';

/** Held back from deletion as long as something of ours would be left half-way. */
export const isHeld = ({ metadata }: NodeGroup): boolean =>
  metadata.finalizers?.includes(finalizers.nodeGroupUpdate) === true;

export const held = (nodeGroup: NodeGroup): NodeGroup =>
  isHeld(nodeGroup) ? nodeGroup : withFinalizers(nodeGroup, [...othersOf(nodeGroup), finalizers.nodeGroupUpdate]);

export const unheld = (nodeGroup: NodeGroup): NodeGroup =>
  isHeld(nodeGroup) ? withFinalizers(nodeGroup, othersOf(nodeGroup)) : nodeGroup;

export const isBeingDeleted = ({ metadata }: NodeGroup): boolean => metadata.deletionTimestamp !== undefined;

const othersOf = ({ metadata }: NodeGroup): readonly string[] =>
  (metadata.finalizers ?? []).filter((each) => each !== finalizers.nodeGroupUpdate);

const withFinalizers = (nodeGroup: NodeGroup, all: readonly string[]): NodeGroup => ({
  ...nodeGroup,
  metadata: { ...nodeGroup.metadata, finalizers: all },
});
