import type { Instant } from '@nodewright/apis';
import type { AccessKey } from './access-key.ts';

/** A key that is lent for a while. A request that it signs carries its token. */
export type TemporaryKey = AccessKey & {
  readonly sessionToken: string;
  /** In the time by which the clients sign. */
  readonly expiresAt: Instant;
};
