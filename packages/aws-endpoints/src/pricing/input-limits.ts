import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { pricingConstraintsJson } from './input-constraints.generated.ts';

/** What the API reference of the price list says of list lengths and page sizes. */
export const pricingLimits: ServiceLimits = {
  byOperation: new Map([['GetProducts', [limitValue('MaxResults', 1, 100), limitItems('Filters', 50)]]]),
  refuse: (exceeded) => new AwsError('InvalidParameterException', describeConstraint(exceeded)),
};

/** What the model says of inputs. */
export const pricingConstraints: ServiceConstraints = {
  listViolations: compileConstraints(pricingConstraintsJson),
  refuse: (violations) => new AwsError('InvalidParameterException', describeViolations(violations)),
};
