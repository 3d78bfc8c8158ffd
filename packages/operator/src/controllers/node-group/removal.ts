import { finalizers, type NodeGroup } from '@nodewright/apis';

/** Held back from deletion as long as something of ours would be left half-way. */
export const hasFinalizer = ({ metadata }: NodeGroup): boolean =>
  metadata.finalizers?.includes(finalizers.nodeGroupUpdate) === true;

export const withFinalizer = (nodeGroup: NodeGroup): NodeGroup =>
  hasFinalizer(nodeGroup)
    ? nodeGroup
    : replaceFinalizers(nodeGroup, [...othersOf(nodeGroup), finalizers.nodeGroupUpdate]);

export const withoutFinalizer = (nodeGroup: NodeGroup): NodeGroup =>
  hasFinalizer(nodeGroup) ? replaceFinalizers(nodeGroup, othersOf(nodeGroup)) : nodeGroup;

export const isBeingDeleted = ({ metadata }: NodeGroup): boolean => metadata.deletionTimestamp !== undefined;

const othersOf = ({ metadata }: NodeGroup): readonly string[] =>
  (metadata.finalizers ?? []).filter((each) => each !== finalizers.nodeGroupUpdate);

const replaceFinalizers = (nodeGroup: NodeGroup, all: readonly string[]): NodeGroup => ({
  ...nodeGroup,
  metadata: { ...nodeGroup.metadata, finalizers: all },
});
