import type { Addon, AddonInfo, Update } from '@aws-sdk/client-eks';
import { arnOf } from '../../../account.ts';
import { type AddonKind, addonSupports, defaultAddonVersion } from '../../addons/addon-versions.ts';
import type { AddonUpdate, ClusterAddon } from '../../addons/cluster-addon.ts';
import type { Eks } from '../../model.ts';
import type { ClusterVersion } from '../../versions.ts';

export const addonArn = ({ account }: Pick<Eks, 'account'>, { clusterName, name, id }: ClusterAddon): string =>
  arnOf(account, 'eks', `addon/${clusterName}/${name}/${id}`);

export const writeAddon = (eks: Eks, addon: ClusterAddon): Addon => ({
  addonName: addon.name,
  clusterName: addon.clusterName,
  status: addon.moving?.as ?? 'ACTIVE',
  addonVersion: addon.version,
  health: { issues: [] },
  addonArn: addonArn(eks, addon),
  createdAt: new Date(addon.createdAt),
  modifiedAt: new Date(addon.modifiedAt),
  ...(addon.serviceAccountRoleArn !== undefined && { serviceAccountRoleArn: addon.serviceAccountRoleArn }),
  ...(addon.configurationValues !== undefined && { configurationValues: addon.configurationValues }),
  podIdentityAssociations: addon.podIdentityIds.map((id) =>
    arnOf(eks.account, 'eks', `podidentityassociation/${addon.clusterName}/${id}`),
  ),
  namespaceConfig: { namespace: 'kube-system' },
  tags: { ...addon.tags },
  ...publishing,
});

const publishing = { publisher: 'eks', owner: 'aws' };

/** @param clusters the versions of Kubernetes that are asked for */
export const writeAddonKind = (kind: AddonKind, clusters: readonly ClusterVersion[]): AddonInfo => ({
  addonName: kind.name,
  type: kind.type,
  defaultNamespace: kind.namespace,
  ...publishing,
  addonVersions: kind.versions
    .map((each) => ({ each, fitting: clusters.filter(({ version }) => addonSupports(each, version)) }))
    .filter(({ fitting }) => fitting.length > 0)
    .map(({ each, fitting }) => ({
      addonVersion: each.version,
      architecture: ['amd64', 'arm64'],
      computeTypes: ['ec2', 'fargate', 'auto'],
      compatibilities: fitting.map(({ version }) => ({
        clusterVersion: version,
        platformVersions: ['*'],
        defaultVersion: defaultAddonVersion(kind, version) === each.version,
      })),
      requiresConfiguration: false,
      requiresIamPermissions: kind.identity !== undefined,
    })),
});

export const writeAddonUpdate = ({ id, params, createdAt, until }: AddonUpdate, now: number): Update => ({
  id,
  status: now >= until ? 'Successful' : 'InProgress',
  type: 'AddonUpdate',
  params,
  createdAt: new Date(createdAt),
  errors: [],
});
