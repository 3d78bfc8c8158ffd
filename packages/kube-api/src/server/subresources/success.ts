import type { RequestOutcome } from '../outcome.ts';

/** The answer of a subresource without a document of its own. */
export const statusSuccess = (code: number): RequestOutcome => ({
  kind: 'document',
  code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code },
});
