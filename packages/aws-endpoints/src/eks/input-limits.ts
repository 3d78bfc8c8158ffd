import { describeExceededLimit, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints, type Violation } from '../limits/constraint-checks.ts';
import { writeConstrainedValue } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { type GroupPlace, invalidParameter } from './errors.ts';
import { eksConstraintsJson } from './input-constraints.generated.ts';

const eksPageSize = [limitValue('maxResults', 1, 100)];

/** What the API reference of EKS says of page sizes. */
export const eksInputLimits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeClusterVersions', eksPageSize],
    ['ListAccessEntries', eksPageSize],
    ['ListAccessPolicies', eksPageSize],
    ['DescribeAddonVersions', eksPageSize],
    ['ListAddons', eksPageSize],
    ['ListAssociatedAccessPolicies', eksPageSize],
    ['ListPodIdentityAssociations', eksPageSize],
    ['ListClusters', eksPageSize],
    ['ListFargateProfiles', eksPageSize],
    ['ListIdentityProviderConfigs', eksPageSize],
    ['ListInsights', eksPageSize],
    ['ListNodegroups', eksPageSize],
    ['ListUpdates', eksPageSize],
  ]),
  refuse: (exceeded) => invalidParameter({}, describeExceededLimit(exceeded)),
};

/** What the model says of inputs. EKS tells of the first problem only. */
export const eksConstraints: ServiceConstraints = {
  listViolations: compileConstraints(eksConstraintsJson),
  refuse: ([first], input) => {
    if (first === undefined) throw new Error('an input without violations is not refused');
    return invalidParameter(readPlace(input), describeEksViolation(first));
  },
};

function readPlace({ clusterName, nodegroupName }: Readonly<Record<string, unknown>>): GroupPlace {
  return {
    ...(typeof clusterName === 'string' && { clusterName }),
    ...(typeof nodegroupName === 'string' && { nodegroupName }),
  };
}

function describeEksViolation(violation: Violation): string {
  const path = violation.path.join('.');
  switch (violation.kind) {
    case 'required':
      return `The parameter ${path} is required.`;
    case 'least':
    case 'most':
      return describeEksBound(violation, path);
    case 'pattern':
      return `The parameter ${path} contains invalid characters. It should conform to the regular expression "${violation.pattern}". In other words, it should start with a number or letter, and can contain numbers, letters, dashes, and underscores.`;
    case 'values':
      return `${path} is ${writeConstrainedValue(violation.value)}, must be one of ${violation.values.join(', ')}`;
  }
}

type BoundViolation = Extract<Violation, { readonly kind: 'least' | 'most' }>;

function describeEksBound({ value, range, of, inMap }: BoundViolation, path: string): string {
  const { min = 0, max } = range;
  const bounds = max === undefined ? `${min} or more` : `from ${min} to ${max}`;
  if (of === 'value') return `${path} is ${writeConstrainedValue(value)}, must be ${bounds}`;
  if (inMap !== undefined) return `${path}: ${inMap} must have ${bounds} characters`;
  if (typeof value === 'string') return `${path} is ${value}, must have ${bounds} characters`;
  const count = Array.isArray(value) ? value.length : Object.keys(value as object).length;
  return `${path}: ${count} given, ${max === undefined ? bounds : max} are allowed`;
}
