import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@nodewright/apis';
import { type Clock, scaledTime } from '@nodewright/runtime';
import {
  builtInReleases,
  mergeReleases,
  parseReleases,
  PortTakenError,
  type Ledger,
  type Release,
  ReleaseFeedError,
  type ReleaseHistory,
} from '@nodewright/sandbox';
import type { Context } from '../context.ts';
import { InputError } from '../exit-status.ts';
import { createEmbeddedWorld } from '../world/embedded-world.ts';
import { openDataDirectory, writeWhole } from '../world/data-directory.ts';
import { type Doors, openDoors } from '../world/doors.ts';
import { exportLines } from '../world/exports.ts';
import { OperatorLog } from '../world/operator-log.ts';
import { logsOfOperator, showOperatorPod } from '../world/operator-pod.ts';
import { type SandboxHome, temporaryHome } from '../world/sandbox-home.ts';
import { stopSignal } from '../world/stop-signal.ts';
import { portsOf, randomOf, type Settings, settingsOf, startOf } from './sandbox-settings.ts';
import type { SandboxFlags } from './sandbox-flags.ts';

export async function runSandbox(this: Context, flags: SandboxFlags): Promise<void> {
  const stopped = stopSignal();
  try {
    const running = await startedSandbox(flags);
    try {
      this.process.stdout.write(exportLines(running.exported));
      if (flags.readyFile !== undefined) writeReadyFile(flags.readyFile, running.exported);
      await stopped;
    } finally {
      await running.stop();
    }
  } catch (failure) {
    throw asInputError(failure);
  }
}

type Exported = Readonly<Record<string, string>>;
type Running = { readonly exported: Exported; stop(): Promise<void> };

async function startedSandbox(flags: SandboxFlags): Promise<Running> {
  const releases = releasesOf(flags.releases);
  const home = flags.dataDir === undefined ? temporaryHome() : openDataDirectory(flags.dataDir);
  try {
    const settings = settingsOf(flags, home.identity);
    const doors = await doorsOf(flags, home);
    home.remember({ ...settings, ports: doors.ports, certificates: doors.certificates });
    return await runningSandbox({ flags, settings, releases, home, doors });
  } catch (failure) {
    home.close();
    throw failure;
  }
}

async function doorsOf(flags: SandboxFlags, { identity }: SandboxHome): Promise<Doors> {
  try {
    const ports = portsOf(flags, identity);
    return await openDoors({ ports, ...(identity && { certificates: identity.certificates }) });
  } catch (failure) {
    const isOld = failure instanceof PortTakenError && Object.values(identity?.ports ?? {}).includes(failure.port);
    if (!isOld) throw failure;
    throw new InputError(
      `port ${failure.port}, which the sandbox in --data-dir ${flags.dataDir} had before, is already taken; is that sandbox still running?`,
      { cause: failure },
    );
  }
}

type Ready = {
  readonly flags: SandboxFlags;
  readonly settings: Settings;
  readonly releases: ReleaseHistory;
  readonly home: SandboxHome;
  readonly doors: Doors;
};

async function runningSandbox({ flags, settings, releases, home, doors }: Ready): Promise<Running> {
  const start = instant(startOf(flags, home.last));
  const time = scaledTime({ start, speed: flags.speed });
  try {
    const random = randomOf(settings);
    const ledger = home.ledger(() => time.clock.now());
    keepTime(time.clock, ledger, 1000 * flags.speed);
    const operatorLog = new OperatorLog(time.clock);
    const world = await createEmbeddedWorld({
      ...settings,
      clock: time.clock,
      gate: time.gate,
      random,
      ledger,
      operatorLog,
      podLogs: logsOfOperator(operatorLog),
      kubernetesVersion: flags.kubernetesVersion ?? newestMinor(releases, start),
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
    return {
      exported: exportedBy(settings, doors, home.folder),
      async stop() {
        await world.stop();
        time.stop();
        await doors.close();
        home.close();
      },
    };
  } catch (failure) {
    time.stop();
    await doors.close();
    throw failure;
  }
}

/** So that a start after a quiet time does not go back to when something happened last. */
function keepTime(clock: Clock, ledger: Ledger, everyMs: number): void {
  const kept = ledger.map<number>('clock');
  const tick = (): void => {
    kept.set('now', clock.now());
    clock.at(instant(clock.now() + Math.max(60_000, everyMs)), tick);
  };
  tick();
}

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

function exportedBy({ clusterName, region }: Settings, doors: Doors, folder: string): Exported {
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, doors.kubeconfig(clusterName), { mode: 0o600 });
  return {
    AWS_ENDPOINT_URL: doors.urls.aws,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    CLUSTER_NAME: clusterName,
    EKS_CLUSTER_NAME: clusterName,
    NODEWRIGHT_SANDBOX: doors.urls.control,
    KUBECONFIG: kubeconfig,
  };
}

/** By rename, so that a reader never sees half of it. */
function writeReadyFile(file: string, exported: Exported): void {
  writeWhole(file, `${JSON.stringify({ ...exported, pid: process.pid }, null, 2)}\n`);
}

const asInputError = (failure: unknown): unknown =>
  failure instanceof PortTakenError || failure instanceof ReleaseFeedError
    ? new InputError(failure.message, { cause: failure })
    : failure;
