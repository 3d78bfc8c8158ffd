import type { Issue } from '@aws-sdk/client-eks';
import { activeOf, type AutoScalingGroupRecord } from '../../../autoscaling/group/group.ts';
import { buildIssue } from './issue.ts';

/** The last launch failed: it stays so until another one works. */
export function launchIssues(scaling: AutoScalingGroupRecord): readonly Issue[] {
  const [last] = scaling.activities.filter(({ description }) => description.startsWith('Launching'));
  if (last?.status !== 'Failed') return [];
  const message = last.message ?? 'EC2 refused to launch an instance.';
  const missing = activeOf(scaling).length < scaling.desired ? 'wanted' : 'tried';
  const kind = scaling.capacityType === 'spot' ? 'Spot' : 'On-Demand';
  const text = `Could not launch ${kind} Instances ${missing} by the Auto Scaling group. ${message}`;
  return [buildIssue(launchIssueCode(message), text, [scaling.name])];
}

function launchIssueCode(message: string): NonNullable<Issue['code']> {
  if (message.includes('free addresses')) return 'InsufficientFreeAddresses';
  return /vCPU limit|Max spot instance count/.test(message) ? 'InstanceLimitExceeded' : 'AsgInstanceLaunchFailures';
}
