import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { malformedImageId, malformedInstanceId, malformedReservationId, malformedTemplateId } from './errors.ts';

type IdForm = { readonly form: RegExp; readonly refuse: (id: string) => AwsError };

const malformed =
  (code: string, prefix: string) =>
  (id: string): AwsError =>
    new AwsError(`${code}.Malformed`, `Invalid id: "${id}" (expecting "${prefix}...")`);

/** The forms of ids by the members of requests that list them. Subnets have no error of this kind. */
const idForms: Readonly<Record<string, IdForm>> = {
  CapacityReservationIds: { form: /^cr-/, refuse: malformedReservationId },
  GroupIds: { form: /^sg-/, refuse: malformed('InvalidGroupId', 'sg-') },
  ImageIds: { form: /^ami-[0-9a-f]+$/, refuse: malformedImageId },
  InstanceIds: { form: /^i-[0-9a-f]+$/, refuse: malformedInstanceId },
  InternetGatewayIds: { form: /^igw-/, refuse: malformed('InvalidInternetGatewayId', 'igw-') },
  LaunchTemplateIds: { form: /^lt-/, refuse: malformedTemplateId },
  NatGatewayIds: { form: /^nat-/, refuse: malformed('InvalidNatGatewayID', 'nat-') },
  NetworkAclIds: { form: /^acl-/, refuse: malformed('InvalidNetworkAclId', 'acl-') },
  NetworkInterfaceIds: { form: /^eni-/, refuse: malformed('InvalidNetworkInterfaceId', 'eni-') },
  PrefixListIds: { form: /^pl-/, refuse: malformed('InvalidPrefixListId', 'pl-') },
  RouteTableIds: { form: /^rtb-/, refuse: malformed('InvalidRouteTableId', 'rtb-') },
  SecurityGroupRuleIds: { form: /^sgr-/, refuse: malformed('InvalidSecurityGroupRuleId', 'sgr-') },
  SnapshotIds: { form: /^snap-/, refuse: malformed('InvalidSnapshotID', 'snap-') },
  SpotInstanceRequestIds: { form: /^sir-/, refuse: malformed('InvalidSpotInstanceRequestID', 'sir-') },
  VolumeIds: { form: /^vol-/, refuse: malformed('InvalidVolumeID', 'vol-') },
  VpcEndpointIds: { form: /^vpce-/, refuse: malformed('InvalidVpcEndpointId', 'vpce-') },
  VpcIds: { form: /^vpc-/, refuse: malformed('InvalidVpcID', 'vpc-') },
};

/** Checks the ids that a request lists. @throws AwsError for the first one that has not the form of its kind */
export function checkIdForms(request: Readonly<Record<string, unknown>>): void {
  for (const [member, { form, refuse }] of Object.entries(idForms)) {
    const ids = readOwn(request, member);
    if (!Array.isArray(ids)) continue;
    const bad = ids.find((id) => !form.test(String(id)));
    if (bad !== undefined) throw refuse(String(bad));
  }
}
