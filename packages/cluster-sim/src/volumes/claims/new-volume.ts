import {
  kubernetesLabels,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '@nodewright/apis';
import { driverOfClass, ebsDriver, isOldForm } from '../drivers.ts';

/** A volume that is made for a claim; an EBS volume can be used in its zone alone. */
export function newVolume(claim: PersistentVolumeClaim, storageClass: StorageClass, zone: string): PersistentVolume {
  const { name, namespace, uid = '' } = claim.metadata;
  const driver = driverOfClass(storageClass);
  const isZonal = driver === ebsDriver;
  const handle = `vol-${uid.replaceAll('-', '').slice(0, 17)}`;
  const zonal = { matchExpressions: [{ key: kubernetesLabels.zone, operator: 'In' as const, values: [zone] }] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeNameOf(claim),
      annotations: { 'pv.kubernetes.io/provisioned-by': driver },
    },
    spec: {
      capacity: { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' },
      accessModes: claim.spec?.accessModes ?? ['ReadWriteOnce'],
      claimRef: { ...claimReference, name, ...(namespace === undefined ? {} : { namespace }), uid },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(isOldForm(storageClass)
        ? { awsElasticBlockStore: { volumeID: handle, fsType: 'ext4' } }
        : { csi: { driver, volumeHandle: handle, ...(isZonal ? { fsType: 'ext4' } : {}) } }),
      ...(isZonal ? { nodeAffinity: { required: { nodeSelectorTerms: [zonal] } } } : {}),
    },
  };
}

/** The name of the volume that is made for a claim: a second try finds it. */
export const volumeNameOf = ({ metadata }: PersistentVolumeClaim): string => `pvc-${metadata.uid}`;

const claimReference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
