import { type Instant, toTimestamp } from '@nodewright/apis';
import { type AwsAccount, iamArnOf } from '../account.ts';
import { countAddresses, parseCidr } from '../ec2/cidr.ts';
import type { Ec2Instance } from '../ec2/instance.ts';
import type { LaunchTemplate } from '../ec2/launch-templates.ts';
import type { Ec2Subnet, Network } from '../ec2/network.ts';
import type { OwnImage } from '../ec2/own-images.ts';
import { defaultClusterSettings, type EksCluster } from '../eks/clusters/cluster.ts';
import type { InstanceProfile, Role } from '../iam/model.ts';
import {
  type AccountFacts,
  type InstanceFacts,
  marketOf,
  type OwnImageFacts,
  type SubnetFacts,
} from './account-facts.ts';
import { joiningUserData } from './joining-user-data.ts';
import { restoredManagedGroup } from './restored-managed-group.ts';
import { restoredScalingGroup } from './restored-scaling-group.ts';

/** What a ledger of such an account would hold, by the names of its maps. */
export type AccountMaps = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** The account as if it had been kept here all along. */
export function restoredAccountMaps(facts: AccountFacts): AccountMaps {
  const account: AwsAccount = { id: accountIdOf(facts), region: facts.region };
  const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
    new Map(items.map((item) => [item.id, item]));
  return new Map<string, ReadonlyMap<string, unknown>>([
    ['ec2/network', new Map([['vpc', restoredNetwork(facts)]])],
    ['ec2/tags', tagsOfFacts(facts)],
    ['ec2/instances', byId(facts.instances.map((instance) => restoredInstance(instance, facts)))],
    ['ec2/launch-templates', byId(facts.launchTemplates.map(restoredTemplate))],
    ['ec2/own-images', byId(facts.images.map(restoredImage))],
    ...restoredGroupMaps(facts, account),
    ['eks/clusters', new Map([[facts.clusterName, restoredCluster(facts, account)]])],
    ['iam/roles', new Map(rolesOf(facts).map((name) => [name, restoredRole(name, { account, now: facts.now })]))],
    [
      'iam/instance-profiles',
      new Map(facts.profiles.map((profile) => [profile.name, restoredProfile(profile, { account, now: facts.now })])),
    ],
  ]);
}

const accountIdOf = ({ cluster }: AccountFacts): string =>
  /:(\d{12}):/.exec(cluster?.roleArn ?? '')?.[1] ?? '111122223333';

function restoredNetwork({ subnets, securityGroups, instances }: AccountFacts): Network {
  const zones = new Map(subnets.map(({ zone, zoneId }) => [zone, { name: zone, id: zoneId }]));
  return {
    vpcId: subnets[0]?.vpcId ?? 'vpc-00000000000000000',
    cidr: parseCidr('0.0.0.0/0'),
    zones: [...zones.values()],
    subnets: subnets.map((subnet) => restoredSubnet(subnet, instances)),
    securityGroups: securityGroups.map(({ id, name, description }) => ({ id, name, description })),
  };
}

/** AWS keeps five addresses of each subnet. */
const keptAddresses = 5;

function restoredSubnet(subnet: SubnetFacts, instances: readonly InstanceFacts[]): Ec2Subnet {
  const { id, zone, zoneId, freeAddresses } = subnet;
  const cidr = parseCidr(subnet.cidr);
  const ours = instances.filter(({ subnetId, state }) => subnetId === id && state !== 'terminated').length;
  const takenByOthers = Math.max(0, countAddresses(cidr) - keptAddresses - freeAddresses - ours);
  return { id, zone, zoneId, cidr, public: subnet.isPublic, takenByOthers };
}

function tagsOfFacts(facts: AccountFacts): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const tagged = [
    ...facts.instances,
    ...facts.subnets,
    ...facts.securityGroups,
    ...facts.launchTemplates,
    ...facts.images,
  ];
  return new Map(tagged.flatMap(({ id, tags = {} }) => (Object.keys(tags).length === 0 ? [] : [[id, tags] as const])));
}

/** The size that a root volume counts with where none is given. */
const usualVolumeGib = 20;

