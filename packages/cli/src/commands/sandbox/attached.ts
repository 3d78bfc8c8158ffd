import { resolve } from 'node:path';
import { instant } from '@nodewright/apis';
import {
  createWebClient,
  kubeConfigCluster,
  type KubeConfigCluster,
  kubernetesClient,
  realTime,
  scaledTime,
  type StorageProblem,
} from '@nodewright/runtime';
import { webAgents } from '../../controller/network-settings.ts';
import { listenOn, type Listening } from '@nodewright/sandbox';
import { minorVersion } from '../../controller/minor-version.ts';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { refuseKubeconfig } from '../../reading/refuse-kubeconfig.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { createAttachedWorld } from '../../world/attached-world.ts';
import { type ClientCredentials, createCredentials, writeControlToken } from '../../world/client-credentials.ts';
import { exportedBy } from '../../world/exports.ts';
import { listenAt } from '../../world/lasting-port.ts';
import { awsForClients, controlForClients } from '../../world/outside-handlers.ts';
import { type PostponedHandler, postponedHandler } from '../../world/postponed-handler.ts';
import { printDefect } from '../../world/print-defect.ts';
import type { RunningSandbox } from '../../world/running-sandbox.ts';
import type { SandboxHome } from '../../world/sandbox-home.ts';
import { readCallerAccess } from './caller-access.ts';
import type { SandboxFlags } from './flags.ts';
import { homeOf, writeError } from './homes.ts';
import { releasesOf } from './releases.ts';
import { updateChoices, sandboxPorts, randomOf, type Settings, sandboxSettings } from './settings.ts';

/** The AWS account and its kubelets, on the API server of a kubeconfig. */
export async function startAttached(flags: SandboxFlags, file: string): Promise<RunningSandbox> {
  checkTime(flags);
  if (flags.scenario !== undefined)
    throw new InputError('--scenario needs the embedded cluster, and --kubeconfig names another one; leave one out');
  if (flags.uiPort !== undefined)
    throw new InputError('--ui-port shows the embedded cluster; `nodewright ui --kubeconfig` shows another one');
  const cluster = await clusterOfKubeconfig(file);
  const home = homeOf(flags);
  const open: { close(): unknown }[] = [home];
  const closeAll = async (): Promise<void> => {
    for (const each of open.toReversed()) await each.close();
  };
  try {
    const settings = sandboxSettings(flags, home.identity);
    const ports = sandboxPorts(flags, home.identity);
    const credentials = createCredentials(home.folder, home.identity?.accessKey);
    const [awsListener, controlListener] = [postponedHandler(), postponedHandler()];
    const isKept = flags.dataDir !== undefined;
    const listenFor = ({ handle }: PostponedHandler, wanted: number): Promise<Listening> =>
      listening(
        open,
        listenAt({ port: wanted, isKept }, (port) => listenOn(handle, { port, onDefect: printDefect })),
      );
    // Before the state is opened: a sandbox that is running in the same directory has these ports.
    const aws = await listenFor(awsListener, ports.aws);
    const control = await listenFor(controlListener, ports.control);
    const { accessKey } = credentials;
    home.remember({ ...settings, ports: { kubernetes: 0, aws: aws.port, control: control.port }, accessKey });
    writeControlToken(credentials);
    const world = await attachedWorld({ flags, cluster, home, settings, credentials });
    open.push({ close: () => world.time.stop() }, { close: () => world.stop() });
    const { allowedHosts = [] } = flags;
    awsListener.become(awsForClients(world.aws, allowedHosts));
    controlListener.become(controlForClients(world, { credentials, allowedHosts }));
    await world.start();
    return {
      exported: exportedBy({ ...settings, aws: aws.url, control: control.url, kubeconfig: resolve(file), credentials }),
      stop: closeAll,
    };
  } catch (failure) {
    await closeAll();
    throw failure;
  }
}

/** The cluster's time is that of its own machines. */
function checkTime({ speed, startTime }: SandboxFlags): void {
  if (speed !== 1)
    throw new InputError(`--speed is ${speed}, but the cluster of --kubeconfig lives in real time; leave the flag out`);
  if (startTime !== undefined)
    throw new InputError('--start-time cannot be with --kubeconfig: that cluster lives in real time; leave it out');
}

async function clusterOfKubeconfig(file: string): Promise<KubeConfigCluster> {
  try {
    return await kubeConfigCluster({ file });
  } catch (failure) {
    throw refuseKubeconfig(failure, file);
  }
}

type Attaching = {
  readonly flags: SandboxFlags;
  readonly cluster: KubeConfigCluster;
  readonly home: SandboxHome;
  readonly settings: Settings;
  readonly credentials: ClientCredentials;
};

async function attachedWorld({ flags, cluster, home, settings, credentials }: Attaching) {
  // Ahead of real time where the clock was advanced before a restart: what happened then stays in the past. The control plane
  // does not wait: kubelets that were late would be taken for silent.
  const time = scaledTime({ start: instant(Math.max(Date.now(), home.last ?? 0)), speed: 1, keepsUp: true });
  const { clock, gate } = time;
  const client = (userAgent: string) => kubernetesClient({ transport: cluster.transport, gate, userAgent });
  const pem = Buffer.from(cluster.certificateAuthority ?? '', 'base64').toString('utf8');
  const access = readCallerAccess(flags, settings, writeError);
  const world = await createAttachedWorld({
    ...settings,
    ...updateChoices(flags),
    clock,
    gate,
    client,
    random: randomOf(settings),
    ledger: home.ledger(() => clock.now(), { onProblem: tellProblem }),
    kubernetesVersion: await versionOfServer(client('nodewright'), cluster.server),
    releases: releasesOf(flags.releases),
    endpoints: { kubernetes: () => cluster.server, certificateAuthority: pem },
    workloadControllers: flags.withWorkloadControllers,
    ...(access && { access }),
    controller: flags.controller,
    scheduling: readSchedulingSettings(flags, process.env),
    operatorLog: process.stderr,
    web: createWebClient({ gate, agents: webAgents(process.env) }),
    writeLeasesEveryMs: 10_000,
    accessKey: credentials.accessKey,
    signersClock: realTime().clock,
    log: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  });
  return { ...world, time };
}

/** Time goes on: it is that of the cluster. */
const tellProblem = (problem: StorageProblem | undefined): void =>
  writeError(problem?.message ?? 'changes are kept again');

async function versionOfServer(client: Parameters<typeof minorVersion>[0], server: string): Promise<string> {
  try {
    return await minorVersion(client);
  } catch (failure) {
    throw new InputError(`the cluster of --kubeconfig does not answer at ${server}: ${(failure as Error).message}`, {
      cause: failure,
    });
  }
}

async function listening(open: { close(): unknown }[], starting: Promise<Listening>): Promise<Listening> {
  const listener = await starting;
  open.push(listener);
  return listener;
}
