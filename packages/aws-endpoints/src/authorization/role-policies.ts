import { readOwn } from '@nodewright/apis';
import type { Iam, Role } from '../iam/model.ts';
import type { IamPolicy, IamPolicyStatement } from './iam-policy.ts';
import { IamPolicyError, parseIamPolicy } from './parse-policy.ts';

/** What the policies of AWS allow of the calls that the sandbox serves, without conditions. */
const actionsOfAws: Readonly<Record<string, readonly string[]>> = {
  AdministratorAccess: ['*'],
  ReadOnlyAccess: [
    'autoscaling:Describe*',
    'ec2:Describe*',
    'ec2:Get*',
    'eks:Describe*',
    'eks:List*',
    'events:Describe*',
    'events:List*',
    'fis:Get*',
    'fis:List*',
    'iam:Get*',
    'iam:List*',
    'pricing:GetProducts',
    'servicequotas:Get*',
    'servicequotas:List*',
    'sqs:GetQueue*',
    'sqs:List*',
    'ssm:Describe*',
    'ssm:Get*',
    'sts:GetCallerIdentity',
  ],
  AmazonEKSWorkerNodePolicy: [
    'ec2:DescribeInstances',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeRouteTables',
    'ec2:DescribeSecurityGroups',
    'ec2:DescribeSubnets',
    'ec2:DescribeVolumes',
    'ec2:DescribeVpcs',
    'eks:DescribeCluster',
    'eks-auth:AssumeRoleForPodIdentity',
  ],
  AmazonEKSWorkerNodeMinimalPolicy: ['ec2:DescribeInstances', 'eks-auth:AssumeRoleForPodIdentity'],
  AmazonEKS_CNI_Policy: [
    'ec2:DescribeInstances',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DescribeTags',
  ],
  AmazonSSMManagedInstanceCore: ['ssm:GetParameter', 'ssm:GetParameters'],
  AmazonEBSCSIDriverPolicy: [
    'ec2:DescribeAvailabilityZones',
    'ec2:DescribeInstances',
    'ec2:DescribeSnapshots',
    'ec2:DescribeTags',
    'ec2:DescribeVolumes',
  ],
};

const allowActions = (patterns: readonly string[], sid: string): IamPolicyStatement => ({
  sid,
  effect: 'Allow',
  actions: { patterns, isNegated: false },
  resources: { patterns: ['*'], isNegated: false },
  conditions: [],
});

/** What a role or a user may do: the statements of its inline policies and of the policies that are attached to it. */
export function readPrincipalPolicies(iam: Iam, principal: Pick<Role, 'policies' | 'attached'> | undefined): IamPolicy {
  const documents = Object.values(principal?.policies ?? {});
  const attached = (principal?.attached ?? []).flatMap((arn) => readAttached(iam, arn));
  return { statements: [...documents.flatMap(readStatements), ...attached] };
}

function readAttached(iam: Iam, arn: string): readonly IamPolicyStatement[] {
  const document = iam.managedPolicies.get(arn)?.document;
  if (document !== undefined) return readStatements(document);
  const name = arn.split('/').at(-1) ?? '';
  const actions = arn.includes(':iam::aws:') ? readOwn(actionsOfAws, name) : undefined;
  return actions === undefined ? [] : [allowActions(actions, name)];
}

/** A document that the sandbox cannot evaluate allows nothing. */
function readStatements(document: string): readonly IamPolicyStatement[] {
  try {
    return parseIamPolicy(document).statements;
  } catch (failure) {
    if (failure instanceof IamPolicyError) return [];
    throw failure;
  }
}
