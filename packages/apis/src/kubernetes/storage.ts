import type { NodeSelectorTerm, ResourceList } from './core.ts';
import type { KubernetesObject } from './meta.ts';

export type PersistentVolumeClaim = KubernetesObject & {
  readonly spec?: {
    /** The bound volume, or the one that is wanted. */
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly resources?: { readonly requests?: ResourceList };
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Bound' | 'Lost';
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
  };
};

export type PersistentVolume = KubernetesObject & {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
    readonly persistentVolumeReclaimPolicy?: 'Delete' | 'Retain' | 'Recycle';
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
    readonly csi?: { readonly driver: string; readonly volumeHandle?: string; readonly fsType?: string };
    readonly awsElasticBlockStore?: { readonly volumeID: string; readonly fsType?: string };
    readonly local?: { readonly path: string };
    readonly hostPath?: { readonly path: string };
  };
  readonly status?: { readonly phase?: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed' };
};

export type StorageClass = KubernetesObject & {
  /** A CSI driver, or an in-tree plugin: `kubernetes.io/aws-ebs`. */
  readonly provisioner: string;
  readonly reclaimPolicy?: 'Delete' | 'Retain';
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
};

export type CSINode = KubernetesObject & {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly nodeID?: string;
      readonly topologyKeys?: readonly string[];
      /** `count`: how many volumes of the driver the node may have attached. */
      readonly allocatable?: { readonly count?: number };
    }[];
  };
};
