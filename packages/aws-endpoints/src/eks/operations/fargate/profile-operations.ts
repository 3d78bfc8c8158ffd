import type {
  CreateFargateProfileRequest,
  CreateFargateProfileResponse,
  DeleteFargateProfileRequest,
  DeleteFargateProfileResponse,
  DescribeFargateProfileRequest,
  DescribeFargateProfileResponse,
  FargateProfile,
  ListFargateProfilesRequest,
  ListFargateProfilesResponse,
} from '@aws-sdk/client-eks';
import { byTextOf } from '@nodewright/apis';
import { arnOf } from '../../../account.ts';
import { AwsError } from '../../../codec/aws-error.ts';
import { noSuchSubnet } from '../../../ec2/errors.ts';
import { takePage } from '../../../paging.ts';
import { inUse, invalidParameter, writeErrorOfService } from '../../errors.ts';
import { type KeptFargateProfile, moveProfile, settleProfile } from '../../fargate-profile.ts';
import type { Eks } from '../../model.ts';
import { listTrustedServices } from '../../nodegroups/check-node-role.ts';
import { eksPage } from '../page.ts';

/** Creates a profile. It is a record alone: the pods that it selects run on nodes like all others. */
export function createFargateProfile(eks: Eks, request: CreateFargateProfileRequest): CreateFargateProfileResponse {
  const { fargateProfileName: name = '', podExecutionRoleArn: roleArn = '', selectors = [] } = request;
  const { name: clusterName, subnetIds: clusterSubnets } = eks.clusters.cluster(request.clusterName ?? '');
  const place = { clusterName };
  const profiles = listKeptProfiles(eks, clusterName);
  if (profiles.some((each) => each.name === name))
    throw inUse(place, `A Fargate Profile already exists with this name in this cluster.`);
  const moving = profiles.find((each) => each.moving !== undefined);
  if (moving !== undefined)
    throw inUse(
      place,
      `Cannot create Fargate Profile ${name} because cluster ${clusterName} currently has Fargate profile ${moving.name} in status ${moving.moving?.as}`,
    );
  checkExecutionRole(eks, roleArn, clusterName);
  checkSelectors(selectors, clusterName);
  for (const id of request.subnets ?? []) checkFargateSubnet(eks, id, clusterName);
  const now = eks.clusters.now();
  const isPrivate = (id: string) => eks.network.subnets.some((subnet) => subnet.id === id && !subnet.public);
  return {
    fargateProfile: keepProfile(eks, {
      id: eks.addons.newId(),
      clusterName,
      name,
      roleArn,
      subnetIds: request.subnets ?? clusterSubnets.filter(isPrivate),
      selectors,
      tags: request.tags ?? {},
      createdAt: now,
      moving: moveProfile('CREATING', now),
    }),
  };
}

const fargateService = 'eks-fargate-pods.amazonaws.com';

function checkExecutionRole({ nodeGroups }: Eks, arn: string, clusterName: string): void {
  const role = nodeGroups.deps.iam
    .roles()
    .find(({ name }) => arn.endsWith(`:role/${name}`) || arn.endsWith(`/${name}`));
  if (role === undefined) throw invalidParameter({ clusterName }, `Role with arn: ${arn} could not be found.`);
  if (listTrustedServices(role.trust).includes(fargateService)) return;
  const message = `Misconfigured PodExecutionRole Trust Policy; Please add the ${fargateService} Service Principal`;
  throw invalidParameter({ clusterName }, message);
}

const mostSelectors = 5;
const mostSelectorLabels = 5;

function checkSelectors(selectors: CreateFargateProfileRequest['selectors'], clusterName: string): void {
  const place = { clusterName };
  if (selectors === undefined || selectors.length === 0)
    throw invalidParameter(place, 'Fargate Profile must have at least one selector.');
  if (selectors.length > mostSelectors)
    throw invalidParameter(place, `Fargate Profile must have at most ${mostSelectors} selectors.`);
  if (selectors.some(({ namespace = '' }) => namespace === ''))
    throw invalidParameter(place, 'Fargate Profile selector namespace must not be empty.');
  if (selectors.some(({ labels = {} }) => Object.keys(labels).length > mostSelectorLabels))
    throw invalidParameter(place, `Request contains Selector with more than ${mostSelectorLabels} Labels`);
}

