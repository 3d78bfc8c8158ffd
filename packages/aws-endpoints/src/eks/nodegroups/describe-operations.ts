import type {
  DescribeNodegroupRequest,
  DescribeNodegroupResponse,
  ListNodegroupsRequest,
  ListNodegroupsResponse,
} from '@aws-sdk/client-eks';
import { pageOf } from '../../paging.ts';
import { eksPage } from '../page.ts';
import type { Eks } from '../model.ts';
import { groupOnTheWire } from './group-on-the-wire.ts';
import { groupNamed, groupsOf } from './groups-of.ts';

export const describeNodegroup = (eks: Eks, request: DescribeNodegroupRequest): DescribeNodegroupResponse => ({
  nodegroup: groupOnTheWire(groupNamed(eks, request), eks.nodeGroups),
});

export function listNodegroups(eks: Eks, request: ListNodegroupsRequest): ListNodegroupsResponse {
  const names = groupsOf(eks, request.clusterName).map(({ name }) => name);
  const { items, next } = pageOf(names, eksPage(request));
  return { nodegroups: [...items], ...(next && { nextToken: next }) };
}
