import { type FleetOutcome, type Incident, incidents, liveIncident } from '@nodewright/simulation';

export type IncidentFlags = {
  /** `all`, or ids with commas. */
  readonly chosen: string;
  /** Sizes with commas. */
  readonly nodes: string;
  readonly seeds: string;
  readonly killEveryWrite: boolean;
};

/** Lives through incidents in each size and with each seed, and prints a row for each size. @returns whether all ended as wanted */
export async function simulateIncidents({ chosen, nodes, seeds, killEveryWrite }: IncidentFlags): Promise<boolean> {
  const wanted = chosen === 'all' ? incidents : chosen.split(',').map(incidentOf);
  console.log('| incident | nodes | runs | without a policy | preset standard | deaths | as wanted | CPU s |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  let isGood = true;
  for (const incident of wanted)
    for (const size of nodes.split(',').map(Number))
      isGood = (await simulateIncident(incident, { size, seeds: Number(seeds), killEveryWrite })) && isGood;
  return isGood;
}

function incidentOf(id: string): Incident {
  const found = incidents.find((incident) => incident.id === id);
  if (found === undefined)
    throw new Error(`--incidents has "${id}", wanted all or some of ${incidents.map((each) => each.id).join(', ')}`);
  return found;
}

type IncidentRuns = { readonly size: number; readonly seeds: number; readonly killEveryWrite: boolean };

async function simulateIncident(incident: Incident, { size, seeds, killEveryWrite }: IncidentRuns): Promise<boolean> {
  const cpu = process.cpuUsage();
  const lived = [];
  for (let seed = 1; seed <= seeds; seed += 1)
    lived.push(
      await liveIncident(incident, {
        nodes: size,
        seed: `${incident.id} ${seed}`,
        ...(killEveryWrite && { killEvery: 1 }),
      }),
    );
  const { user, system } = process.cpuUsage(cpu);
  const good = lived.filter(({ isAsItWas, isPrevented, broken }) => isAsItWas && isPrevented && broken.length === 0);
  const deaths = lived.reduce((sum, each) => sum + each.deaths, 0);
  console.log(
    `| ${incident.id} | ${incident.fleet?.nodes ?? size} | ${seeds} | ${printOutcomes(lived.map(({ without }) => without))} | ${printOutcomes(lived.map(({ standard }) => standard))} | ${deaths} | ${good.length} of ${seeds} | ${Math.round((user + system) / 1e6)} |`,
  );
  for (const { broken } of lived) for (const { id, message } of broken) console.log(`FAILED ${id}: ${message}`);
  return good.length === seeds;
}

/** The range over the runs of each count that tells something. */
function printOutcomes(outcomes: readonly FleetOutcome[]): string {
  const range = (count: (outcome: FleetOutcome) => number): string => {
    const all = outcomes.map(count);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return least === most ? String(least) : `${least} to ${most}`;
  };
  const halts = [...new Set(outcomes.flatMap(({ halted }) => halted ?? []))].toSorted();
  return [
    `${range(({ touched }) => touched)} touched`,
    `${range(({ moved }) => moved)} moved`,
    `least ${range(({ fewestReadyPods }) => fewestReadyPods)} Ready`,
    `most ${range(({ mostNodes }) => mostNodes)} nodes`,
    ...halts,
  ].join(', ');
}