function checkFargateSubnet({ network }: Eks, id: string, clusterName: string): void {
  const subnet = network.subnets.find((each) => each.id === id);
  if (subnet === undefined) throw invalidParameter({ clusterName }, writeErrorOfService('AmazonEC2', noSuchSubnet(id)));
  if (subnet.public)
    throw invalidParameter({ clusterName }, `Subnet ${id} provided in Fargate Profile is not a private subnet`);
}

export const describeFargateProfile = (
  eks: Eks,
  request: DescribeFargateProfileRequest,
): DescribeFargateProfileResponse => ({ fargateProfile: writeProfile(eks, findProfile(eks, request)) });

export function listFargateProfiles(eks: Eks, request: ListFargateProfilesRequest): ListFargateProfilesResponse {
  const { name } = eks.clusters.cluster(request.clusterName ?? '');
  const { items, next } = takePage(
    listKeptProfiles(eks, name).map((profile) => profile.name),
    eksPage(request),
  );
  return { fargateProfileNames: [...items], ...(next && { nextToken: next }) };
}

/** One profile of a cluster at a time is deleted. */
export function deleteFargateProfile(eks: Eks, request: DeleteFargateProfileRequest): DeleteFargateProfileResponse {
  const profile = findProfile(eks, request);
  const { clusterName } = profile;
  const moving = listKeptProfiles(eks, clusterName).find((each) => each.moving !== undefined);
  if (moving !== undefined)
    throw inUse(
      { clusterName },
      `Cannot delete Fargate Profile ${profile.name} because cluster ${clusterName} currently has Fargate profile ${moving.name} in status ${moving.moving?.as}`,
    );
  const deleting = { ...profile, moving: moveProfile('DELETING', eks.clusters.now()) };
  return { fargateProfile: keepProfile(eks, deleting) };
}

/** Lists the profiles of a cluster, by name. */
export const listKeptProfiles = (
  { fargateProfiles, clusters }: Pick<Eks, 'fargateProfiles' | 'clusters'>,
  clusterName: string,
): readonly KeptFargateProfile[] =>
  [...fargateProfiles.values()]
    .filter((profile) => profile.clusterName === clusterName)
    .flatMap((profile) => settleProfile(profile, clusters.now()) ?? [])
    .toSorted(byTextOf(({ name }) => name));

type FargateProfilePlace = {
  readonly clusterName?: string | undefined;
  readonly fargateProfileName?: string | undefined;
};

function findProfile(
  eks: Eks,
  { clusterName = '', fargateProfileName: name = '' }: FargateProfilePlace,
): KeptFargateProfile {
  const cluster = eks.clusters.cluster(clusterName);
  const profile = listKeptProfiles(eks, cluster.name).find((each) => each.name === name);
  if (profile !== undefined) return profile;
  throw new AwsError('ResourceNotFoundException', `No Fargate Profile found with name: ${name}.`, {
    status: 404,
    details: { clusterName: cluster.name, fargateProfileName: name },
  });
}

/** Keeps a profile in place of the one of its name. */
export function keepProfile(eks: Eks, profile: KeptFargateProfile): FargateProfile {
  eks.fargateProfiles.set(JSON.stringify([profile.clusterName, profile.name]), profile);
  return writeProfile(eks, profile);
}

const profileArn = ({ account }: Pick<Eks, 'account'>, { clusterName, name, id }: KeptFargateProfile): string =>
  arnOf(account, 'eks', `fargateprofile/${clusterName}/${name}/${id}`);

/** Finds a profile by its ARN. */
export const findTaggedProfile = (eks: Eks, arn: string): KeptFargateProfile | undefined =>
  eks.clusters
    .all()
    .flatMap(({ name }) => listKeptProfiles(eks, name))
    .find((each) => profileArn(eks, each) === arn);

const writeProfile = (eks: Eks, profile: KeptFargateProfile): FargateProfile => ({
  fargateProfileName: profile.name,
  fargateProfileArn: profileArn(eks, profile),
  clusterName: profile.clusterName,
  createdAt: new Date(profile.createdAt),
  podExecutionRoleArn: profile.roleArn,
  subnets: [...profile.subnetIds],
  selectors: profile.selectors.map((selector) => ({ ...selector })),
  status: profile.moving?.as ?? 'ACTIVE',
  tags: { ...profile.tags },
  health: { issues: [] },
});
