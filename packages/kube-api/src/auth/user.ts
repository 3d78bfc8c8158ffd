/** The identity that sends a request. */
export type User = {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Reads a bearer token. Undefined when the token belongs to no user that this reader knows. */
export type BearerTokenReader = (token: string) => User | undefined;
