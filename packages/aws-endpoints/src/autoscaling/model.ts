import type { Clock } from '@nodewright/runtime';
import type { Ec2 } from '../ec2/model.ts';
import type { Queues } from '../sqs/queues.ts';
import type { AutoScaling } from './auto-scaling.ts';

/** What the operations work on. */
export type AutoScalingService = {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly clock: Clock;
  readonly queues: Queues;
  readonly newId: () => string;
};
