import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant, byNumber } from '@nodewright/apis';
import { type ApiServer, createApiServer } from '@nodewright/kube-api';
import { forgetfulLedger, type Ledger, LineLedger, readState, seededRandom, virtualTime } from '@nodewright/runtime';
import { type FsyncPolicy, StateFile } from '../../packages/cli/src/world/state/state-file.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

const policies = ['none', 'never', 'interval', 'always'] as const;
type Policy = (typeof policies)[number];
type Kept = { readonly policy: Policy; readonly server: ApiServer; close(): void };

const batch = 100;

/**
 * What it costs to keep changes: microseconds for one create through the API server, without a data directory and with
 * each `--fsync`, and the ratio to the first. Rounds alternate, and the median of them counts. `--dir` says on which disk.
 */
export async function benchStorage(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- storage', brief: 'Measures writes with a data directory.' },
    {
      rounds: { value: 'N', default: '40', brief: 'how many rounds' },
      dir: { value: 'DIR', default: tmpdir(), brief: 'where the data directories are' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const folder = mkdtempSync(join(values.dir, 'nodewright-bench-'));
  const worlds = policies.map((policy) => aWorld(policy, folder));
  const micros = await alternate(worlds, readNumberFlag('--rounds', values.rounds));
  for (const world of worlds) world.close();
  rmSync(folder, { recursive: true });
  const base = micros.none;
  const results = Object.fromEntries(
    policies.map((policy) => [
      policy,
      { microsPerCreate: rounded(micros[policy]), ratio: rounded(micros[policy] / base) },
    ]),
  );
  console.log(results);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

function aWorld(policy: Policy, folder: string): Kept {
  const { clock } = virtualTime(instant(0));
  const serve = (ledger: Ledger) => createApiServer({ ledger, clock, random: seededRandom(1), version: '1.30' });
  if (policy === 'none') return { policy, server: serve(forgetfulLedger()), close: () => undefined };
  const { ledger, close } = aKeptLedger(policy, join(folder, policy));
  return { policy, server: serve(ledger), close };
}

function aKeptLedger(fsync: FsyncPolicy, path: string) {
  const file = new StateFile({ path, fsync, all: () => ledger.lines() });
  const ledger: LineLedger = new LineLedger({ kept: readState([]).state, now: () => instant(0), journal: file });
  file.start();
  const timer = setInterval(() => void file.tick(), 1000);
  const close = (): void => {
    clearInterval(timer);
    file.close();
  };
  return { ledger, close };
}

/** The worlds take turns, so that what else the machine does concerns all of them. */
async function alternate(worlds: readonly Kept[], rounds: number): Promise<Readonly<Record<Policy, number>>> {
  const times: Record<Policy, number[]> = { none: [], never: [], interval: [], always: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const { policy, server } of worlds) times[policy].push(await createMany(server, round));
  }
  return { none: median(times.none), never: median(times.never), interval: median(times.interval), always: median(times.always) }; // prettier-ignore
}

async function createMany(server: ApiServer, round: number): Promise<number> {
  const since = performance.now();
  for (let index = 0; index < batch; index += 1) await create(server, `object-${round}-${index}`);
  return ((performance.now() - since) * 1000) / batch;
}

const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
const data = { text: 'x'.repeat(1000) };

async function create(server: ApiServer, name: string): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ metadata: { name }, data }));
  const { status } = await server.handle({ method: 'POST', path, headers, body, peer }, new AbortController().signal);
  if (status !== 201) throw new Error(`creating ${name} answered ${status}`);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted(byNumber)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const rounded = (value: number): number => Math.round(value * 100) / 100;
