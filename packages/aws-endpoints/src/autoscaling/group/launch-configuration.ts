import type { PurchaseType } from '../../ec2/instance.ts';

export type GroupLaunchTemplate = { readonly id: string; readonly name: string; readonly version: string };

/** What a group launches, and what an instance refresh may move it to. */
export type LaunchConfiguration = {
  readonly template: GroupLaunchTemplate;
  /** Types in the order of preference: a mixed instances policy. None: the template's own type. */
  readonly instanceTypes: readonly string[];
  readonly allocation?: string;
  readonly mixed: boolean;
  readonly capacityType: PurchaseType;
};
