import type { Logging, VpcConfigRequest } from '@aws-sdk/client-eks';
import { noSuchSecurityGroup, noSuchSubnet } from '../../../ec2/errors.ts';
import { type GroupPlace, invalidParameter, writeErrorOfService } from '../../errors.ts';
import type { Eks } from '../../model.ts';

/** @throws AwsError unless subnets and groups exist, and the subnets are in two zones at least */
export function checkClusterPlaces(
  { network }: Eks,
  { subnetIds, securityGroupIds = [] }: VpcConfigRequest,
  place: GroupPlace,
) {
  if (subnetIds !== undefined) {
    const unknown = subnetIds.find((id) => !network.subnets.some((subnet) => subnet.id === id));
    if (unknown !== undefined) throw invalidParameter(place, writeErrorOfService('AmazonEC2', noSuchSubnet(unknown)));
    const subnets = network.subnets.filter(({ id }) => subnetIds.includes(id));
    if (new Set(subnets.map(({ vpcId }) => vpcId)).size > 1)
      throw invalidParameter(place, 'Subnets specified must be in the same VPC');
    const zones = new Set(subnets.map(({ zone }) => zone));
    if (zones.size < 2) throw invalidParameter(place, 'Subnets specified must be in at least two different AZs');
  }
  const stranger = securityGroupIds.find((id) => !network.securityGroups.some((group) => group.id === id));
  if (stranger !== undefined)
    throw invalidParameter(place, writeErrorOfService('AmazonEC2', noSuchSecurityGroup(stranger)));
}

/** What is logged once the request is carried out. */
export function loggedAfter(before: readonly string[], logging: Logging | undefined): readonly string[] {
  const after = new Set(before);
  for (const { types = [], enabled = false } of logging?.clusterLogging ?? []) {
    for (const type of types) if (enabled) after.add(type);
    for (const type of types) if (!enabled) after.delete(type);
  }
  return [...after].toSorted();
}
