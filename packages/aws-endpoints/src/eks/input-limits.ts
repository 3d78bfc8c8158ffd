import { describeExceededLimit, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { invalidParameter } from './errors.ts';

const page = [limitValue('maxResults', 1, 100)];

/** What the API reference of EKS says of page sizes. */
export const eksInputLimits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeClusterVersions', page],
    ['ListAddons', page],
    ['ListClusters', page],
    ['ListFargateProfiles', page],
    ['ListInsights', page],
    ['ListNodegroups', page],
    ['ListUpdates', page],
  ]),
  refuse: (exceeded) => invalidParameter({}, describeExceededLimit(exceeded)),
};
