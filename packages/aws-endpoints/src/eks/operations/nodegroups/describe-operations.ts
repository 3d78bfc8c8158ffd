import type {
  DescribeNodegroupRequest,
  DescribeNodegroupResponse,
  ListNodegroupsRequest,
  ListNodegroupsResponse,
} from '@aws-sdk/client-eks';
import { takePage } from '../../../paging.ts';
import { eksPage } from '../page.ts';
import type { Eks } from '../../model.ts';
import { writeNodegroup } from '../../nodegroups/group-on-the-wire.ts';
import { findNodegroup, listClusterGroups } from './groups-of.ts';

export function describeNodegroup(eks: Eks, request: DescribeNodegroupRequest): DescribeNodegroupResponse {
  const { group, nodeGroups } = findNodegroup(eks, request);
  return { nodegroup: writeNodegroup(group, nodeGroups) };
}

export function listNodegroups(eks: Eks, request: ListNodegroupsRequest): ListNodegroupsResponse {
  const names = listClusterGroups(eks, request.clusterName).map(({ name }) => name);
  const { items, next } = takePage(names, eksPage(request));
  return { nodegroups: [...items], ...(next && { nextToken: next }) };
}
