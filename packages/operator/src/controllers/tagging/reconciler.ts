import { awsAnnotations, awsTags, type NodeClaim, readOwn, seconds } from '@nodewright/apis';
import type { Instance, InstancePort } from '@nodewright/ports';
import { requeueAfter, settled, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';

type TaggingDeps = { readonly objects: Objects; readonly instances: InstancePort };

/** EC2 may describe it a little later, and a claim without an instance goes by itself. */
const notDescribedMs = seconds(30);

/** `nodeclaim.tagging`: tells EC2 the name of a node once it is known. Keys are claim names. */
export function taggingReconciler({ objects, instances }: TaggingDeps): Reconciler {
  return async (name, signal) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined || !isToBeTagged(claim)) return settled;
    const { providerID = '', nodeName = '' } = claim.status ?? {};
    // What was read to tell a new node's identity is new enough: nobody else tags the instance in between.
    const wasTagged = annotationsOfTagged.some((each) => claim.metadata.annotations?.[each] === 'true');
    const instance = await (wasTagged ? instances.get(providerID, signal) : instances.lastSeen(providerID, signal));
    if (instance === undefined) return requeueAfter(notDescribedMs);
    const missing = missingTags(instance.tags, { [awsTags.name]: nodeName, [awsTags.nodeClaim]: name });
    if (Object.keys(missing).length > 0 || !isTaggedForCluster(instance))
      await instances.tag(providerID, missing, signal);
    await objects.nodeClaims.save(claim, withTaggedAnnotation(claim));
    return settled;
  };
}

/** Instances of earlier versions of Karpenter may lack the tag of the cluster. `tag` adds it. */
const isTaggedForCluster = ({ tags }: Instance): boolean => readOwn(tags, awsTags.clusterName) !== undefined;

/** A tag that is there stays: it may be the user's own `Name`. */
const missingTags = (
  present: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(wanted).filter(([key]) => readOwn(present, key) === undefined));

/** Whether EC2 has to be told of a claim's node. */
export const isToBeTagged = ({ metadata, status }: NodeClaim): boolean =>
  metadata.deletionTimestamp === undefined &&
  annotationsOfTagged.some((name) => metadata.annotations?.[name] !== 'true') &&
  Boolean(status?.providerID) &&
  Boolean(status?.nodeName);

const withTaggedAnnotation = (claim: NodeClaim): NodeClaim => ({
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
