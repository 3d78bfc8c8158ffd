import type { Instant } from '@nodewright/apis';

/** An issuer of tokens that the account trusts. */
export type OidcProvider = {
  readonly arn: string;
  /** Without the scheme. */
  readonly url: string;
  readonly clientIds: readonly string[];
  readonly thumbprints: readonly string[];
  readonly createdAt: Instant;
  readonly tags: Readonly<Record<string, string>>;
};
