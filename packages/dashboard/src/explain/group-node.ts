import { type NodeGroup, readOwn } from '@nodewright/apis';
import { nodeLabelsOf, type NodeState } from '@nodewright/engine';

/** What EKS writes on the nodes of its groups. Nodes of other Auto Scaling groups carry no sign. */
const managedGroupLabels = {
  group: 'eks.amazonaws.com/nodegroup',
  image: 'eks.amazonaws.com/nodegroup-image',
} as const;

/** The NodeGroup that a node without a NodeClaim is of. */
export function findGroupOfNode(state: NodeState, groups: readonly NodeGroup[]): NodeGroup | undefined {
  const managed = readOwn(nodeLabelsOf(state), managedGroupLabels.group);
  return groups.find(({ spec, status }) =>
    spec.eks === undefined
      ? status?.instances?.some(({ id }) => id === instanceIdOfState(state)) === true
      : spec.eks.name === managed,
  );
}

/** A node of a NodeGroup: whether it is on its way out, runs another image than the group is to run, or stays. */
export type GroupedNode = { readonly group: NodeGroup; readonly standing: 'leaving' | 'outdated' | 'current' };

export function judgeGroupNode(state: NodeState, group: NodeGroup): GroupedNode {
  const { status = {} } = group;
  if (isLeavingGroup(state, status)) return { group, standing: 'leaving' };
  const { target, phase } = status;
  const isCurrent = target === undefined || phase === 'UpToDate' || runsTarget(imageOfState(state, status), target);
  return { group, standing: isCurrent ? 'current' : 'outdated' };
}

/** What becomes of the node: the sentence follows its name. */
export function answerForGroupNode(state: NodeState, { metadata, status = {} }: NodeGroup): string {
  const of = `is of NodeGroup ${metadata.name}`;
  const { phase = 'Pending', reason = 'it has not been looked at yet', target } = status;
  if (isLeavingGroup(state, status)) return `${of} and is on its way out: the group is ${phase}, ${reason}`;
  if (target === undefined) return `${of} and stays: the group is ${phase}, ${reason}`;
  if (runsTarget(imageOfState(state, status), target)) return `${of} and stays: it runs what the group is to run`;
  switch (phase) {
    case 'UpToDate':
      return `${of} and stays: ${reason}`;
    case 'Updating':
      return `${of} and is to be replaced by the update under way: ${reason}`;
    default:
      return `${of}, runs another image than the group is to run, and is not replaced now: ${reason}`;
  }
}

/** Which group and image, since when, and what the group does next. */
export function describeGroupNode(state: NodeState, group: NodeGroup): readonly string[] {
  const { status = {} } = group;
  const image = imageOfState(state, status);
  const since = groupMemberOf(state, status)?.launchedAt ?? state.node?.metadata.creationTimestamp;
  return [
    `NodeGroup ${group.metadata.name} (${describeGroupKind(group)}), instance ${instanceIdOfState(state)}${image === undefined ? '' : `, image ${image}`}${since === undefined ? '' : `, there since ${since}`}`,
    ...describeGroupUpdate(group),
  ];
}

/** `managed node group system`, by its name in AWS. */
export function describeGroupKind({ metadata, spec }: NodeGroup): string {
  const kind = spec.eks === undefined ? 'Auto Scaling group' : 'managed node group';
  return `${kind} ${spec.eks?.name ?? spec.autoScalingGroup?.name ?? metadata.name}`;
}

/** What a group is to run, its update under way or its last one, what holds it, and what it does next. */
export function describeGroupUpdate({ spec, status = {} }: NodeGroup): readonly string[] {
  const { target, update, blockedBy = [], history = [] } = status;
  const [last] = history;
  const named = [target?.release, target?.name].filter((each) => each !== undefined).join(', ');
  return [
    ...(target === undefined ? [] : [`the group is to run ${target.image}${named === '' ? '' : ` (${named})`}`]),
    ...(update === undefined
      ? []
      : [
          `update ${update.number} to ${update.target} is under way since ${update.startedAt}${update.phase === undefined ? '' : `, in phase ${update.phase}`}`,
        ]),
    ...blockedBy.map(({ message, since: from }) => `held since ${from}: ${message}`),
    ...(update === undefined && last !== undefined
      ? [`the last update, to ${last.target}, was ${last.outcome} at ${last.endedAt}`]
      : []),
    ...describeNext(spec),
  ];
}

type GroupStatus = NonNullable<NodeGroup['status']>;

const describeNext = ({ image, update }: NodeGroup['spec']): readonly string[] => {
  if (image === undefined) return ['the group is watched only: spec.image is not set'];
  return update?.mode === 'OnRequest' ? ['the group is updated on request: spec.update.mode'] : [];
};

const instanceIdOfState = ({ node }: NodeState): string => node?.spec?.providerID?.split('/').at(-1) ?? '';

const groupMemberOf = (state: NodeState, { instances = [] }: GroupStatus) =>
  instances.find(({ id }) => id === instanceIdOfState(state));

const isLeavingGroup = (state: NodeState, status: GroupStatus): boolean =>
  groupMemberOf(state, status)?.leaving === true || state.node?.metadata.deletionTimestamp !== undefined;

const imageOfState = (state: NodeState, status: GroupStatus): string | undefined =>
  groupMemberOf(state, status)?.image ?? readOwn(nodeLabelsOf(state), managedGroupLabels.image);

/** A node whose image is not known is not said to run another. */
const runsTarget = (image: string | undefined, target: NonNullable<GroupStatus['target']>): boolean =>
  image === undefined || image === target.image;
