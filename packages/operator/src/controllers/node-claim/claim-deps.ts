import type { Instant, NodeClaim } from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import type { Clock, Logger } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import type { RegistrationHistory } from '../../state/registration-history.ts';

export type ClaimDeps = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly absences: Absences;
  readonly registrations: RegistrationHistory;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
};

/** Whether the outside world has to be asked again, and when. */
export type PerformedClaimAction = { readonly recheckAt?: Instant };

/** How logs name a claim. */
export const claimFields = ({ metadata, status }: NodeClaim) => ({
  NodeClaim: { name: metadata.name },
  'provider-id': status?.providerID,
});
