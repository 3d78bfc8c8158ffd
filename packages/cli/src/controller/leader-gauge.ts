import type { Metrics } from '@nodewright/runtime';
import type { LeadershipCandidacy } from './leader-loop.ts';

/** A candidacy whose outcome the metrics tell: 1 while this process leads, 0 while it waits. */
export function countLeadership(metrics: Metrics, name: string, seek: LeadershipCandidacy): LeadershipCandidacy {
  const status = metrics.gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process leads: 1 or 0, by the name of the Lease',
    labels: ['name'],
  });
  return ({ lead, lost }) => {
    status.set({ name }, 0);
    const candidacy = seek({
      lead: () => {
        status.set({ name }, 1);
        lead();
      },
      lost: () => {
        status.set({ name }, 0);
        lost();
      },
    });
    return {
      stop: async () => {
        await candidacy.stop();
        status.set({ name }, 0);
      },
    };
  };
}
