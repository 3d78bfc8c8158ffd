import type {
  AddonPodIdentityAssociations,
  CreateAddonRequest,
  CreateAddonResponse,
  DeleteAddonRequest,
  DeleteAddonResponse,
  DescribeAddonRequest,
  DescribeAddonResponse,
  ListAddonsRequest,
  ListAddonsResponse,
  UpdateAddonRequest,
  UpdateAddonResponse,
  UpdateParam,
} from '@aws-sdk/client-eks';
import { takePage } from '../../../paging.ts';
import { addonSupports, type AddonKind, defaultAddonVersion, findAddonKind } from '../../addons/addon-versions.ts';
import type { AddonSettings, ClusterAddon } from '../../addons/cluster-addon.ts';
import type { EksCluster } from '../../clusters/cluster.ts';
import { type GroupPlace, inUse, invalidParameter, invalidRequest, noSuchAddon } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { checkPodIdentity, createPodIdentity } from '../access/pod-identity-operations.ts';
import { eksPage } from '../page.ts';
import { writeAddon, writeAddonUpdate } from './on-the-wire.ts';

export function createAddon(eks: Eks, request: CreateAddonRequest): CreateAddonResponse {
  const { clusterName = '', addonName = '' } = request;
  const cluster = eks.clusters.cluster(clusterName);
  eks.clusters.once(request.clientRequestToken, { ...request, name: clusterName }, () => {
    checkIsActive(eks, cluster);
    if (eks.addons.find(cluster.name, addonName) !== undefined)
      throw inUse({ clusterName: cluster.name }, 'Addon already exists.');
    eks.addons.keep(newAddon(eks, cluster, request));
    return addonName;
  });
  return { addon: writeAddon(eks, findAddon(eks, request)) };
}

function newAddon(eks: Eks, cluster: EksCluster, request: CreateAddonRequest): ClusterAddon {
  const kind = requireKind(cluster, request.addonName ?? '');
  const version = chooseVersion(kind, cluster, request.addonVersion);
  const { addons } = eks;
  const now = addons.now();
  return {
    id: addons.newId(),
    clusterName: cluster.name,
    name: kind.name,
    tags: request.tags ?? {},
    createdAt: now,
    modifiedAt: now,
    ...readAddonSettings(eks, request, { version, podIdentityIds: [] }),
    moving: { as: 'CREATING', until: addons.chooseEnd() },
  };
}

function checkIsActive({ clusters }: Eks, cluster: EksCluster): void {
  const status = clusters.statusOf(cluster);
  if (status === 'ACTIVE' || status === 'UPDATING') return;
  throw invalidRequest({ clusterName: cluster.name }, `Cluster ${cluster.name} is ${status}, and has no add-ons now`);
}

function requireKind({ name: clusterName, version }: EksCluster, addonName: string): AddonKind {
  const kind = findAddonKind(addonName);
  if (kind !== undefined && defaultAddonVersion(kind, version) !== undefined) return kind;
  const message = `Addon ${addonName} specified is not supported in ${version} kubernetes version`;
  throw invalidParameter({ clusterName }, message);
}

function chooseVersion(kind: AddonKind, { name: clusterName, version: minor }: EksCluster, asked?: string): string {
  const version = asked ?? defaultAddonVersion(kind, minor);
  const found = kind.versions.find((each) => each.version === version && addonSupports(each, minor));
  if (found === undefined) throw invalidParameter({ clusterName }, 'Addon version specified is not supported');
  return found.version;
}

type SettingsRequest = Pick<
  CreateAddonRequest & UpdateAddonRequest,
  'clusterName' | 'serviceAccountRoleArn' | 'configurationValues' | 'podIdentityAssociations'
>;

/** What the request gives stands in place of what was before. */
function readAddonSettings(eks: Eks, request: SettingsRequest, before: AddonSettings): AddonSettings {
  const { serviceAccountRoleArn = before.serviceAccountRoleArn, configurationValues = before.configurationValues } =
    request;
  return {
    version: before.version,
    ...(serviceAccountRoleArn !== undefined && { serviceAccountRoleArn }),
    ...(configurationValues !== undefined && { configurationValues }),
    podIdentityIds: replaceIdentities(eks, request, before.podIdentityIds),
  };
}

