import { incidents, liveIncident } from '@nodewright/simulation';
import { describe, expect, test } from 'vitest';

/** One seed and ten nodes of the shorter ones; `npm run simulate -- --incidents all` plays all, and more of both. */
const short = incidents.filter(({ isLong }) => isLong !== true);

describe.each(short)('$id: $what', (incident) => {
  test('without a policy it is as it was, with the preset standard at most the failure budget is lost', async () => {
    const lived = await liveIncident(incident, { nodes: 10, seed: `${incident.id} 1` });
    expect(lived).toMatchObject({ broken: [] });
    expect(lived.without).toSatisfy(() => lived.isAsItWas);
    expect(lived.standard).toSatisfy(() => lived.isPrevented);
  });
});
