import {
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  type Pod,
  pods,
  type VolumeAttachment,
  volumeAttachments,
} from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { indexByNode, takesRoom } from '../../objects/pod-health.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';
import { claimKeysOf } from '../claims-of-pods.ts';
import { driverOfVolume } from '../drivers.ts';

/** Attaches volumes to the nodes of the pods that use them, and detaches them when the last such pod is gone. */
export function runAttachments(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client } = options;
  const known = watches.of(volumeAttachments);
  const allPods = watches.of(pods);

  const reconcile = async (nodeName: string): Promise<Recheck> => {
    const isThere = watches.of(nodes).get(nodeName) !== undefined;
    const wanted = new Map(isThere ? wantedOn(nodeName).map((each) => [each.metadata.name, each]) : []);
    const attached = known.by(byNode, nodeName);
    for (const { metadata } of attached) {
      if (!wanted.has(metadata.name)) await unlessGone(client.delete(volumeAttachments, { name: metadata.name }));
    }
    for (const attachment of wanted.values()) await attach(attachment);
    return undefined;
  };

  const attach = async (wanted: VolumeAttachment): Promise<void> => {
    const { name } = wanted.metadata;
    const before = known.get(name);
    if (before?.status?.attached === true) return;
    if (before === undefined) await unlessRefusedAs('AlreadyExists', client.create(volumeAttachments, wanted));
    const patch = { status: { attached: true } };
    await unlessGone(client.patch(volumeAttachments, { name }, { type: 'merge', patch }, { subresource: 'status' }));
  };

  const wantedOn = (nodeName: string): readonly VolumeAttachment[] =>
    allPods
      .by(indexByNode, nodeName)
      .filter(takesRoom)
      .flatMap(claimKeysOf)
      .flatMap((key) => {
        const volume = watches
          .of(persistentVolumes)
          .get(watches.of(persistentVolumeClaims).get(key)?.spec?.volumeName ?? '');
        const attacher = volume === undefined ? undefined : driverOfVolume(volume);
        return volume === undefined || attacher === undefined
          ? []
          : [attachmentOf(attacher, nodeName, volume.metadata.name)];
      });

  const keys = control.controller('volume attachments', reconcile);
  allPods.onChange((before, after) => {
    const pod = (after ?? before) as Pod;
    if (pod.spec.nodeName !== undefined && claimKeysOf(pod).length > 0) keys.add(pod.spec.nodeName);
  });
  watches.of(nodes).onChange((before, after) => {
    if (after === undefined && before !== undefined) keys.add(objectKeyText(before));
  });
  known.onChange((before, after) => keys.add(((after ?? before) as VolumeAttachment).spec.nodeName));
  // A claim may show its volume after its pod is bound.
  watches.of(persistentVolumeClaims).onChange((before, after) => {
    if (after === undefined || before?.spec?.volumeName === after.spec?.volumeName) return;
    for (const pod of allPods.by(byClaimKey, objectKeyText(after)))
      if (pod.spec.nodeName !== undefined) keys.add(pod.spec.nodeName);
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