function replaceIdentities(
  eks: Eks,
  { clusterName, podIdentityAssociations }: SettingsRequest,
  before: readonly string[],
): readonly string[] {
  if (podIdentityAssociations === undefined) return before;
  const wanted = podIdentityAssociations.map(({ serviceAccount, roleArn }: AddonPodIdentityAssociations) => ({
    clusterName,
    namespace: 'kube-system',
    serviceAccount,
    roleArn,
  }));
  for (const each of wanted) checkPodIdentity(eks, each, before);
  for (const id of before) eks.podIdentities.delete(id);
  return wanted.map((each) => createPodIdentity(eks, each).association?.associationId ?? '');
}

type AddonRequest = { readonly clusterName?: string | undefined; readonly addonName?: string | undefined };

/** @throws AwsError `ResourceNotFoundException` */
export function findAddon(eks: Eks, { clusterName = '', addonName = '' }: AddonRequest): ClusterAddon {
  const { name } = eks.clusters.cluster(clusterName);
  const addon = eks.addons.find(name, addonName);
  if (addon === undefined) throw noSuchAddon(name, addonName);
  return addon;
}

export const describeAddon = (eks: Eks, request: DescribeAddonRequest): DescribeAddonResponse => ({
  addon: writeAddon(eks, findAddon(eks, request)),
});

export function listAddons(eks: Eks, request: ListAddonsRequest): ListAddonsResponse {
  const { name } = eks.clusters.cluster(request.clusterName ?? '');
  const names = eks.addons.listOf(name).map((addon) => addon.name);
  const { items, next } = takePage(names, eksPage(request));
  return { addons: [...items], ...(next && { nextToken: next }) };
}

export function updateAddon(eks: Eks, request: UpdateAddonRequest): UpdateAddonResponse {
  const { clusterName = '', addonName = '' } = request;
  const cluster = eks.clusters.cluster(clusterName);
  const id = eks.clusters.once(request.clientRequestToken, { ...request, name: clusterName }, () => {
    const addon = findAddon(eks, request);
    checkIsSettled(addon);
    const kind = requireKind(cluster, addonName);
    const version = chooseVersion(kind, cluster, request.addonVersion ?? addon.version);
    return beginAddonUpdate(eks, addon, { change: readAddonSettings(eks, request, { ...addon, version }), request });
  });
  const update = eks.addons.findUpdate(id);
  return update === undefined ? {} : { update: writeAddonUpdate(update, eks.addons.now()) };
}

function checkIsSettled({ clusterName, name, moving }: ClusterAddon): void {
  if (moving === undefined) return;
  const place: GroupPlace = { clusterName };
  throw inUse(place, `Addon ${name} cannot be updated as it is currently in ${moving.as} state`);
}

type BegunUpdate = { readonly change: AddonSettings; readonly request: UpdateAddonRequest };

function beginAddonUpdate({ addons }: Eks, addon: ClusterAddon, { change, request }: BegunUpdate): string {
  const now = addons.now();
  const until = addons.chooseEnd();
  addons.keep({ ...addon, modifiedAt: now, moving: { as: 'UPDATING', until, change } });
  const { clusterName, name: addonName } = addon;
  const params = listParams(request);
  return addons.keepUpdate({ id: addons.newId(), clusterName, addonName, params, createdAt: now, until }).id;
}

const listParams = (request: UpdateAddonRequest): UpdateParam[] =>
  [
    { type: 'AddonVersion' as const, value: request.addonVersion },
    { type: 'ServiceAccountRoleArn' as const, value: request.serviceAccountRoleArn },
    { type: 'ResolveConflicts' as const, value: request.resolveConflicts },
    { type: 'ConfigurationValues' as const, value: request.configurationValues },
    {
      type: 'PodIdentityAssociations' as const,
      value: request.podIdentityAssociations && JSON.stringify(request.podIdentityAssociations),
    },
  ].filter(({ value }) => value !== undefined);

/** Its pod identity associations go with it. */
export function deleteAddon(eks: Eks, request: DeleteAddonRequest): DeleteAddonResponse {
  const addon = findAddon(eks, request);
  if (addon.moving?.as === 'DELETING') return { addon: writeAddon(eks, addon) };
  for (const id of addon.podIdentityIds) eks.podIdentities.delete(id);
  const moving = { as: 'DELETING' as const, until: eks.addons.chooseEnd() };
  return { addon: writeAddon(eks, eks.addons.keep({ ...addon, podIdentityIds: [], moving })) };
}
