import { daemonSets, storageClasses } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import { storageManifests } from './storage-manifests.ts';
import { systemManifests } from './system-manifests.ts';

/** Makes what a cluster of EKS comes with; what is there stays as it is. */
export async function createSystemObjects(client: KubernetesClient, kubernetesVersion: string): Promise<void> {
  for (const manifest of systemManifests(kubernetesVersion))
    await unlessRefusedAs('AlreadyExists', client.create(daemonSets, manifest));
  for (const manifest of storageManifests(kubernetesVersion)) {
    await unlessRefusedAs('AlreadyExists', client.create(storageClasses, manifest));
  }
}
