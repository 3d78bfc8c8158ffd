import {
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  type Pod,
  pods,
  type VolumeAttachment,
  volumeAttachments,
} from '@nodewright/apis';
import { type IndexBy, type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { indexByNode, takesRoom } from '../../objects/pod-health.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';
import { claimKeysOf } from '../claims-of-pods.ts';
import { driverOfVolume } from '../drivers.ts';
import { type AttachmentAction, type AttachmentSnapshot, plan } from './plan.ts';

/** Attaches volumes to the nodes of the pods that use them, and detaches them when the last such pod is gone. */
export function runAttachments(control: ClusterControlPlane): void {
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'volume attachments',
    observe: (nodeName) => observe(control, nodeName),
    plan,
    perform: (action) => perform(action, client),
  });
  watchUsers(control, keys);
}

function observe(control: ClusterControlPlane, nodeName: string): AttachmentSnapshot {
  const { watches } = control;
  const isThere = watches.of(nodes).get(nodeName) !== undefined;
  return {
    existing: watches.of(volumeAttachments).by(byNode, nodeName),
    wanted: isThere ? listWanted(control, nodeName) : [],
  };
}

/** The attachments of the volumes that pods on the node use. Volumes without a driver need none. */
function listWanted({ watches }: ClusterControlPlane, nodeName: string): readonly VolumeAttachment[] {
  const claimKeys = watches.of(pods).by(indexByNode, nodeName).filter(takesRoom).flatMap(claimKeysOf);
  return claimKeys.flatMap((key) => {
    const claim = watches.of(persistentVolumeClaims).get(key);
    const volume = watches.of(persistentVolumes).get(claim?.spec?.volumeName ?? '');
    const attacher = volume && driverOfVolume(volume);
    if (volume === undefined || attacher === undefined) return [];
    return [attachmentOf(attacher, nodeName, volume.metadata.name)];
  });
}

async function perform({ kind, attachment }: AttachmentAction, client: KubernetesClient): Promise<void> {
  switch (kind) {
    case 'delete':
      await unlessGone(client.delete(volumeAttachments, { name: attachment.metadata.name }));
      return;
    case 'create':
      await unlessRefusedAs('AlreadyExists', client.create(volumeAttachments, attachment));
      return;
    case 'markAttached':
      return patchStatus(client, volumeAttachments, attachment, { attached: true });
  }
}

/** A node is looked at when it is gone, and when a pod with claims, a claim of such a pod, or an attachment changes. */
function watchUsers({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(persistentVolumes);
  const allPods = watches.of(pods);
  allPods.onChange((before, after) => {
    const pod = (after ?? before) as Pod;
    if (pod.spec.nodeName !== undefined && claimKeysOf(pod).length > 0) keys.add(pod.spec.nodeName);
  });
  watches.of(nodes).onChange((before, after) => {
    if (after === undefined && before !== undefined) keys.add(objectKeyText(before));
  });
  watches
    .of(volumeAttachments)
    .onChange((before, after) => keys.add(((after ?? before) as VolumeAttachment).spec.nodeName));
  // A claim may name its volume only after its pod is bound.
  watches.of(persistentVolumeClaims).onChange((before, after) => {
    if (after === undefined || before?.spec?.volumeName === after.spec?.volumeName) return;
    for (const { spec } of allPods.by(byClaimKey, objectKeyText(after))) {
      if (spec.nodeName !== undefined) keys.add(spec.nodeName);
    }
  });
}

const attachmentOf = (attacher: string, nodeName: string, persistentVolumeName: string): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: `csi-${hashOfTemplate({ attacher, nodeName, persistentVolumeName })}` },
  spec: { attacher, nodeName, source: { persistentVolumeName } },
});

const byNode: IndexBy<VolumeAttachment> = ({ spec }) => [spec.nodeName];
const byClaimKey: IndexBy<Pod> = claimKeysOf;
