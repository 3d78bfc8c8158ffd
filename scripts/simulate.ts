/**
 * Plays random histories of simulated clusters and checks the invariants of docs/invariants.md after every write.
 *
 * History after history is drawn from a seed. A history that fails is printed with the command that plays it again, is made
 * smaller and written to a file; the status is 1 then. With `--incidents` it lives through the incidents of docs/incidents.md
 * instead, prints a table, and for each run that ends otherwise than wanted what it ended with. `--help` lists the flags.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byText, hours, minutes, readOwn } from '@nodewright/apis';
import {
  drawHistory,
  flaws,
  type History,
  type HistoryBounds,
  readHistory,
  playHistory,
  type PlayedHistory,
  formatHistory,
  shrinkHistory,
  stepKinds,
} from '@nodewright/simulation';
import { readFlags, readNumberFlag, refuseFlags } from './flags/read-flags.ts';
import { simulateIncidents } from './simulate-incidents.ts';

const dayMs = hours(24);

type Candidate = { readonly history: History; readonly command: string };

const flags = readFlags(
  {
    command: 'npm run simulate --',
    brief: 'Plays random histories of simulated clusters and checks docs/invariants.md.',
  },
  {
    'cluster-days': { value: 'N', brief: 'ends after so many simulated days [10 where no time is limited]' },
    minutes: { value: 'M', brief: 'ends after so many minutes' },
    'cpu-minutes': { value: 'M', brief: 'ends after so many minutes of processor time' },
    seed: { value: 'S', brief: 'what histories are drawn from; a random one is printed' },
    nodes: { value: 'N', brief: 'about how many nodes a cluster has; with --incidents sizes with commas' },
    weeks: { value: 'N', brief: 'histories of N weeks of an ordinary cluster, with a release a week' },
    only: { value: 'KIND', brief: `only this kind of step: ${stepKinds.join(', ')}` },
    first: { value: 'FOLDER', brief: 'plays the histories in files of the folder first' },
    history: { value: 'S-3', brief: 'plays this history alone' },
    replay: { value: 'FILE', brief: 'plays the history in a file' },
    save: { value: 'FILE', default: 'simulation-failure.json', brief: 'where a history that fails is written' },
    'shrink-minutes': { value: 'M', default: '5', brief: 'how long a history that fails is made smaller' },
    log: { brief: 'prints what happens' },
    flaw: { value: 'NAME', brief: `breaks the controllers on purpose: ${Object.keys(flaws).join(', ')}` },
    incidents: { value: 'all|R4,R6', brief: 'lives through these of docs/incidents.md, and plays no histories' },
    seeds: { value: 'N', default: '1', brief: 'with --incidents: how many seeds each is tried with' },
    'kill-every-write': { brief: 'with --incidents: the controller dies after every write' },
    'kill-every': { value: 'N', brief: 'with --incidents: the controller dies after every Nth write' },
  },
);

if (flags.incidents !== undefined) {
  const { incidents: chosen, nodes = '10', seeds, seed, 'kill-every-write': killEveryWrite } = flags;
  const killEvery = killEveryWrite ? 1 : readKillEvery(flags['kill-every']);
  process.exit((await simulateIncidents({ chosen, nodes, seeds, seed, killEvery })) ? 0 : 1);
}

function readKillEvery(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) refuseFlags(`--kill-every is "${text}", wanted a whole number from 1`);
  return count;
}

const start = performance.now();
const cpuStart = process.cpuUsage();
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage(cpuStart);
  return (user + system) / 1e6;
};
/** The number of a flag; `absent` where it is not given. */
function numberOf(
  name: 'cluster-days' | 'minutes' | 'cpu-minutes' | 'nodes' | 'weeks' | 'shrink-minutes',
  absent: number,
): number {
  const text = flags[name];
  return text === undefined ? absent : readNumberFlag(`--${name}`, text);
}

const hasTimeLimit = flags.minutes !== undefined || flags['cpu-minutes'] !== undefined;
const mostDays = numberOf('cluster-days', hasTimeLimit ? Infinity : 10);
const lastMs = minutes(numberOf('minutes', Infinity));
const lastCpuSeconds = numberOf('cpu-minutes', Infinity) * 60;
/** How long a failure is made smaller, in milliseconds. */
const shrinkingMs = minutes(numberOf('shrink-minutes', 5));
/** To read the processor's time takes as long as a step of a history, so not each step reads it. */
const stepsBetweenLooks = 256;
let steps = 0;
let isOverAtLastLook = false;
const isOver = (): boolean => {
  steps += 1;
  if (steps % stepsBetweenLooks === 1)
    isOverAtLastLook = performance.now() - start > lastMs || cpuSeconds() > lastCpuSeconds;
  return isOverAtLastLook;
};

const options = { ...(flags.log && { log: (line: string) => console.log(line) }), ...flawOf(flags.flaw) };

const digest = createHash('sha256');
const totals = { histories: 0, virtualMs: 0, launches: 0, deaths: 0 };

