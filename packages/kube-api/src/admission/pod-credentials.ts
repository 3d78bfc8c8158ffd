import type { ApiObject } from '../storage/api-object.ts';

/** What the platform gives to the pods of a service account: a token for an audience, and where it is. */
export type PodCredentials = {
  /** The name of the volume that holds the token. */
  readonly volume: string;
  readonly mountPath: string;
  readonly token: { readonly audience: string; readonly expirationSeconds: number; readonly path: string };
  readonly environment: readonly { readonly name: string; readonly value: string }[];
};

/** Returns what the pods of a service account get; `undefined` when they get nothing. */
export type FindPodCredentials = (account: ApiObject) => PodCredentials | undefined;
