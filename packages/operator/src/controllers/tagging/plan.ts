import { awsAnnotations, awsTags, type NodeClaim, readOwn } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';

/** Whether the instance of a claim still needs its tags. */
export const isToBeTagged = ({ metadata, status }: NodeClaim): boolean =>
  metadata.deletionTimestamp === undefined &&
  annotationsOfTagged.some((name) => metadata.annotations?.[name] !== 'true') &&
  Boolean(status?.providerID) &&
  Boolean(status?.nodeName);

/** Whether the instance was tagged before. The tags may have been removed since. */
export const wasTagged = ({ metadata }: NodeClaim): boolean =>
  annotationsOfTagged.some((name) => metadata.annotations?.[name] === 'true');

/**
 * The tags that its instance lacks; `undefined` when it lacks none. A tag that is there stays: it may be the
 * user's own `Name`. Instances of earlier versions of Karpenter may lack the tag of the cluster, which comes with all others.
 */
export function planTags(
  { metadata, status }: NodeClaim,
  { tags }: Pick<Instance, 'tags'>,
): Readonly<Record<string, string>> | undefined {
  const wanted = { [awsTags.name]: status?.nodeName ?? '', [awsTags.nodeClaim]: metadata.name };
  const missing = Object.entries(wanted).filter(([key]) => readOwn(tags, key) === undefined);
  const isTaggedForCluster = readOwn(tags, awsTags.clusterName) !== undefined;
  return missing.length === 0 && isTaggedForCluster ? undefined : Object.fromEntries(missing);
}

export const withTaggedAnnotation = (claim: NodeClaim): NodeClaim => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    annotations: {
      ...claim.metadata.annotations,
      ...Object.fromEntries(annotationsOfTagged.map((name) => [name, 'true'])),
    },
  },
});

/** Karpenter tells the tag of the cluster apart, which its earlier versions did not set. */
const annotationsOfTagged = [awsAnnotations.tagged, awsAnnotations.clusterNameTagged];
