import {
  type Condition,
  type EC2NodeClass,
  type Event,
  type Instant,
  type Node,
  type NodeClaim,
  type Pod,
  readOwn,
  byTextOf,
} from '@nodewright/apis';

/** One thing that happened, as a reader of the story sees it. */
export type StoryLine = {
  readonly at: Instant;
  /** One word: what kind of thing. */
  readonly what: string;
  /** To whom. */
  readonly who: string;
  readonly text: string;
};

/** What an image id stands for, in words: `AL2 v20240117 (1.28)`. */
export type ImageNames = (imageId: string) => string | undefined;

/** The life of one node, for the table at the end. Times are RFC 3339 UTC. */
export type NodeLife = {
  readonly name: string;
  readonly nodePool: string;
  readonly image: string;
  readonly release: string;
  readonly osImage: string;
  readonly kubeletVersion: string;
  readonly createdAt: string;
  readonly removedAt?: string;
  readonly cameBecause: string;
  readonly wentBecause?: string;
};

export type StoryChange<T> = { readonly before?: T; readonly after?: T };

const findStoryCondition = (object: { status?: { conditions?: readonly Condition[] } } | undefined, type: string) =>
  object?.status?.conditions?.find((condition) => condition.type === type);

const becameTrue = (
  { before, after }: StoryChange<{ status?: { conditions?: readonly Condition[] } }>,
  type: string,
): Condition | undefined => {
  const now = findStoryCondition(after, type);
  return now?.status === 'True' && findStoryCondition(before, type)?.status !== 'True' ? now : undefined;
};

const storyLabel = (claim: NodeClaim, key: string): string => readOwn(claim.metadata.labels, key) ?? 'unknown';

const isKnownNode = (node: Node | undefined): boolean => (node?.status?.nodeInfo?.['kubeletVersion'] ?? '') !== '';

const findDisruptedTaint = (node: Node | undefined): boolean =>
  node?.spec?.taints?.some((taint) => taint.key === 'karpenter.sh/disrupted') ?? false;

/**
 * What a newcomer would be told about claims, nodes, pods and images while they change.
 * Fed with changes in the order in which the API server reported them; it reads nothing by itself.
 */
export function lineOfClaim(change: StoryChange<NodeClaim>, imageName: ImageNames): readonly Omit<StoryLine, 'at'>[] {
  const { before, after } = change;
  if (after === undefined)
    return before === undefined ? [] : [{ what: 'gone', who: before.metadata.name, text: 'the claim is deleted' }];
  const who = after.metadata.name;
  const lines: Omit<StoryLine, 'at'>[] = [];
  if (before === undefined) lines.push({ what: 'claim', who, text: wish(after) });
  if (becameTrue(change, 'Launched')) lines.push({ what: 'launch', who, text: printBoughtOffering(after, imageName) });
  if (becameTrue(change, 'Registered'))
    lines.push({ what: 'register', who, text: `its node is ${after.status?.nodeName ?? 'unknown'}` });
  if (becameTrue(change, 'Initialized')) lines.push({ what: 'ready', who, text: 'the node is initialized' });
  const drifted = becameTrue(change, 'Drifted');
  if (drifted) lines.push({ what: 'drift', who, text: drifted.reason ?? 'Drifted' });
  const disrupted = becameTrue(change, 'DisruptionReason');
  if (disrupted) lines.push({ what: 'disrupt', who, text: `${disrupted.reason ?? ''}: a replacement comes first` });
  const drained = becameTrue(change, 'Drained');
  if (drained) lines.push({ what: 'drained', who, text: 'no pod is left that could be moved' });
  return lines;
}

export function lineOfNode({ before, after }: StoryChange<Node>): readonly Omit<StoryLine, 'at'>[] {
  const name = (after ?? before)?.metadata.name ?? '';
  if (after === undefined) return [{ what: 'gone', who: name, text: 'the node is deleted' }];
  const lines: Omit<StoryLine, 'at'>[] = [];
  const info = after.status?.nodeInfo;
  if (isKnownNode(after) && !isKnownNode(before))
    lines.push({ what: 'join', who: name, text: `${info?.['kubeletVersion'] ?? ''}, ${info?.['osImage'] ?? ''}` });
  if (findDisruptedTaint(after) && !findDisruptedTaint(before))
    lines.push({ what: 'taint', who: name, text: 'no new pods: karpenter.sh/disrupted' });
  return lines;
}

export function lineOfPod({ before, after }: StoryChange<Pod>): readonly Omit<StoryLine, 'at'>[] {
  if (after === undefined) return [];
  const who = after.metadata.name;
  const scheduled = after.status?.conditions?.find((condition) => condition.type === 'PodScheduled');
  const wasUnschedulable =
    before?.status?.conditions?.some((condition) => condition.reason === 'Unschedulable') ?? false;
  if (scheduled?.reason === 'Unschedulable' && !wasUnschedulable) {
    return [{ what: 'pending', who, text: scheduled.message ?? 'no node fits' }];
  }
  if (after.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined) {
    return [{ what: 'evict', who, text: `leaves ${after.spec.nodeName ?? 'no node'}` }];
  }
  if (after.status?.phase === 'Running' && before?.status?.phase !== 'Running') {
    return [{ what: 'run', who, text: `on ${after.spec.nodeName ?? 'unknown'}` }];
  }
  return [];
}

export function lineOfNodeClass(
  { before, after }: StoryChange<EC2NodeClass>,
  imageName: ImageNames,
): readonly Omit<StoryLine, 'at'>[] {
  if (after === undefined) return [];
  const idsOf = (nodeClass: EC2NodeClass | undefined): string =>
    [...new Set((nodeClass?.status?.amis ?? []).map((ami) => imageName(ami.id) ?? ami.id))].join(', ');
  const now = idsOf(after);
  return now === '' || now === idsOf(before)
    ? []
    : [{ what: 'image', who: `ec2nodeclass/${after.metadata.name}`, text: `selects ${now}` }];
}

function wish(claim: NodeClaim): string {
  const requests = Object.entries(claim.spec.resources?.requests ?? {})
    .toSorted(byTextOf(([name]) => name))
    .map(([name, quantity]) => `${name} ${quantity}`)
    .join(', ');
  const types =
    claim.spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values?.length ?? 0;
  return `wanted: ${requests}; ${types} instance types fit`;
}

function printBoughtOffering(claim: NodeClaim, imageName: ImageNames): string {
  const image = claim.status?.imageID ?? 'unknown';
  const machine = `${storyLabel(claim, 'node.kubernetes.io/instance-type')} ${storyLabel(claim, 'karpenter.sh/capacity-type')}`;
  return `${machine} in ${storyLabel(claim, 'topology.kubernetes.io/zone')}, ${imageName(image) ?? image}`;
}

/** What the controller says of a rollout. */
export const lineOfRolloutEvent = ({ involvedObject, reason, message }: Event): readonly Omit<StoryLine, 'at'>[] =>
  involvedObject.kind === 'NodeRollout'
    ? [{ what: 'rollout', who: involvedObject.name ?? '', text: `${reason}: ${message}` }]
    : [];

/** Why a claim came, as far as events tell: `DisruptionLaunching` marks a replacement. */
export const replacementReason = (event: Event): string | undefined =>
  event.reason === 'DisruptionLaunching' ? /: (\w+)/.exec(event.message)?.[1] : undefined;
