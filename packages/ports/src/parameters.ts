/** A text that is stored under a name, and how often it was written. */
export type StoredText = { readonly text: string; readonly version: number };

/**
 * Texts that several clusters of an account and region share.
 *
 * Guarantees: a write takes the place of what is there, and answers with its version: one more than the version before.
 * Whoever read a version and gets a higher one than the next has written over another client.
 *
 * Errors: a `CloudError` when the store cannot be asked, or refuses. A text that is too large for the store is refused.
 */
export interface ParameterPort {
  /** `undefined` when nothing is stored under the name. */
  read(name: string, signal: AbortSignal): Promise<StoredText | undefined>;
  /** @returns the version of what was written */
  write(name: string, text: string, signal: AbortSignal): Promise<number>;
}
