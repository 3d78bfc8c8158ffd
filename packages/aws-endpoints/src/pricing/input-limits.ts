import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';

/** What the API reference of the price list says of list lengths and page sizes. */
export const pricingLimits: ServiceLimits = {
  byOperation: new Map([['GetProducts', [limitValue('MaxResults', 1, 100), limitItems('Filters', 50)]]]),
  refuse: (exceeded) => new AwsError('InvalidParameterException', describeConstraint(exceeded)),
};
