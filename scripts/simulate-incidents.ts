import { type FleetOutcome, type Incident, incidents, type LivedIncident, liveIncident } from '@nodewright/simulation';
import { readSizesFlag, refuseFlags } from './flags/read-flags.ts';

export type IncidentFlags = {
  /** `all`, or ids with commas. */
  readonly chosen: string;
  /** Sizes with commas. */
  readonly nodes: string;
  readonly seeds: string;
  /** The only seed. */
  readonly seed?: string | undefined;
  /** The controller dies after so many writes of each of its lives. */
  readonly killEvery?: number | undefined;
};

/** Lives through incidents in each size and with each seed, and prints a row for each size. @returns whether all ended as wanted */
export async function simulateIncidents({ chosen, nodes, killEvery, ...flags }: IncidentFlags): Promise<boolean> {
  const wanted = chosen === 'all' ? incidents : chosen.split(',').map(incidentOf);
  console.log('| incident | nodes | runs | without a policy | preset standard | deaths | as wanted | CPU s |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  let isGood = true;
  for (const incident of wanted)
    for (const size of readSizesFlag('--nodes', nodes))
      isGood = (await simulateIncident(incident, { size, seeds: seedsOf(incident, flags), killEvery })) && isGood;
  return isGood;
}

function incidentOf(id: string): Incident {
  const found = incidents.find((incident) => incident.id === id);
  if (found === undefined)
    refuseFlags(`--incidents has "${id}", wanted all or some of ${incidents.map((each) => each.id).join(', ')}`);
  return found;
}

const seedsOf = ({ id }: Incident, { seed, seeds }: Pick<IncidentFlags, 'seed' | 'seeds'>): readonly string[] =>
  seed === undefined ? Array.from({ length: Number(seeds) }, (_, index) => `${id} ${index + 1}`) : [seed];

type IncidentRuns = {
  readonly size: number;
  readonly seeds: readonly string[];
  readonly killEvery: number | undefined;
};

async function simulateIncident(incident: Incident, { size, seeds, killEvery }: IncidentRuns): Promise<boolean> {
  const cpu = process.cpuUsage();
  const lived = [];
  for (const seed of seeds)
    lived.push({
      seed,
      ...(await liveIncident(incident, { nodes: size, seed, ...(killEvery !== undefined && { killEvery }) })),
    });
  const { user, system } = process.cpuUsage(cpu);
  const bad = lived.filter(({ isAsItWas, isPrevented, broken }) => !isAsItWas || !isPrevented || broken.length > 0);
  const deaths = lived.reduce((sum, each) => sum + each.deaths, 0);
  console.log(
    `| ${incident.id} | ${incident.fleet?.nodes ?? size} | ${seeds.length} | ${printOutcomes(lived.map(({ without }) => without))} | ${printOutcomes(lived.map(({ standard }) => standard))} | ${deaths} | ${seeds.length - bad.length} of ${seeds.length} | ${Math.round((user + system) / 1e6)} |`,
  );
  for (const each of bad)
    printBadRun(
      each,
      `--incidents ${incident.id} --nodes ${size}${killEvery === undefined ? '' : ` --kill-every ${killEvery}`}`,
    );
  return bad.length === 0;
}

function printBadRun({ seed, without, standard, isAsItWas, isPrevented, broken }: SeededIncident, flags: string): void {
  console.log(`FAILED: npm run simulate -- ${flags} --seed '${seed}'`);
  if (!isAsItWas) console.log(`  without a policy it is not as it was: ${JSON.stringify(without)}`);
  if (!isPrevented) console.log(`  the preset does not prevent it: ${JSON.stringify(standard)}`);
  for (const { id, minute, message } of broken) console.log(`  ${id} at minute ${minute}: ${message}`);
}

type SeededIncident = LivedIncident & { readonly seed: string };

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
