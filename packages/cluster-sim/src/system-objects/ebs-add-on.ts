import { daemonSets, deployments } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { ebsContainer } from '../volumes/drivers.ts';
import { serviceAccountKind } from './dns-manifests.ts';
import {
  csiRegistrationKind,
  csiRegistration,
  storageControllerDeployment,
  ebsAddOnKeys,
  storageNodeDaemonSet,
  storagePluginImage,
  storageServiceAccounts,
} from './ebs-add-on-manifests.ts';

/**
 * Makes what EKS installs for its add-on `aws-ebs-csi-driver`. What is there stays as it is, and its workloads get the
 * image of the version.
 */
export async function installEbsAddOn(client: KubernetesClient, version: string): Promise<void> {
  await unlessRefusedAs('AlreadyExists', client.create(csiRegistrationKind, csiRegistration));
  for (const account of storageServiceAccounts) {
    await unlessRefusedAs('AlreadyExists', client.create(serviceAccountKind, account));
  }
  await unlessRefusedAs('AlreadyExists', client.create(daemonSets, storageNodeDaemonSet(version)));
  await unlessRefusedAs('AlreadyExists', client.create(deployments, storageControllerDeployment(version)));
  const containers = [{ name: ebsContainer, image: storagePluginImage(version) }];
  const change = { type: 'strategic', patch: { spec: { template: { spec: { containers } } } } } as const;
  await unlessGone(client.patch(daemonSets, ebsAddOnKeys.node, change));
  await unlessGone(client.patch(deployments, ebsAddOnKeys.controller, change));
}

/** Takes away what EKS has installed for the add-on. Volumes stay served. */
export async function uninstallEbsAddOn(client: KubernetesClient): Promise<void> {
  await unlessGone(client.delete(daemonSets, ebsAddOnKeys.node));
  await unlessGone(client.delete(deployments, ebsAddOnKeys.controller));
  for (const { metadata } of storageServiceAccounts) await unlessGone(client.delete(serviceAccountKind, metadata));
  await unlessGone(client.delete(csiRegistrationKind, csiRegistration.metadata));
}
