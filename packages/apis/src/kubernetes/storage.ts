import type { NodeSelectorTerm } from './core.ts';
import type { KubernetesObject } from './meta.ts';

export type PersistentVolumeClaim = KubernetesObject & {
  readonly spec?: {
    /** The bound volume, or the one that is wanted. */
    readonly volumeName?: string;
    readonly storageClassName?: string;
  };
  readonly status?: { readonly phase?: 'Pending' | 'Bound' | 'Lost' };
};

export type PersistentVolume = KubernetesObject & {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
    readonly csi?: { readonly driver: string; readonly volumeHandle?: string };
    readonly awsElasticBlockStore?: { readonly volumeID: string };
    readonly local?: { readonly path: string };
    readonly hostPath?: { readonly path: string };
  };
};

export type StorageClass = KubernetesObject & {
  /** A CSI driver, or an in-tree plugin: `kubernetes.io/aws-ebs`. */
  readonly provisioner: string;
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
      /** `count`: how many volumes of the driver the node may have attached. */
      readonly allocatable?: { readonly count?: number };
    }[];
  };
};
