import { AwsError } from '../codec/aws-error.ts';
import { describeExceededLimit, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { serviceQuotasConstraintsJson } from './input-constraints.generated.ts';

const quotaPageSize = [limitValue('MaxResults', 1, 100)];

/** What the API reference of Service Quotas says of page sizes. */
export const quotaLimits: ServiceLimits = {
  byOperation: new Map([
    ['ListAWSDefaultServiceQuotas', quotaPageSize],
    ['ListServiceQuotas', quotaPageSize],
    ['ListServices', quotaPageSize],
  ]),
  refuse: (exceeded) => new AwsError('IllegalArgumentException', describeExceededLimit(exceeded)),
};

/** What the model says of inputs. */
export const quotaConstraints: ServiceConstraints = {
  listViolations: compileConstraints(serviceQuotasConstraintsJson),
  refuse: (violations) => new AwsError('IllegalArgumentException', describeViolations(violations)),
};