for (const candidate of listCandidates()) {
  if (isOver() || totals.virtualMs / dayMs >= mostDays) break;
  const cpu = cpuSeconds();
  const played = await playHistory(candidate.history, { isOver, ...options });
  if (played.broken.length > 0) await reportFailure(candidate, played);
  if (!played.isComplete) break;
  countPlayed(candidate, played, cpuSeconds() - cpu);
}
printTotals();

function* listCandidates(): Generator<Candidate> {
  if (flags.replay !== undefined) return yield candidateInFile(flags.replay);
  if (flags.history !== undefined) return yield candidateOf(flags.history, boundsOf(flags));
  if (flags.first !== undefined) yield* historiesIn(flags.first);
  const seed = flags.seed ?? randomBytes(4).toString('hex');
  console.log(`seed ${seed}`);
  for (let nth = 1; ; nth += 1) yield candidateOf(`${seed}-${nth}`, boundsOf(flags));
}

/** The histories of a folder, by name. */
function* historiesIn(folder: string): Generator<Candidate> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const file of files.toSorted(byText)) yield candidateInFile(join(folder, file));
}

function candidateInFile(file: string): Candidate {
  return { history: readHistory(readFileSync(file, 'utf8')), command: `npm run simulate -- --replay ${file}` };
}

function boundsOf({ nodes, only, weeks }: Pick<typeof flags, 'nodes' | 'only' | 'weeks'>): HistoryBounds {
  const kind = stepKinds.find((each) => each === only);
  if (only !== undefined && kind === undefined)
    refuseFlags(`--only is "${only}", wanted one of ${stepKinds.join(', ')}`);
  return {
    ...(nodes !== undefined && { nodes: numberOf('nodes', 0) }),
    ...(kind !== undefined && { only: kind }),
    ...(weeks !== undefined && { weeks: numberOf('weeks', 0) }),
  };
}

function flawOf(name: string | undefined) {
  if (name === undefined) return {};
  const flaw = readOwn(flaws, name);
  if (flaw === undefined) refuseFlags(`--flaw is "${name}", wanted one of ${Object.keys(flaws).join(', ')}`);
  return { flaw };
}

function candidateOf(seed: string, bounds: HistoryBounds): Candidate {
  const args = Object.entries(bounds).map(([flag, value]) => ` --${flag} ${value}`);
  return { history: drawHistory(seed, bounds), command: `npm run simulate -- --history ${seed}${args.join('')}` };
}

function countPlayed({ history }: Candidate, { virtualMs, launches, deaths, digest: own }: PlayedHistory, cpu: number) {
  totals.histories += 1;
  totals.virtualMs += virtualMs;
  totals.launches += launches;
  totals.deaths += deaths;
  digest.update(own);
  const wall = (performance.now() - start) / 60_000;
  const days = totals.virtualMs / dayMs;
  console.log(
    [
      `history ${history.seed}: ${(virtualMs / dayMs).toFixed(2)} days, ${history.steps.length} steps, ${launches} launches,`,
      `${deaths} deaths, ${cpu.toFixed(1)} s of processor time (${(days / wall).toFixed(1)} cluster-days per minute)`,
    ].join(' '),
  );
}

async function reportFailure({ history, command }: Candidate, { broken }: PlayedHistory): Promise<never> {
  const [first] = broken;
  console.log(`FAILED ${first?.id} at minute ${first?.minute} of ${history.seed}: ${first?.message}  |  ${command}`);
  for (const { id, minute, message } of broken.slice(1)) console.log(`  and ${id} at minute ${minute}: ${message}`);
  if (shrinkingMs > 0 && flags.replay === undefined) await writeSmallest(history, first?.id ?? '');
  printTotals();
  process.exit(1);
}

/** A smaller history has to break the same invariant. */
async function writeSmallest(history: History, id: string): Promise<void> {
  const since = performance.now();
  const mayGoOn = (): boolean => performance.now() - since < shrinkingMs;
  const fails = async (smaller: History): Promise<boolean> =>
    (await playHistory(smaller, { ...flawOf(flags.flaw), isOver: () => !mayGoOn() })).broken.some(
      (found) => found.id === id,
    );
  const smallest = await shrinkHistory(history, { fails, mayGoOn });
  writeFileSync(flags.save, formatHistory(smallest));
  const was = `${history.steps.length} steps, ${history.cluster.workloads.length} workloads`;
  const is = `${smallest.steps.length} steps, ${smallest.cluster.workloads.length} workloads`;
  console.log(`made smaller (${was} to ${is}): npm run simulate -- --replay ${flags.save}`);
}

function printTotals(): void {
  const { histories, virtualMs, launches, deaths } = totals;
  const days = virtualMs / dayMs;
  const cpu = cpuSeconds();
  console.log(
    [
      `${histories} histories, ${days.toFixed(1)} cluster-days, ${launches} launches, ${deaths} deaths of controllers;`,
      `${cpu.toFixed(0)} s of processor time, ${((days / cpu) * 3_600).toFixed(0)} cluster-days in an hour of it;`,
      `digest ${digest.copy().digest('hex').slice(0, 16)}`,
    ].join(' '),
  );
}
