import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';

/**
 * The name of a claim's class when both are being deleted: the class waits for its last claim. Any other class stays as it
 * is when a node leaves, and in a roll there is always one that does.
 * @param findClass by its name
 */
export const findLeavingClass = (
  { metadata, spec: { nodeClassRef } }: NodeClaim,
  findClass: (name: string) => EC2NodeClass | undefined,
): readonly string[] =>
  metadata.deletionTimestamp !== undefined && findClass(nodeClassRef.name)?.metadata.deletionTimestamp !== undefined
    ? [nodeClassRef.name]
    : [];
