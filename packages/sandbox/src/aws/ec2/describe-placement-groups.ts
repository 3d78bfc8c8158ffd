import type { DescribePlacementGroupsRequest, DescribePlacementGroupsResult } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import type { Ec2 } from './model.ts';

/** The account has no placement groups. */
export function describePlacementGroups(
  _ec2: Ec2,
  request: DescribePlacementGroupsRequest,
): DescribePlacementGroupsResult {
  const asked = request.GroupNames?.[0] ?? request.GroupIds?.[0];
  if (asked === undefined) return { PlacementGroups: [] };
  throw new AwsError('InvalidPlacementGroup.Unknown', `The Placement Group '${asked}' is unknown.`);
}
