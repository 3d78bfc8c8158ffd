import type { CreateFleetRequest, LaunchTemplateSpecification, RunInstancesRequest } from '@aws-sdk/client-ec2';
import { fleetPools } from '../ec2/fleet-pools.ts';
import type { LaunchData } from '../ec2/launch-settings.ts';
import type { Ec2 } from '../ec2/model.ts';
import { readTagSpecifications, type TagSet } from '../ec2/tags.ts';
import type { Iam } from '../iam/model.ts';
import { ec2ArnOf, type MakeDemand } from './demand-context.ts';
import type { AccessDemand } from './iam-policy.ts';

export type LaunchSources = { readonly ec2: Ec2; readonly iam: Pick<Iam, 'findProfile' | 'roles'> };

/** A launch as IAM looks at it: what it uses, and what it creates with which tags. */
type LaunchLook = {
  readonly operation: 'RunInstances' | 'CreateFleet';
  readonly data: LaunchData;
  readonly template: LaunchTemplateSpecification | undefined;
  readonly tagSpecifications: RunInstancesRequest['TagSpecifications'];
  readonly isSpot: boolean;
  /** Nothing is launched. */
  readonly isTrial: boolean;
};

/** `RunInstances` asks for itself on everything that it uses and creates, for the tags, and for passing the role. */
export function demandsOfRun(sources: LaunchSources, make: MakeDemand, request: RunInstancesRequest) {
  const template = request.LaunchTemplate;
  const data = template === undefined ? {} : (findTemplateData(sources.ec2, template) ?? {});
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return demandsOfLaunch(sources, make, {
    operation: 'RunInstances',
    data: { ...data, ...given },
    template,
    tagSpecifications: [...(data.TagSpecifications ?? []), ...(request.TagSpecifications ?? [])],
    isSpot: request.InstanceMarketOptions?.MarketType === 'spot',
    isTrial: request.DryRun === true,
  });
}

/**
 * `CreateFleet` asks for itself on the fleet, and for itself and `RunInstances` on what its launches use and create. A dry
 * run does not get as far as `RunInstances`.
 */
export function demandsOfFleet(sources: LaunchSources, make: MakeDemand, request: CreateFleetRequest) {
  const { ec2 } = sources;
  const requested = request.TagSpecifications ?? [];
  const isSpot = request.TargetCapacitySpecification?.DefaultTargetCapacityType === 'spot';
  const { pools } = fleetPools(request, { templates: ec2.templates, capacityType: isSpot ? 'spot' : 'on-demand' });
  const fleet = demandsOfCreation(make, ec2, 'CreateFleet', 'fleet', readTagSpecifications('fleet', requested));
  const launches = pools.flatMap(({ data, described }) =>
    demandsOfLaunch(sources, make, {
      operation: 'CreateFleet',
      data,
      template: described.LaunchTemplateSpecification,
      tagSpecifications: [...(data.TagSpecifications ?? []), ...requested],
      isSpot,
      isTrial: request.DryRun === true,
    }),
  );
  return [...fleet, ...launches];
}

function demandsOfLaunch(sources: LaunchSources, make: MakeDemand, look: LaunchLook): readonly AccessDemand[] {
  const { ec2 } = sources;
  const own = `ec2:${look.operation}`;
  const actions = look.isTrial ? [own] : [...new Set([own, 'ec2:RunInstances'])];
  const used = [...listUsedResources(ec2, look.data), ...listUsedTemplates(ec2, look.template)];
  const created = ['instance', 'volume', 'network-interface', ...(look.isSpot ? ['spot-instances-request'] : [])];
  return [
    ...used.flatMap(({ arn, tags }) => actions.map((action) => make(action, arn, { resourceTags: tags }))),
    ...created.flatMap((kind) => {
      const tags = readTagSpecifications(kind, look.tagSpecifications);
      const launched = actions.map((action) => make(action, ec2ArnOf(ec2.account, kind, '*'), { requestTags: tags }));
      return [...launched, ...demandsOfTags(make, ec2, look.operation, kind, tags)];
    }),
    ...demandsOfRole(sources, make, look.data),
  ];
}

