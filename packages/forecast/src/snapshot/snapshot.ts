import type { KubernetesObject } from '@nodewright/apis';
import type { FoundImage } from '@nodewright/engine';
import type { AccountReading, UnreadPart } from '@nodewright/provider-aws';
import type { Observations } from './observations.ts';

/** A cluster and its account at one instant, as one file. */
export type Snapshot = {
  readonly apiVersion: 'nodewright.dev/v1alpha1';
  readonly kind: 'Snapshot';
  /** RFC 3339. */
  readonly takenAt: string;
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  /** Objects by the name of their resource, `nodepools.karpenter.sh`; each list in the order of the API server. */
  readonly kubernetes: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly aws: Omit<AccountReading, 'unread'> & {
    readonly types: readonly OfferedType[];
    readonly images: readonly ImagesOfMinor[];
  };
  readonly observed: Observations;
  /** What could not be read, by name. */
  readonly unread: readonly UnreadPart[];
};

/** An instance type that a NodeClass may launch, and where it is sold for how much. */
export type OfferedType = {
  readonly name: string;
  readonly vcpus: number;
  readonly offerings: readonly {
    readonly zone: string;
    readonly capacityType: string;
    readonly priceMicroUsdPerHour: number;
    readonly available: boolean;
  }[];
};

/** What the terms of a NodeClass, or the name of a family, find for one minor of Kubernetes. */
export type ImagesOfMinor = {
  /** The alias that was looked for, `al2023@latest`; absent for terms by id, name or tags. */
  readonly alias?: string;
  readonly kubernetesVersion: string;
  readonly images: readonly SnapshotImage[];
};

export type SnapshotImage = FoundImage & {
  /** The tags that its selector term asks for. */
  readonly tags?: Readonly<Record<string, string>>;
};
