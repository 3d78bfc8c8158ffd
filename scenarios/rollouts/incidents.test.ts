import { describe, expect, test } from 'vitest';
import { incidents, liveThrough } from './incidents.ts';

describe.each(incidents)('$id: $what', (incident) => {
  test('without a policy it is as it was', async () => {
    expect(await liveThrough(incident)).toSatisfy(incident.without);
  });

  test('with the preset standard at most the failure budget is touched', async () => {
    expect(await liveThrough(incident, 'standard')).toSatisfy(incident.standard);
  });
});
