import type {
  CancelUpdateRequest,
  DescribeNodegroupRequest,
  DescribeNodegroupResponse,
  ListNodegroupsRequest,
  ListNodegroupsResponse,
} from '@aws-sdk/client-eks';
import { pageOf } from '../../paging.ts';
import { checkCluster } from '../cluster-operations.ts';
import { badToken, invalidRequest } from '../errors.ts';
import type { Eks } from '../model.ts';
import { groupOnTheWire } from './group-on-the-wire.ts';

export function describeNodegroup(eks: Eks, request: DescribeNodegroupRequest): DescribeNodegroupResponse {
  checkCluster(eks, request.clusterName);
  return { nodegroup: groupOnTheWire(eks.nodeGroups.group(request.nodegroupName ?? ''), eks.nodeGroups) };
}

export function listNodegroups(eks: Eks, request: ListNodegroupsRequest): ListNodegroupsResponse {
  checkCluster(eks, request.clusterName);
  const names = eks.nodeGroups.all().map(({ name }) => name);
  const page = { size: request.maxResults ?? 100, token: request.nextToken, refuse: badToken };
  const { items, next } = pageOf(names, page);
  return { nodegroups: [...items], ...(next && { nextToken: next }) };
}

/** Only a cluster that rolls back could be stopped, and no cluster here does. */
export function cancelUpdate(eks: Eks, request: CancelUpdateRequest): never {
  checkCluster(eks, request.name);
  throw invalidRequest(
    { clusterName: eks.clusterName },
    `Update ${request.updateId} cannot be cancelled: only version rollbacks of a cluster can`,
  );
}