function restoredInstance(instance: InstanceFacts, { clusterName, familyOf }: AccountFacts): Ec2Instance {
  const { id, tags, rootVolume, spotRequestId, capacityReservationId, clientToken, launchIndex, reports } = instance;
  const capacityType = marketOf(instance);
  const { deviceName = '/dev/xvda', volumeId = `vol-${id.slice(2)}` } = rootVolume ?? {};
  return {
    id,
    reservationId: `r-${id.slice(2)}`,
    settings: {
      imageId: instance.imageId,
      instanceType: instance.instanceType,
      subnetId: instance.subnetId ?? '',
      securityGroupIds: instance.securityGroupIds,
      ...(instance.instanceProfile !== undefined && { instanceProfile: instance.instanceProfile }),
      userData: instance.userData ?? joiningUserData(familyOf(instance.imageId), clusterName),
      capacityType,
      rootVolumeGib: usualVolumeGib,
      monitoring: false,
      tenancy: instance.tenancy,
      reservation: { preference: instance.capacityType === 'reserved' ? 'capacity-reservations-only' : 'open' },
      instanceTags: tags,
      volumeTags: {},
    },
    zone: instance.zone,
    zoneId: instance.zoneId ?? '',
    privateIp: instance.privateIp ?? '',
    privateDnsName: instance.privateDnsName,
    networkInterfaceId: instance.networkInterfaceId ?? `eni-${id.slice(2)}`,
    root: { deviceName, volumeId, sizeGib: usualVolumeGib },
    ...(spotRequestId !== undefined && { spotRequestId }),
    ...(capacityReservationId !== undefined && { capacityReservationId }),
    ...(clientToken !== undefined && { clientToken }),
    ...(launchIndex !== undefined && { launchIndex }),
    ...(reports !== undefined && { reports }),
    launchedAt: instance.launchedAt,
    state: instance.state,
    // When it came into this state is not described. Without an entry it would be described as pending.
    changes: instance.state === 'pending' ? [] : [{ at: instance.launchedAt, state: instance.state }],
  };
}

const restoredTemplate = (template: AccountFacts['launchTemplates'][number]): LaunchTemplate => {
  const { id, name, createdAt, data, versions = [{ number: 1, createdAt, data }], defaultVersion = 1 } = template;
  return { id, name, createdAt, defaultVersion, versions };
};

/** Auto Scaling groups, and the managed groups that own some of them. */
function restoredGroupMaps(facts: AccountFacts, account: AwsAccount): AccountMaps {
  const { managedGroups = [], scalingGroups = [], instances, now } = facts;
  const launches = new Map(instances.map(({ id, launchedAt }) => [id, launchedAt]));
  const owned = new Set(managedGroups.flatMap(({ scalingGroup }) => scalingGroup ?? []));
  const launchedAt = (id: string): Instant => launches.get(id) ?? now;
  const managed = managedGroups.map((group) => restoredManagedGroup(group, facts));
  const byName = <T extends { readonly name: string }>(items: readonly T[]) =>
    new Map(items.map((item) => [item.name, item]));
  return new Map<string, ReadonlyMap<string, unknown>>([
    [
      'autoscaling/groups',
      byName(
        scalingGroups.map((group) =>
          restoredScalingGroup(group, { account, isManaged: owned.has(group.name), launchedAt }),
        ),
      ),
    ],
    ['eks/node-groups', byName(managed.map(({ group }) => group))],
    [
      'eks/node-group-updates',
      new Map(managed.flatMap(({ update }) => (update === undefined ? [] : [[update.id, update] as const]))),
    ],
  ]);
}

const restoredImage = ({ id, name, arch, createdAt, deprecatedAt }: OwnImageFacts): OwnImage => ({
  id,
  name,
  arch,
  createdAt: toTimestamp(createdAt),
  ...(deprecatedAt === undefined ? {} : { deprecatedAt: toTimestamp(deprecatedAt) }),
  isPublic: false,
  isDeregistered: false,
});

function restoredCluster(facts: AccountFacts, account: AwsAccount): EksCluster {
  const { cluster, clusterName, now, subnets } = facts;
  return {
    ...defaultClusterSettings,
    name: clusterName,
    createdAt: cluster?.createdAt ?? now,
    since: cluster?.createdAt ?? now,
    stage: 'ACTIVE',
    version: facts.kubernetesVersion,
    roleArn: cluster?.roleArn ?? iamArnOf(account, `role/${clusterName}`),
    tags: {},
    serviceCidr: cluster?.serviceCidr ?? '10.100.0.0/16',
    subnetIds: cluster?.subnetIds ?? subnets.map(({ id }) => id),
    securityGroupIds: cluster?.securityGroupIds ?? [],
  };
}

type IamPlace = { readonly account: AwsAccount; readonly now: Instant };

const rolesOf = ({ roles, profiles, managedGroups = [] }: AccountFacts): readonly string[] => [
  ...new Set([
    ...roles,
    ...profiles.flatMap(({ roleName }) => roleName ?? []),
    ...managedGroups.flatMap(({ nodeRole }) => nodeRole.split('/').at(-1) ?? []),
  ]),
];

const restoredRole = (name: string, { account, now }: IamPlace): Role => ({
  name,
  id: `AROA${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`.slice(0, 21),
  arn: iamArnOf(account, `role/${name}`),
  path: '/',
  createdAt: now,
  trust: '{}',
});

const restoredProfile = (
  { name, path, roleName }: AccountFacts['profiles'][number],
  { account, now }: IamPlace,
): InstanceProfile => ({
  name,
  id: `AIPA${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`.slice(0, 21),
  arn: iamArnOf(account, `instance-profile${path}${name}`),
  path,
  createdAt: now,
  ...(roleName === undefined ? {} : { roleName }),
  tags: {},
});
