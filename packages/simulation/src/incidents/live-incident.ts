import type { FoundBroken } from '../worlds/simulated-world.ts';
import type { FleetOutcome } from './fleet.ts';
import type { Incident } from './incident.ts';
import { createIncidentWorld, type IncidentQuestion } from './incident-world.ts';

/** What came of an incident, in both fleets. */
export type LivedIncident = {
  readonly without: FleetOutcome;
  readonly standard: FleetOutcome;
  /** Whether each end is the one that the incident wants. */
  readonly isAsItWas: boolean;
  readonly isPrevented: boolean;
  /** Invariants that did not hold on the way. */
  readonly broken: readonly FoundBroken[];
  readonly deaths: number;
};

export async function liveIncident(incident: Incident, question: IncidentQuestion): Promise<LivedIncident> {
  const world = await createIncidentWorld(incident, question);
  await incident.live(world);
  const [without, standard] = [world.outcome('free'), world.outcome('governed')];
  const lived = {
    without,
    standard,
    isAsItWas: incident.without(without, world.nodes),
    isPrevented: incident.standard(standard, world.nodes),
    broken: [...world.broken],
    deaths: world.deaths(),
  };
  await world.end();
  return lived;
}
