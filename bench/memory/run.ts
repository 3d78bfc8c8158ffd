import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningSandbox, startSandbox } from '../../scenarios/support/running-sandbox.ts';
import { snapOneNode, writeLargeHome } from './large-home.ts';
import { readFlags, readNumberFlag, readSizesFlag } from '../../scripts/flags/read-flags.ts';

const launcher = join(import.meta.dirname, '../../packages/cli/bin/nodewright.mjs');

/**
 * `npm run bench -- memory [--nodes 100,500,1000,5000] [--seconds 60] [--json FILE]`: what the process of
 * `nodewright controller` takes on clusters of several sizes, each served by a sandbox in a process of its own.
 */
export async function benchMemory(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    {
      command: 'npm run bench -- memory',
      brief: 'Measures the process of the controller on clusters of several sizes.',
    },
    {
      nodes: { value: 'N,N', default: '100,500,1000,5000', brief: 'sizes of clusters' },
      seconds: { value: 'N', default: '60', brief: 'how long each is watched' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const snapshot = await snapOneNode();
  const rows: MemoryRow[] = [];
  for (const nodes of readSizesFlag('--nodes', values.nodes)) {
    const folder = mkdtempSync(join(tmpdir(), 'nodewright-memory-'));
    const pods = await writeLargeHome(folder, snapshot, nodes);
    const { nodesAtEnd, ...memory } = await measureController(
      folder,
      readNumberFlag('--seconds', values.seconds) * 1000,
    );
    if (nodesAtEnd !== nodes) throw new Error(`${nodesAtEnd} of ${nodes} nodes are left: the cluster was no calm one`);
    rows.push({ nodes, pods, ...memory });
    console.log(JSON.stringify(rows.at(-1)));
    rmSync(folder, { recursive: true });
  }
  console.table(rows);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

type MemoryRow = ProcessMemory & { readonly nodes: number; readonly pods: number };

/** In MiB. */
type ProcessMemory = { readonly waiting: number; readonly peak: number; readonly leading: number };

/** One that waits for the Lease knows nothing of the cluster; one that leads has read all of it. */
async function measureController(
  folder: string,
  restMs: number,
): Promise<ProcessMemory & { readonly nodesAtEnd: number }> {
  // The clock is slow: thousands of kubelets renew their Leases on it.
  const sandbox = await startSandbox('--data-dir', folder, '--no-controller', '--speed', '0.05');
  // A sandbox that opens a large cluster is busy at first, and a controller waits 15 seconds for its clock.
  await countNodes(sandbox);
  await sandbox.now();
  const leader = startController(sandbox);
  await becomesReady(leader, sandbox);
  await pause(restMs);
  const waiting = startController(sandbox);
  await pause(Math.min(restMs, 20_000));
  const figures = {
    waiting: readMemory(waiting).now,
    peak: readMemory(leader).peak,
    leading: readMemory(leader).now,
    nodesAtEnd: await countNodes(sandbox),
  };
  leader.kill('SIGTERM');
  waiting.kill('SIGTERM');
  await sandbox.stop();
  return figures;
}

const healthPortOf = new WeakMap<ChildProcess, number>();
let nextPort = 21_081;

function startController({ env }: RunningSandbox): ChildProcess {
  const health = nextPort++;
  const flags = [
    '--clock',
    env['NODEWRIGHT_SANDBOX'] ?? '',
    '--metrics-port',
    '0',
    '--health-probe-port',
    String(health),
  ];
  const child = spawn(process.execPath, [launcher, 'controller', ...flags], {
    // As in the Deployment.
    env: { ...env, NODE_OPTIONS: '--v8-pool-size=1' },
    stdio: 'ignore',
  });
  healthPortOf.set(child, health);
  return child;
}

async function becomesReady(child: ChildProcess, sandbox: RunningSandbox): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the controller ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${healthPortOf.get(child)}/readyz`).catch(() => undefined);
    const lease = await sandbox.run('kubectl', ['get', 'lease', '-A', '-o', 'name']);
    if (answer?.status === 200 && lease.stdout.includes('karpenter-leader-election')) return;
    await pause(500);
  }
}

/** A busy machine may take several attempts. */
async function countNodes(sandbox: RunningSandbox): Promise<number> {
  for (;;) {
    const { stdout, status } = await sandbox.run('kubectl', ['get', 'nodeclaims', '-o', 'name']);
    if (status === 0) return stdout.split('\n').filter(Boolean).length;
    await pause(1000);
  }
}

function readMemory({ pid }: ChildProcess): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field: string): number =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}
