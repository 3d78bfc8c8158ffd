import { daemonSets, deployments } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { serviceAccountKind } from './dns-manifests.ts';
import {
  csiDriverKind,
  csiDriverObject,
  storageControllerDeployment,
  storageDriverKey,
  storageNodeDaemonSet,
  storagePlugin,
  storagePluginImage,
  storageServiceAccounts,
} from './storage-driver-manifests.ts';

/**
 * Makes what EKS installs for its add-on `aws-ebs-csi-driver`. What is there stays as it is, and its workloads get the
 * image of the version.
 */
export async function installStorageDriver(client: KubernetesClient, version: string): Promise<void> {
  await unlessRefusedAs('AlreadyExists', client.create(csiDriverKind, csiDriverObject));
  for (const account of storageServiceAccounts) {
    await unlessRefusedAs('AlreadyExists', client.create(serviceAccountKind, account));
  }
  await unlessRefusedAs('AlreadyExists', client.create(daemonSets, storageNodeDaemonSet(version)));
  await unlessRefusedAs('AlreadyExists', client.create(deployments, storageControllerDeployment(version)));
  const containers = [{ name: storagePlugin, image: storagePluginImage(version) }];
  const change = { type: 'strategic', patch: { spec: { template: { spec: { containers } } } } } as const;
  await unlessGone(client.patch(daemonSets, storageDriverKey.node, change));
  await unlessGone(client.patch(deployments, storageDriverKey.controller, change));
}

/** Takes away what EKS has installed for the add-on. Volumes stay served. */
export async function removeStorageDriver(client: KubernetesClient): Promise<void> {
  await unlessGone(client.delete(daemonSets, storageDriverKey.node));
  await unlessGone(client.delete(deployments, storageDriverKey.controller));
  for (const { metadata } of storageServiceAccounts) await unlessGone(client.delete(serviceAccountKind, metadata));
  await unlessGone(client.delete(csiDriverKind, csiDriverObject.metadata));
}
