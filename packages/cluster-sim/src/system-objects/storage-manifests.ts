import type { StorageClass } from '@nodewright/apis';

/** EKS marks its class as the default of clusters before this minor. */
const firstWithoutDefault = 30;

/** The storage class that a cluster of EKS comes with. */
export const storageManifests = (kubernetesVersion: string): readonly StorageClass[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'gp2',
      annotations:
        Number(kubernetesVersion.split('.')[1]) < firstWithoutDefault
          ? { 'storageclass.kubernetes.io/is-default-class': 'true' }
          : {},
    },
    provisioner: 'kubernetes.io/aws-ebs',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];
