import type { CallAws } from '../calls/call-aws.ts';
import type { AwsClients } from '../calls/clients.ts';

/** What every question to an account is asked with. */
export type AccountReader = {
  readonly clients: AwsClients;
  readonly clusterName: string;
  readonly call: CallAws;
  readonly signal: AbortSignal;
  /** What the work brings, or what is used in its place when the account does not let it be read. */
  readonly orUnread: <T>(what: string, otherwise: T, work: () => Promise<T>) => Promise<T>;
};
