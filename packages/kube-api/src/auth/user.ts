/** The identity that sends a request. */
export type User = {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** Roles that the authority which knows the user gives beside those that are bound. */
  readonly grants?: readonly RoleGrant[];
};

export type RoleGrant = {
  readonly clusterRole: string;
  /** Names of namespaces, `*` for any text in them [everywhere]. */
  readonly namespaces?: readonly string[];
};

/** Reads a bearer token. Undefined when the token belongs to no user that this reader knows. */
export type BearerTokenReader = (token: string) => User | undefined;
