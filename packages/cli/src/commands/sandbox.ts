import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@nodewright/apis';
import { scaledTime, seededRandom } from '@nodewright/runtime';
import {
  builtInReleases,
  mergeReleases,
  parseReleases,
  PortTakenError,
  type Release,
  ReleaseFeedError,
  type ReleaseHistory,
} from '@nodewright/sandbox';
import type { Context } from '../context.ts';
import { InputError } from '../exit-status.ts';
import { createEmbeddedWorld } from '../world/embedded-world.ts';
import { type Doors, openDoors } from '../world/doors.ts';
import { exportLines } from '../world/exports.ts';
import { OperatorLog } from '../world/operator-log.ts';
import { logsOfOperator, showOperatorPod } from '../world/operator-pod.ts';
import { stopSignal } from '../world/stop-signal.ts';
import type { SandboxFlags } from './sandbox-flags.ts';

export async function runSandbox(this: Context, flags: SandboxFlags): Promise<void> {
  const stopped = stopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-sandbox-'));
  try {
    const running = await startedSandbox(flags, folder);
    try {
      this.process.stdout.write(exportLines(running.exported));
      if (flags.readyFile !== undefined) writeReadyFile(flags.readyFile, running.exported);
      await stopped;
    } finally {
      await running.stop();
    }
  } catch (failure) {
    throw asInputError(failure);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Exported = Readonly<Record<string, string>>;

async function startedSandbox(flags: SandboxFlags, folder: string) {
  const releases = releasesOf(flags.releases);
  const start = instant(flags.startTime ?? (flags.speed === 1 ? Date.now() : storyStart));
  const time = scaledTime({ start, speed: flags.speed });
  const doors = await openDoors({ kubernetesPort: flags.kubernetesPort, awsPort: flags.awsPort });
  try {
    const random = seededRandom(flags.seed);
    const operatorLog = new OperatorLog(time.clock);
    const world = await createEmbeddedWorld({
      clock: time.clock,
      gate: time.gate,
      random,
      operatorLog,
      podLogs: logsOfOperator(operatorLog),
      clusterName: flags.clusterName,
      kubernetesVersion: flags.kubernetesVersion ?? newestMinor(releases, start),
      region: flags.region,
      zones: flags.zones ?? ['a', 'b', 'c'].map((letter) => `${flags.region}${letter}`),
      releases,
      controller: flags.controller,
      endpoints: doors.endpoints,
      writeLeasesEveryMs: 1000 * flags.speed,
      log: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    });
    doors.serve({ world, time });
    await world.start();
    if (flags.controller)
      await showOperatorPod({ client: world.sandbox.admin, clock: time.clock, random: random.fork('operator pod') });
    return { exported: exportedBy(flags, doors, folder), stop: () => stopAll(doors, world, time) };
  } catch (failure) {
    time.stop();
    await doors.close();
    throw failure;
  }
}

async function stopAll(doors: Doors, world: { stop(): Promise<void> }, time: { stop(): void }): Promise<void> {
  await world.stop();
  time.stop();
  await doors.close();
}

/** With time that runs faster than the wall's, ages seen by real clients must never be negative. */
const storyStart = Date.parse('2024-01-28T16:00:00Z');

/** The newest minor that EKS had at the time, as far as images tell. */
function newestMinor(releases: ReleaseHistory, start: number): string {
  const isOut = ({ publishedAt }: Release): boolean => Date.parse(publishedAt) <= start;
  const minors = releases.minors.filter((minor) => minor !== '');
  return minors.findLast((minor) => releases.of(minor).some(isOut)) ?? minors[0] ?? '1.29';
}

function releasesOf(file: string | undefined): ReleaseHistory {
  const known = builtInReleases();
  if (file === undefined) return known;
  try {
    return mergeReleases(known, parseReleases(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (failure) {
    throw new InputError(`--releases ${file}: ${(failure as Error).message}`, { cause: failure });
  }
}

function exportedBy(flags: SandboxFlags, doors: Doors, folder: string): Exported {
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, doors.kubeconfig(flags.clusterName), { mode: 0o600 });
  return {
    AWS_ENDPOINT_URL: doors.urls.aws,
    AWS_REGION: flags.region,
    AWS_DEFAULT_REGION: flags.region,
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    CLUSTER_NAME: flags.clusterName,
    EKS_CLUSTER_NAME: flags.clusterName,
    NODEWRIGHT_SANDBOX: doors.urls.control,
    KUBECONFIG: kubeconfig,
  };
}

/** By rename, so that a reader never sees half of it. */
function writeReadyFile(file: string, exported: Exported): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify({ ...exported, pid: process.pid }, null, 2)}\n`);
  renameSync(unfinished, file);
}

const asInputError = (failure: unknown): unknown =>
  failure instanceof PortTakenError || failure instanceof ReleaseFeedError
    ? new InputError(failure.message, { cause: failure })
    : failure;
