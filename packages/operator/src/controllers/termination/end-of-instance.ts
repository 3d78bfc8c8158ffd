import type { InstancePort } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';
import type { Absences } from '../../state/absences.ts';

type Ended = {
  readonly providerId: string;
  readonly outcome: Awaited<ReturnType<InstancePort['terminate']>>;
};

/**
 * Whether nothing is left to end. What EC2 does not describe may have been launched a moment ago: it is asked to end it
 * until a second look, some time later, does not find it either.
 */
export function isEndConfirmed(
  { absences, clock }: { readonly absences: Absences; readonly clock: Pick<Clock, 'now'> },
  { providerId, outcome }: Ended,
): boolean {
  switch (outcome) {
    case 'gone':
      return true;
    case 'terminating':
      absences.found(providerId);
      return false;
    case 'unknown':
      return absences.missed(providerId, clock.now()).kind === 'gone';
  }
}
