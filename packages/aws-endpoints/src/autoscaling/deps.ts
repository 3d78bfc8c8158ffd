import type { Clock, Random, Ledger } from '@nodewright/runtime';
import type { AwsAccount } from '../account.ts';
import type { Ec2 } from '../ec2/model.ts';
import type { AwsEvent } from '../events/event.ts';
import type { LaunchConfigurations } from './launch-configurations.ts';
import type { Queues } from '../sqs/queues.ts';

export type AutoScalingDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ec2: Ec2;
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly configurations: LaunchConfigurations;
  /** Tells EventBridge. */
  readonly publish: (event: AwsEvent) => void;
};
