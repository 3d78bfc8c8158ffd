import type { Update } from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';

/** What a customer says of an add-on. */
export type AddonSettings = {
  readonly version: string;
  readonly serviceAccountRoleArn?: string;
  readonly configurationValues?: string;
  /** Ids of pod identity associations that came with the add-on. */
  readonly podIdentityIds: readonly string[];
};

/** One add-on of a cluster. What it becomes follows from the time. */
export type ClusterAddon = AddonSettings & {
  readonly id: string;
  readonly clusterName: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  /** What EKS does with it, and until when. */
  readonly moving?: {
    readonly as: 'CREATING' | 'UPDATING' | 'DELETING';
    readonly until: Instant;
    /** What an update makes of it. */
    readonly change?: AddonSettings;
  };
};

export type AddonUpdate = {
  readonly id: string;
  readonly clusterName: string;
  readonly addonName: string;
  readonly params: NonNullable<Update['params']>;
  readonly createdAt: Instant;
  readonly until: Instant;
};
