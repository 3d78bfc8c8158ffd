import { limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { badValue } from './errors.ts';

const queuePageSize = [limitValue('MaxResults', 1, 1_000)];

/** What the API reference of SQS says of page sizes. Batches and ReceiveMessage have errors of their own. */
export const sqsLimits: ServiceLimits = {
  byOperation: new Map([
    ['ListDeadLetterSourceQueues', queuePageSize],
    ['ListQueues', queuePageSize],
  ]),
  refuse: ({ path, actual, least, most }) =>
    badValue(path, actual, `Must be between ${least} and ${most}, if provided.`),
};
