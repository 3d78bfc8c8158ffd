import type { Clock, Logger, Random } from '@nodewright/runtime';
import type { CallAws } from './calls/call-aws.ts';
import type { Freshness } from './caching/freshness.ts';
import type { AwsClients } from './calls/clients.ts';
import type { ProviderCounters } from './calls/provider-counters.ts';

/** What every part of the provider works with. */
export type AwsContext = {
  readonly clock: Clock;
  readonly random: Random;
  readonly clients: AwsClients;
  readonly call: CallAws;
  readonly clusterName: string;
  readonly region: string;
  readonly log: Logger;
  readonly counters: ProviderCounters;
  /** Whether what AWS has answered is still good. */
  readonly freshness: Freshness;
};
