import type { Instant } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import type { Registry } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { Storage } from '@nodewright/runtime';
import type { Store } from '../storage/store.ts';
import type { RequestInfo, ResourcePath } from './request-info.ts';

/** Who asks. */
export type User = {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Tells whose bearer token it is; undefined when it is nobody's. */
export type TokenReader = (token: string) => User | undefined;

/** Reads what a pod's containers have written; undefined when there is nothing to read. */
export type PodLogs = (
  pod: { readonly namespace: string; readonly name: string },
  options: PodLogOptions,
) => AsyncIterable<Uint8Array> | undefined;

export type PodLogOptions = {
  readonly container?: string;
  /** Go on with what is written from now on, until the signal. */
  readonly follow: boolean;
  /** Only so many of the last lines. */
  readonly tailLines?: number;
  /** Only what was written then or later, by the cluster's clock. */
  readonly since?: Instant;
  /** Put the time of writing in front of each line. */
  readonly timestamps: boolean;
  /** The reader has gone. */
  readonly signal: AbortSignal;
};

/** What every verb works on. */
export type World = {
  readonly store: Store;
  /** Whether changes can be kept. */
  readonly storage: Pick<Storage, 'problem'>;
  readonly registry: Registry;
  /** The cluster's time: timestamps and grace periods. */
  readonly clock: Clock;
  /** The time that clients wait in: `timeoutSeconds` of a watch. */
  readonly patience: Clock;
  readonly uids: Random;
  readonly names: Random;
  readonly tokens: readonly TokenReader[];
  readonly podLogs?: PodLogs;
};

/** One request for a resource, after routing and authorization. */
export type Call = {
  readonly info: RequestInfo;
  readonly path: ResourcePath;
  readonly resource: Resource;
  readonly user: User;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Texts for `Warning` headers, collected on the way. */
  readonly warnings: string[];
  readonly signal: AbortSignal;
};
