import { awsTags, byTextOf, type EC2NodeClass, type NodeClaim } from '@nodewright/apis';

export type Tags = Readonly<Record<string, string>>;

/** In the form EC2 and IAM take, sorted by key. */
export const toAwsTagList = (tags: Tags): { Key: string; Value: string }[] =>
  Object.entries(tags)
    .toSorted(byTextOf(([key]) => key))
    .map(([Key, Value]) => ({ Key, Value }));

export const tagsFromList = (list: readonly { Key?: string | undefined; Value?: string | undefined }[] = []): Tags =>
  Object.fromEntries(list.flatMap(({ Key, Value }) => (Key === undefined ? [] : [[Key, Value ?? '']])));

const forbiddenTagPatterns = [
  /^kubernetes\.io\/cluster\/[0-9A-Za-z][A-Za-z0-9\-_]*$/,
  /^eks:eks-cluster-name$/,
  /^karpenter\.sh\/nodepool$/,
  /^karpenter\.sh\/nodeclaim$/,
  /^karpenter\.k8s\.aws\/ec2nodeclass$/,
];

/** The first key of `spec.tags` that is ours to set; `undefined` when there is none. */
export const forbiddenTag = ({ spec }: EC2NodeClass): string | undefined =>
  Object.keys(spec.tags ?? {})
    .toSorted()
    .find((key) => forbiddenTagPatterns.some((pattern) => pattern.test(key)));

/** The tags of every resource made for a NodeClass. The controller's own tags win over `spec.tags`. */
export const nodeClassTags = (nodeClass: EC2NodeClass, clusterName: string): Tags => ({
  ...nodeClass.spec.tags,
  [awsTags.cluster(clusterName)]: 'owned',
  [awsTags.clusterName]: clusterName,
  [awsTags.ec2NodeClass]: nodeClass.metadata.name,
});

/** The tags of every resource launched for a NodePool. */
export const launchTags = (nodeClass: EC2NodeClass, claim: NodeClaim, clusterName: string): Tags => ({
  ...nodeClassTags(nodeClass, clusterName),
  [awsTags.nodePool]: claim.metadata.labels?.[awsTags.nodePool] ?? '',
});
