import type { Issue } from '@aws-sdk/client-eks';
import { activeOf, type Group } from '../../autoscaling/group.ts';
import { isRunning } from '../../autoscaling/refresh-operations.ts';
import type { Ec2 } from '../../ec2/model.ts';
import type { NodeGroup } from './node-group.ts';

/** What is wrong with a group now, as its Auto Scaling group and its templates show it. */
export function issuesOf(group: NodeGroup, scaling: Group | undefined, ec2: Ec2): readonly Issue[] {
  const { resources } = group;
  if (resources === undefined || group.status === 'CREATING' || group.status === 'DELETING') return [];
  if (scaling === undefined) {
    return [
      issue('AutoScalingGroupNotFound', `We couldn't find the Auto Scaling group ${resources.groupName}.`, [
        resources.groupName,
      ]),
    ];
  }
  return [
    ...creationIssues(group, scaling),
    ...templateIssues(group, scaling, ec2),
    ...refreshIssues(scaling),
    ...launchIssues(scaling),
  ];
}

function creationIssues({ status }: NodeGroup, { instances }: Group): readonly Issue[] {
  if (status !== 'CREATE_FAILED') return [];
  const message = 'Instances failed to join the kubernetes cluster';
  return [issue('NodeCreationFailure', message, instances.map(({ id }) => id).toSorted())];
}

const issue = (code: NonNullable<Issue['code']>, message: string, resourceIds: string[]): Issue => ({
  code,
  message,
  resourceIds,
});

function templateIssues({ resources, source }: NodeGroup, scaling: Group, { templates }: Ec2): readonly Issue[] {
  const known = templates.all();
  const own = known.find(({ id }) => id === resources?.templateId);
  if (own === undefined) {
    const id = resources?.templateId ?? '';
    return [issue('Ec2LaunchTemplateNotFound', `The launch template ${id} that EKS made for the group is gone.`, [id])];
  }
  if (scaling.template.id !== own.id || scaling.template.version !== resources?.pointer) {
    const message = `The Auto Scaling group uses version ${scaling.template.version} of ${scaling.template.id}; EKS expects version ${resources?.pointer} of ${own.id}.`;
    return [issue('Ec2LaunchTemplateVersionMismatch', message, [scaling.template.id])];
  }
  if (source === undefined || known.some(({ id }) => id === source.id)) return [];
  return [
    issue('SourceEc2LaunchTemplateNotFound', `The launch template ${source.id} of the group is gone.`, [source.id]),
  ];
}

const refreshIssues = (scaling: Group): readonly Issue[] =>
  scaling.refreshes.some(isRunning)
    ? [
        issue('AutoScalingGroupInstanceRefreshActive', 'An instance refresh is running on the Auto Scaling group.', [
          scaling.name,
        ]),
      ]
    : [];

/** The last launch failed: it stays so until another one works. */
function launchIssues(scaling: Group): readonly Issue[] {
  const [last] = scaling.activities.filter(({ description }) => description.startsWith('Launching'));
  if (last?.status !== 'Failed') return [];
  const message = last.message ?? 'EC2 refused to launch an instance.';
  const isFull = message.includes('free addresses');
  const missing = activeOf(scaling).length < scaling.desired ? 'wanted' : 'tried';
  return [
    issue(
      isFull ? 'InsufficientFreeAddresses' : 'AsgInstanceLaunchFailures',
      `Could not launch On-Demand Instances ${missing} by the Auto Scaling group. ${message}`,
      [scaling.name],
    ),
  ];
}

/** Issues that do not stand in the way of a version update. */
const harmless: readonly Issue['code'][] = [
  'AsgInstanceLaunchFailures',
  'InstanceLimitExceeded',
  'InsufficientFreeAddresses',
  'ClusterUnreachable',
];

export const blockingIssue = (issues: readonly Issue[]): Issue | undefined =>
  issues.find(({ code }) => !harmless.includes(code));
