import type { InstancesDistribution, LaunchTemplateOverrides } from '@aws-sdk/client-auto-scaling';
import type { PurchaseType } from '../../ec2/instance.ts';

/** A version of a launch template; or, without an id and a version, a launch configuration. */
export type GroupLaunchTemplate = {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Whether the version is the default one because none was named. */
  readonly isUnversioned?: boolean;
};

/** What a group launches from that names a launch configuration. */
export const referToLaunchConfiguration = (name: string): GroupLaunchTemplate => ({ id: '', name, version: '' });

export const isLaunchConfiguration = ({ id }: GroupLaunchTemplate): boolean => id === '';

export type SentPolicy = {
  readonly distribution: InstancesDistribution;
  readonly overrides: readonly LaunchTemplateOverrides[];
};

/** What a group launches, and what an instance refresh may move it to. */
export type LaunchConfiguration = {
  readonly template: GroupLaunchTemplate;
  /** Types in the order of preference: a mixed instances policy. None: the template's own type. */
  readonly instanceTypes: readonly string[];
  readonly allocation?: string;
  readonly mixed: boolean;
  /** A mixed instances policy as it was sent. Which share of the instances are spot instances has no effect but none and all. */
  readonly policy?: SentPolicy;
  readonly capacityType: PurchaseType;
};
