import { hours } from '@nodewright/apis';
import type { Issue } from '@aws-sdk/client-eks';
import type { AutoScalingGroupRecord } from '../../../autoscaling/group/group.ts';
import { isRunning } from '../../../autoscaling/group/instance-refresh.ts';
import type { EksNodeGroup } from '../node-group.ts';
import { buildIssue, type HealthSurroundings } from './issue.ts';
import { launchIssues } from './launch-issues.ts';
import { partIssues } from './part-issues.ts';
import { templateIssues } from './template-issues.ts';

/** What is wrong with a group now, as everything that it is made of shows it. */
export function listGroupIssues(group: EksNodeGroup, around: HealthSurroundings): readonly Issue[] {
  const isGoing = group.status === 'DELETING' || group.status === 'DELETE_FAILED';
  const own = isGoing ? [] : ownIssues(group, around);
  return [...own, ...injectedIssues(group, around)];
}

function ownIssues(group: EksNodeGroup, around: HealthSurroundings): readonly Issue[] {
  const { resources, status } = group;
  if (resources === undefined) return [];
  const scaling = around.autoScaling.find(resources.groupName);
  if (scaling === undefined) {
    const { groupName } = resources;
    return [
      buildIssue('AutoScalingGroupNotFound', `We couldn't find the Auto Scaling group ${groupName}.`, [groupName]),
    ];
  }
  if (status === 'CREATING') return launchIssues(scaling);
  return [
    ...accessIssues(around),
    ...creationIssues(group, scaling),
    ...templateIssues(group, scaling, around),
    ...partIssues(group, around),
    ...refreshIssues(scaling),
    ...launchIssues(scaling),
    ...nodeIssues(group, scaling, around),
  ];
}

const accessProblems = {
  granted: [],
  denied: [
    buildIssue(
      'AccessDenied',
      'EKS may not look after nodes: the cluster role eks:node-manager or its binding is missing in the cluster.',
      [],
    ),
  ],
  unreachable: [buildIssue('ClusterUnreachable', 'EKS cannot reach the API server of the cluster.', [])],
} as const;

const accessIssues = ({ access }: HealthSurroundings): readonly Issue[] => accessProblems[access()];

function creationIssues({ status }: EksNodeGroup, { instances }: AutoScalingGroupRecord): readonly Issue[] {
  if (status !== 'CREATE_FAILED') return [];
  const message = 'Instances failed to join the kubernetes cluster';
  return [buildIssue('NodeCreationFailure', message, instances.map(({ id }) => id).toSorted())];
}

const refreshIssues = ({ refreshes, name }: AutoScalingGroupRecord): readonly Issue[] =>
  refreshes.some(isRunning)
    ? [
        buildIssue(
          'AutoScalingGroupInstanceRefreshActive',
          'An instance refresh is running on the Auto Scaling group.',
          [name],
        ),
      ]
    : [];

/** How long a failed drain is an issue. */
const launchFailureRememberedMs = hours(1);

/** Instances that are there and are no node in time, and nodes that were not empty when their time was over. */
function nodeIssues(
  { unjoined = [], unevicted }: EksNodeGroup,
  { instances }: AutoScalingGroupRecord,
  { ec2 }: HealthSurroundings,
): readonly Issue[] {
  const late = unjoined.filter((id) => instances.some((instance) => instance.id === id));
  const creation = 'Instances run, but are no ready nodes with the labels of the group.';
  const eviction = 'Pods were still on the node when the time to drain it was over; it was terminated all the same.';
  return [
    ...(late.length === 0 ? [] : [buildIssue('NodeCreationFailure', creation, late)]),
    ...(unevicted !== undefined && ec2.clock.now() < unevicted.at + launchFailureRememberedMs
      ? [buildIssue('PodEvictionFailure', eviction, [unevicted.node])]
      : []),
  ];
}

const injectedIssues = ({ name, resources }: EksNodeGroup, { faults }: HealthSurroundings): readonly Issue[] =>
  faults
    .find('node-group-issue')
    .filter(({ nodegroup }) => (nodegroup ?? name) === name)
    .map(({ code, message }) =>
      buildIssue(code, message ?? 'A fault of the sandbox says so.', [resources?.groupName ?? name]),
    );

/** Issues that do not stand in the way of a version update. */
const harmless: readonly Issue['code'][] = [
  'AsgInstanceLaunchFailures',
  'InstanceLimitExceeded',
  'InsufficientFreeAddresses',
  'ClusterUnreachable',
];

export const blockingIssue = (issues: readonly Issue[]): Issue | undefined =>
  issues.find(({ code }) => !harmless.includes(code));
