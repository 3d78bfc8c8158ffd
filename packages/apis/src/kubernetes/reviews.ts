import type { KubernetesObject } from './meta.ts';

/** The user that the API server found behind a token. */
export type ReviewedUser = {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Asks the API server whose a token is. */
export type TokenReview = KubernetesObject & {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: ReviewedUser; readonly error?: string };
};

type ResourceAttributes = { readonly verb: string; readonly group: string; readonly resource: string };

/** Asks the API server whether the sender may do something. */
export type SelfSubjectAccessReview = KubernetesObject & {
  readonly spec: { readonly resourceAttributes: ResourceAttributes };
  readonly status?: { readonly allowed: boolean };
};

/** Asks the API server whether a user may do something. */
export type SubjectAccessReview = KubernetesObject & {
  readonly spec: Omit<ReviewedUser, 'username'> & {
    readonly user: string;
    readonly resourceAttributes: ResourceAttributes;
  };
  readonly status?: { readonly allowed: boolean };
};
