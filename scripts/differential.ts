/**
 * Sends the same random requests to the embedded API server and to a real one, and shows where their answers differ.
 *
 * The real server is one that may be thrown away; no controller should run beside it. Histories of requests are drawn from a
 * seed, and one of them can be played again. `npm run differential -- --help` lists the flags.
 */
import { randomBytes } from 'node:crypto';
import { drawFieldHistory } from './differential/draw-fields.ts';
import { drawHistory, type DrawOptions } from './differential/draw-history.ts';
import { type DrawnSchema, installedDefinitions, listTestedKinds, SchemaTable } from './differential/kinds.ts';
import { HistoryPlayer, installDefinitions, type PlayedStep, readDocument } from './differential/play.ts';
import { RefusalRecord } from './differential/recorded-refusals.ts';
import { DifferenceCount, differenceKey, printCase } from './differential/report.ts';
import { openEmbeddedServer, openRealServer } from './differential/servers.ts';
import { shrinkSteps } from './differential/shrink.ts';
import type { DrawnHistory, Step } from './differential/step.ts';
import { type Walk, walkMembers } from './differential/walk-members.ts';
import { readFlags, readNumberFlag, refuseFlags } from './flags/read-flags.ts';

const flags = readFlags(
  {
    command: 'npm run differential --',
    brief: 'Sends the same random requests to the embedded API server and to a real one that may be thrown away.',
  },
  {
    kubeconfig: {
      value: 'FILE',
      brief: 'names the real API server, with the credentials of an administrator; required',
    },
    version: { value: 'MINOR', default: '1.36', brief: 'which Kubernetes the embedded one serves' },
    histories: { value: 'N', default: '200', brief: 'how many are drawn' },
    minutes: { value: 'M', default: 'Infinity', brief: 'ends after so many minutes' },
    length: { value: 'N', default: '12', brief: 'requests of a history' },
    seed: { value: 'S', default: randomBytes(4).toString('hex'), brief: 'what histories are drawn from' },
    case: { value: 'S-17', brief: 'plays this history alone and shows every answer that differs' },
    only: { value: 'KIND,KIND', brief: 'requests for these kinds alone' },
    fields: { brief: 'goes through the members of kinds with writes that are not kept, instead of histories' },
    walk: {
      brief: 'goes through every member of every kind in order, with every fault: those of --only KIND take a moment',
    },
    record: { value: 'FILE', brief: 'of a walk: writes one fault of each kind of refusal that both servers agree on' },
    skip: { value: 'N', default: '0', brief: 'of a walk: leaves out so many histories after each that is played' },
    shrink: { value: 'N', default: '0', brief: 'makes the first case of so many kinds of difference smaller' },
    tries: { value: 'N', default: '60', brief: 'how often a case is tried while it is made smaller' },
    most: { value: 'N', default: '2', brief: 'ends with 1 when more of 100 steps differ in more than words' },
    lines: { value: 'N', default: '600', brief: 'how much of a case is printed' },
    show: { brief: 'prints every request that differs in more than words' },
  },
);
if (flags.kubeconfig === undefined) refuseFlags('--kubeconfig FILE is required: it names the real API server');
for (const name of ['histories', 'minutes', 'length', 'shrink', 'tries', 'most', 'lines'] as const)
  readNumberFlag(`--${name}`, flags[name]);

const start = performance.now();
const [ours, real] = [openEmbeddedServer(flags.version), await openRealServer(flags.kubeconfig)];
for (const server of [ours, real]) await installDefinitions(server, installedDefinitions());
const kinds = listTestedKinds();
const chosen = flags.only === undefined ? kinds : kinds.filter(({ kind }) => flags.only?.split(',').includes(kind));
const openApi = (await readDocument(ours, '/openapi/v2')) as { readonly definitions: Record<string, DrawnSchema> };
const drawing: DrawOptions = { kinds: chosen, table: new SchemaTable(openApi), length: Number(flags.length) };
const player = new HistoryPlayer({ ours, real, kinds }, `r${randomBytes(3).toString('hex')}`);
const draw = flags.fields ? drawFieldHistory : drawHistory;
const count = new DifferenceCount();
const refusals = new RefusalRecord();
let shrunk = 0;

if (flags.case !== undefined) await showCase(flags.case);
else await playAll();
// Kept-alive connections and watches of the other server would hold the process.
process.exit();

async function showCase(seed: string): Promise<void> {
  const { steps } = flags.walk ? findWalk(seed) : draw(seed, drawing);
  const played = await player.play(steps);
  console.log(printCase(played, Number(flags.lines)));
  for (const { step, differences } of played)
    for (const difference of differences) console.log(`- ${differenceKey(step, difference)}`);
}

function findWalk(seed: string): DrawnHistory {
  for (const history of walkMembers(drawing)) if (history.seed === seed) return history;
  return refuseFlags(`--case ${seed} is no part of the walk`);
}

/** Those of a walk, or as many as are wanted from the seed. */
function* listHistories(): Generator<DrawnHistory | Walk> {
  if (!flags.walk) {
    for (let nth = 1; nth <= Number(flags.histories); nth += 1) yield draw(`${flags.seed}-${nth}`, drawing);
    return;
  }
  let nth = 0;
  for (const history of walkMembers(drawing)) {
    if (nth % (1 + Number(flags.skip)) === 0) yield history;
    nth += 1;
  }
}

async function playAll(): Promise<void> {
  const lastMs = Number(flags.minutes) * 60_000;
  console.log(flags.walk ? 'every member' : `seed ${flags.seed}`);
  let nth = 0;
  for (const history of listHistories()) {
    if (performance.now() - start > lastMs) break;
    nth += 1;
    const played = await player.play(history.steps);
    if (flags.show) showDifferent(history.seed, played);
    if ('faults' in history) refusals.add(history, played);
    for (const key of count.add(history.seed, played)) await showSmallest(key, history.steps);
    if (nth % 100 === 0) console.log(`${nth} histories: ${count.summary()}`);
  }
  if (flags.record !== undefined) refusals.write(flags.record);
  console.log(`${count.table()}\n${count.summary()}${flags.walk ? '' : `; seed ${flags.seed}`}`);
  const [, share = '100'] = /in more than words \(([\d.]+) %\)/.exec(count.summary()) ?? [];
  process.exitCode = Number(share) <= Number(flags.most) ? 0 : 1;
}

/** Of a request, whose consequences may differ, too: what it said, and which differences it made. */
function showDifferent(seed: string, played: readonly PlayedStep[]): void {
  for (const one of played) {
    const { step, differences } = one;
    const keys = differences.filter(({ isWording }) => !isWording).map((difference) => differenceKey(step, difference));
    if (keys.length > 0) console.log(`== ${seed} ${keys.join('; ')}\n${printCase([one], Number(flags.lines))}`);
  }
}

async function showSmallest(key: string, steps: readonly Step[]): Promise<void> {
  if (shrunk >= Number(flags.shrink)) return;
  shrunk += 1;
  const playedKeys = async (smaller: readonly Step[]) =>
    (await player.play(smaller)).flatMap(({ step, differences }) =>
      differences.map((found) => differenceKey(step, found)),
    );
  const shows = async (smaller: readonly Step[]) => (await playedKeys(smaller)).includes(key);
  const smallest = await shrinkSteps(steps, { shows, tries: Number(flags.tries) });
  console.log(`${key}\n${printCase(await player.play(smallest), Number(flags.lines))}`);
}
