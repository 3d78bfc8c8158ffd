import { AwsError } from '../codec/aws-error.ts';
import { describeExceededLimit, limitValue, type ServiceLimits } from '../limits/input-limits.ts';

const page = [limitValue('MaxResults', 1, 100)];

/** What the API reference of Service Quotas says of page sizes. */
export const quotaLimits: ServiceLimits = {
  byOperation: new Map([
    ['ListAWSDefaultServiceQuotas', page],
    ['ListServiceQuotas', page],
    ['ListServices', page],
  ]),
  refuse: (exceeded) => new AwsError('IllegalArgumentException', describeExceededLimit(exceeded)),
};
