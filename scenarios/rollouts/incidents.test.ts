import { incidents, liveIncident } from '@nodewright/simulation';
import { describe, expect, test } from 'vitest';

/** Ten nodes of the shorter ones; `npm run simulate -- --incidents all` plays all, and more of both. */
const short = incidents.filter(({ isLong }) => isLong !== true);
const seeds = [1, 2, 3, 4, 5];

describe.each(short)('$id: $what', (incident) => {
  test.each(seeds)(
    'without a policy it is as it was, with the preset standard at most the failure budget is lost (seed %i)',
    async (seed) => {
      const lived = await liveIncident(incident, { nodes: 10, seed: `${incident.id} ${seed}` });
      expect(lived).toMatchObject({ broken: [] });
      expect(lived.without).toSatisfy(() => lived.isAsItWas);
      expect(lived.standard).toSatisfy(() => lived.isPrevented);
    },
  );
});
