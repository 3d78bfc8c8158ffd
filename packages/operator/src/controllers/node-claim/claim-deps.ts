import type { Instant } from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import type { RegistrationHistory } from '../../state/registration-history.ts';

export type ClaimDeps = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly absences: Absences;
  readonly registrations: RegistrationHistory;
  readonly clock: Clock;
  readonly publish: Publisher;
};

/** Whether the outside world has to be asked again, and when. */
export type PerformedClaimAction = { readonly recheckAt?: Instant };
