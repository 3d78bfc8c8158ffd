import {
  kubernetesLabels,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  storageClasses,
} from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { type ClaimStep, planClaim, selectedNodeKey, type StorageFacts } from './plan.ts';
import { newVolume } from './new-volume.ts';

type Provision = Extract<ClaimStep, { kind: 'provision' }>;

/** Gives claims their volumes, and takes volumes back whose claims are gone. */
export function runClaims(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client } = options;
  const claims = watches.of(persistentVolumeClaims);
  const volumes = watches.of(persistentVolumes);
  const classes = watches.of(storageClasses);
  const events = recorderOf(options, 'persistentvolume-controller');
  const facts = (): StorageFacts => ({
    storageClasses: classes.all(),
    volumes: volumes.all(),
    node: (name) => watches.of(nodes).get(name),
  });

  const reconcile = async (key: string): Promise<Recheck> => {
    const claim = claims.get(key);
    await takeBack(key, claim);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
    const bound = volumes.get(claim.spec?.volumeName ?? '');
    if (bound !== undefined && bound.spec?.claimRef?.uid === claim.metadata.uid) await report(claim, bound);
    else if (claim.status?.phase !== 'Bound') await perform(claim, planClaim(claim, facts()));
    return undefined;
  };

  const perform = async (claim: PersistentVolumeClaim, step: ClaimStep): Promise<void> => {
    switch (step.kind) {
      case 'setClass':
        return change(claim, { spec: { storageClassName: step.name } });
      case 'forgetNode':
        return change(claim, { metadata: { annotations: { [selectedNodeKey]: null } } });
      case 'wait':
        return tell(claim, 'Normal', step.reason, step.message);
      case 'provision':
        return provision(claim, step);
      case 'bind':
        return bind(claim, step.volume);
    }
  };

  const provision = async (claim: PersistentVolumeClaim, { storageClass, node }: Provision): Promise<void> => {
    const zone = node?.metadata.labels?.[kubernetesLabels.zone] ?? someZone();
    if (zone === undefined) return tell(claim, 'Warning', 'ProvisioningFailed', 'no topology key found on any node');
    const volume = newVolume(claim, storageClass, zone);
    await unlessRefusedAs('AlreadyExists', client.create(persistentVolumes, volume));
    tell(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volume.metadata.name}`);
    await bind(claim, volume);
  };

  /** The volume first: it is nobody else's then. The claim's own status follows when it shows the volume. */
  const bind = async (claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> => {
    const { name, namespace, uid } = claim.metadata;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
    const ofVolume = { type: 'merge', patch: { spec: { claimRef } } } as const;
    await client.patch(persistentVolumes, keyOfMeta(volume.metadata), ofVolume);
    await change(claim, {
      metadata: {
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' },
      },
      spec: { volumeName: volume.metadata.name },
    });
  };

  const report = async (claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> => {
    await reportVolume(volume, 'Bound');
    if (claim.status?.phase === 'Bound') return;
    const { accessModes = [], capacity = {} } = volume.spec ?? {};
    const patch = { status: { phase: 'Bound', accessModes, capacity } };
    const written = client.patch(
      persistentVolumeClaims,
      keyOfMeta(claim.metadata),
      { type: 'merge', patch },
      { subresource: 'status' },
    );
    await unlessGone(written);
  };

  const reportVolume = async (volume: PersistentVolume, phase: 'Bound' | 'Released' | 'Available'): Promise<void> => {
    if (volume.status?.phase === phase) return;
    const patch = { type: 'merge', patch: { status: { phase } } } as const;
    const written = client.patch(persistentVolumes, keyOfMeta(volume.metadata), patch, { subresource: 'status' });
    await unlessGone(written);
  };

  /** Volumes of a claim that is gone, or has been made anew under its name. */
  const takeBack = async (key: string, claim: PersistentVolumeClaim | undefined): Promise<void> => {
    for (const volume of volumes.by(byClaim, key)) {
      const uid = volume.spec?.claimRef?.uid;
      if (uid === undefined || uid === claim?.metadata.uid) continue;
      if (volume.spec?.persistentVolumeReclaimPolicy === 'Delete') {
        await unlessGone(client.delete(persistentVolumes, keyOfMeta(volume.metadata)));
      } else await reportVolume(volume, 'Released');
    }
  };

  const change = async (claim: PersistentVolumeClaim, patch: object): Promise<void> => {
    await unlessGone(client.patch(persistentVolumeClaims, keyOfMeta(claim.metadata), { type: 'merge', patch }));
  };

  /** For classes that do not wait for a pod: where there are nodes already. */
  const someZone = (): string | undefined =>
    watches
      .of(nodes)
      .all()
      .flatMap(({ metadata }) => metadata.labels?.[kubernetesLabels.zone] ?? [])[0];

  const tell = (about: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string): void =>
    events.publish({ kind: persistentVolumeClaims, about, type, reason, message });

  /** A volume that is for nobody yet may suit any claim that waits. */
  const offer = async (name: string): Promise<Recheck> => {
    const volume = volumes.get(name);
    if (volume !== undefined && volume.spec?.claimRef === undefined) await reportVolume(volume, 'Available');
    return undefined;
  };

  const keys = control.controller('persistent volume claims', reconcile);
  const offered = control.controller('persistent volumes', offer);
  const addAll = (): void => {
    for (const claim of claims.all()) if (claim.status?.phase !== 'Bound') keys.add(objectKeyText(claim));
  };
  claims.onChange((before, after) => keys.add(objectKeyText((after ?? before) as PersistentVolumeClaim)));
  classes.onChange(addAll);
  volumes.onChange((before, after) => {
    for (const key of byClaim((after ?? before) as PersistentVolume)) keys.add(key);
    if (before !== undefined || after === undefined || after.spec?.claimRef !== undefined) return;
    offered.add(objectKeyText(after));
    addAll();
  });
}

/** Volumes by the key of the claim that they are for. */
const byClaim: IndexBy<PersistentVolume> = ({ spec }) =>
  spec?.claimRef?.name === undefined ? [] : [`${spec.claimRef.namespace}/${spec.claimRef.name}`];
