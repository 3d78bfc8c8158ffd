import type { AccessScope } from '@aws-sdk/client-eks';

/** A principal that may reach the Kubernetes API of a cluster. Times are timestamps. */
export type KeptAccessEntry = {
  readonly clusterName: string;
  readonly principalArn: string;
  readonly groups: readonly string[];
  readonly username: string;
  readonly type: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly policies: readonly KeptAccessPolicy[];
};

export type KeptAccessPolicy = {
  readonly policyArn: string;
  readonly scope: AccessScope;
  readonly associatedAt: string;
  readonly modifiedAt: string;
};

/** A service account whose pods take a role. */
export type KeptPodIdentity = {
  readonly id: string;
  readonly clusterName: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly roleArn: string;
  readonly targetRoleArn?: string;
  readonly disableSessionTags: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly modifiedAt: string;
};

/** Under which an entry is kept. */
export const accessEntryKey = (clusterName: string, principalArn: string): string =>
  JSON.stringify([clusterName, principalArn]);
