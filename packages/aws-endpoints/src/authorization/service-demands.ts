import { readOwn } from '@nodewright/apis';
import { arnOf, type AwsAccount, iamArnOf } from '../account.ts';
import type { AutoScaling } from '../autoscaling/auto-scaling.ts';
import type { WireStructure } from '../codec/shape.ts';
import type { Eks } from '../eks/model.ts';
import type { Iam } from '../iam/model.ts';
import type { MakeDemand } from './demand-context.ts';
import type { AccessDemand } from './iam-policy.ts';
import { demandsOfPassing } from './launch-demands.ts';

export type ServiceSources = {
  readonly account: AwsAccount;
  readonly iam: Iam;
  readonly eks: Pick<Eks, 'clusters' | 'groupsOf'>;
  readonly autoScaling: AutoScaling;
};

type DemandsOfService = (
  sources: ServiceSources,
  make: MakeDemand,
  operation: string,
  input: WireStructure,
) => readonly AccessDemand[];

const textOfMember = (input: WireStructure, name: string): string | undefined => {
  const value = readOwn(input, name);
  return typeof value === 'string' ? value : undefined;
};

/** Instance profiles have tags. Putting a role into one passes the role. */
export const demandsOfIam: DemandsOfService = ({ account, iam }, make, operation, input) => {
  const name = textOfMember(input, 'InstanceProfileName');
  if (name === undefined || operation.startsWith('List')) return [make(`iam:${operation}`, '*')];
  const found = iam.findProfile(name);
  const arn = found?.arn ?? iamArnOf(account, `instance-profile${textOfMember(input, 'Path') ?? '/'}${name}`);
  const requestTags = readProfileTags(input);
  const facts = { resourceTags: found?.tags ?? {}, requestTags };
  const isTaggedCreation = operation === 'CreateInstanceProfile' && Object.keys(requestTags).length > 0;
  const role = operation === 'AddRoleToInstanceProfile' ? textOfMember(input, 'RoleName') : undefined;
  return [
    make(`iam:${operation}`, arn, facts),
    ...(isTaggedCreation ? [make('iam:TagInstanceProfile', arn, facts)] : []),
    ...(role === undefined ? [] : demandsOfPassing(iam, make, role)),
  ];
};

const readProfileTags = ({ Tags }: WireStructure): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Array.isArray(Tags) ? (Tags as readonly { Key?: string; Value?: string }[]) : []).map(
      ({ Key = '', Value = '' }) => [Key, Value],
    ),
  );

export const demandsOfEks: DemandsOfService = ({ account, eks }, make, operation, input) => {
  const group = textOfMember(input, 'nodegroupName');
  const cluster = textOfMember(input, 'clusterName') ?? textOfMember(input, 'name');
  if (cluster === undefined) return [make(`eks:${operation}`, '*')];
  const isKnown = group !== undefined && eks.clusters.find(cluster) !== undefined;
  const found = isKnown ? eks.groupsOf(cluster).find(group) : undefined;
  const path = group === undefined ? `cluster/${cluster}` : `nodegroup/${cluster}/${group}/*`;
  return [make(`eks:${operation}`, found?.arn ?? arnOf(account, 'eks', path), { resourceTags: found?.tags ?? {} })];
};

export const demandsOfSsm: DemandsOfService = ({ account }, make, operation, input) => {
  const { Names } = input;
  const names = Array.isArray(Names) ? (Names as readonly string[]) : [];
  const single = textOfMember(input, 'Name') ?? textOfMember(input, 'Path');
  const all = single === undefined ? names : [single, ...names];
  if (all.length === 0) return [make(`ssm:${operation}`, '*')];
  return all.map((name) => make(`ssm:${operation}`, parameterArn(account, name)));
};

/** Public parameters belong to no account. A version or a label after the name is no part of it. */
function parameterArn(account: AwsAccount, name: string): string {
  const [path = ''] = name.split(':');
  const owner = path.startsWith('/aws/') ? { ...account, id: '' } : account;
  return name.startsWith('arn:')
    ? name
    : arnOf(owner, 'ssm', `parameter/${path.replace(/^\//, '').replace(/\/$/, '')}`);
}

export const demandsOfSqs: DemandsOfService = ({ account }, make, operation, input) => {
  const queue = textOfMember(input, 'QueueName') ?? textOfMember(input, 'QueueUrl')?.split('/').at(-1);
  return [make(`sqs:${operation}`, queue === undefined ? '*' : arnOf(account, 'sqs', queue))];
};

export const demandsOfAutoScaling: DemandsOfService = ({ autoScaling }, make, operation, input) => {
  const group = findScalingGroup(autoScaling, input);
  if (operation.startsWith('Describe') || group === undefined) return [make(`autoscaling:${operation}`, '*')];
  const resourceTags = Object.fromEntries(group.tags.map(({ key, value }) => [key, value]));
  return [make(`autoscaling:${operation}`, group.arn, { resourceTags })];
};

function findScalingGroup(autoScaling: AutoScaling, input: WireStructure) {
  const name = textOfMember(input, 'AutoScalingGroupName');
  if (name !== undefined) return autoScaling.find(name);
  const instance = textOfMember(input, 'InstanceId');
  return autoScaling.all().find(({ instances }) => instances.some(({ id }) => id === instance));
}
