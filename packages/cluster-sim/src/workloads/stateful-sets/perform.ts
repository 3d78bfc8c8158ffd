import { persistentVolumeClaims, type StatefulSet, statefulSets } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import type { PodControl } from '../pod-control.ts';
import { performRevision } from '../revisions/revisions.ts';
import type { StatefulSetAction } from './plan.ts';

export type StatefulSetWriters = { readonly client: KubernetesClient; readonly podControl: PodControl };

export async function perform(action: StatefulSetAction, set: StatefulSet, writers: StatefulSetWriters): Promise<void> {
  const { client, podControl } = writers;
  switch (action.kind) {
    case 'createClaim':
      return createClaim(action, set, writers);
    case 'deleteClaim':
      await unlessGone(client.delete(persistentVolumeClaims, keyOfMeta(action.claim.metadata)));
      return;
    case 'createPod':
      return unlessRefusedAs('AlreadyExists', podControl.create(set, action.pod));
    case 'deletePod':
      return podControl.delete(set, action.pod);
    case 'writeStatus':
      return patchStatus(client, statefulSets, set, action.status);
    default:
      return performRevision(client, action);
  }
}

async function createClaim(
  { claim, podName }: Extract<StatefulSetAction, { kind: 'createClaim' }>,
  set: StatefulSet,
  { client, podControl }: StatefulSetWriters,
): Promise<void> {
  const made = await unlessRefusedAs('AlreadyExists', client.create(persistentVolumeClaims, claim));
  if (made === undefined) return;
  const message = `create Claim ${claim.metadata.name} Pod ${podName} in StatefulSet ${set.metadata.name} success`;
  podControl.events.publish({ kind: statefulSets, about: set, type: 'Normal', reason: 'SuccessfulCreate', message });
}
