import type { CreateServiceLinkedRoleRequest, CreateServiceLinkedRoleResponse } from '@aws-sdk/client-iam';
import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import type { Iam } from './model.ts';
import { roleOnTheWire } from './role-operations.ts';

/** The roles of the services that run nodes. */
const linkedRoles: Readonly<Record<string, string>> = {
  'autoscaling.amazonaws.com': 'AWSServiceRoleForAutoScaling',
  'ec2fleet.amazonaws.com': 'AWSServiceRoleForEC2Fleet',
  'eks.amazonaws.com': 'AWSServiceRoleForAmazonEKS',
  'eks-nodegroup.amazonaws.com': 'AWSServiceRoleForAmazonEKSNodegroup',
  'elasticloadbalancing.amazonaws.com': 'AWSServiceRoleForElasticLoadBalancing',
  'spot.amazonaws.com': 'AWSServiceRoleForEC2Spot',
  'spotfleet.amazonaws.com': 'AWSServiceRoleForEC2SpotFleet',
};

/** The services that may have several roles. */
const suffixed: ReadonlySet<string> = new Set(['autoscaling.amazonaws.com']);

export function createServiceLinkedRole(
  iam: Iam,
  { AWSServiceName: service = '', CustomSuffix: suffix, Description: description }: CreateServiceLinkedRoleRequest,
): CreateServiceLinkedRoleResponse {
  const plain = readOwn(linkedRoles, service);
  if (plain === undefined)
    throw new AwsError('InvalidInput', `The sandbox knows no service-linked role of ${service}.`);
  if (suffix !== undefined && !suffixed.has(service))
    throw new AwsError('InvalidInput', `Custom suffix is not allowed for ${service}`);
  const name = suffix === undefined ? plain : `${plain}_${suffix}`;
  if (iam.roles().some((role) => role.name === name)) {
    const message = `Service role name ${name} has been taken in this account, please try a different suffix.`;
    throw new AwsError('InvalidInput', message);
  }
  const statement = { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' };
  const role = iam.createRole({
    name,
    path: `/aws-service-role/${service}/`,
    trust: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
    ...(description !== undefined && { description }),
  });
  return { Role: roleOnTheWire(role) };
}