/** Creating something asks for the action itself, and with tags for `ec2:CreateTags` in addition. */
export function demandsOfCreation(
  make: MakeDemand,
  ec2: Ec2,
  operation: string,
  kind: string,
  requestTags: TagSet,
): readonly AccessDemand[] {
  const created = make(`ec2:${operation}`, ec2ArnOf(ec2.account, kind, '*'), { requestTags });
  return [created, ...demandsOfTags(make, ec2, operation, kind, requestTags)];
}

const demandsOfTags = (
  make: MakeDemand,
  { account }: Ec2,
  operation: string,
  kind: string,
  requestTags: TagSet,
): readonly AccessDemand[] =>
  Object.keys(requestTags).length === 0
    ? []
    : [make('ec2:CreateTags', ec2ArnOf(account, kind, '*'), { requestTags, keys: { 'ec2:CreateAction': operation } })];

type UsedResource = { readonly arn: string; readonly tags: TagSet };

function listUsedResources({ account, tags }: Ec2, data: LaunchData): readonly UsedResource[] {
  const interfaces = data.NetworkInterfaces ?? [];
  const use = (kind: string, ids: readonly (string | undefined)[]): readonly UsedResource[] =>
    ids.flatMap((id) =>
      id === undefined || id === '' ? [] : [{ arn: ec2ArnOf(account, kind, id), tags: tags.of(id) }],
    );
  return [
    ...use('image', [data.ImageId]),
    ...use('subnet', [data.SubnetId ?? interfaces[0]?.SubnetId]),
    ...use('security-group', data.SecurityGroupIds ?? interfaces.flatMap(({ Groups = [] }) => Groups)),
    ...use('placement-group', [data.Placement?.GroupName ?? data.Placement?.GroupId]),
    ...use('capacity-reservation', [
      data.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId,
    ]),
    ...use(
      'snapshot',
      (data.BlockDeviceMappings ?? []).map(({ Ebs }) => Ebs?.SnapshotId),
    ),
    ...use('key-pair', [data.KeyName]),
  ];
}

function listUsedTemplates(ec2: Ec2, template: LaunchTemplateSpecification | undefined): readonly UsedResource[] {
  if (template === undefined) return [];
  const found = ec2.templates
    .all()
    .find(({ id, name }) => id === template.LaunchTemplateId || name === template.LaunchTemplateName);
  const id = found?.id ?? template.LaunchTemplateId ?? '*';
  return [{ arn: ec2ArnOf(ec2.account, 'launch-template', id), tags: ec2.tags.of(id) }];
}

const findTemplateData = ({ templates }: Ec2, asked: LaunchTemplateSpecification): LaunchData | undefined =>
  templates.all().some(({ id, name }) => id === asked.LaunchTemplateId || name === asked.LaunchTemplateName)
    ? templates.version(asked).data
    : undefined;

/** An instance with a profile gets the profile's role: whoever launches it passes the role. */
function demandsOfRole({ iam }: LaunchSources, make: MakeDemand, { IamInstanceProfile }: LaunchData) {
  const name = IamInstanceProfile?.Name ?? IamInstanceProfile?.Arn?.split('/').at(-1);
  const role = name === undefined ? undefined : iam.findProfile(name)?.roleName;
  return role === undefined ? [] : demandsOfPassing(iam, make, role);
}

export const demandsOfPassing = (
  iam: Pick<Iam, 'roles'>,
  make: MakeDemand,
  roleName: string,
): readonly AccessDemand[] =>
  iam
    .roles()
    .filter(({ name }) => name === roleName)
    .map(({ arn }) => make('iam:PassRole', arn, { keys: { 'iam:PassedToService': ec2ServiceOf(arn) } }));

/** EC2 as whoever assumes roles of instances, in the partition of the role. */
const ec2ServiceOf = (roleArn: string): string =>
  roleArn.startsWith('arn:aws-cn:') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
