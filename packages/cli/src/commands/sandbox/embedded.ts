import { join } from 'node:path';
import { days, instant, toTimestamp } from '@nodewright/apis';
import {
  type ClockStatus,
  createWebClient,
  type Random,
  realTime,
  type ScaledTime,
  scaledTime,
} from '@nodewright/runtime';
import { webAgents } from '../../controller/network-settings.ts';
import { PortTakenError, type ScenarioStep } from '@nodewright/sandbox';
import type { ReleaseHistory } from '@nodewright/aws-endpoints';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { type ClientCredentials, createCredentials, writeControlToken } from '../../world/client-credentials.ts';
import { type OpenEndpoints, openEndpoints } from '../../world/endpoints.ts';
import { createEmbeddedWorld } from '../../world/embedded-world.ts';
import { type Exported, exportedBy } from '../../world/exports.ts';
import { keepTime } from '../../world/keep-time.ts';
import {
  type OperatorInDeployment,
  operatorInDeployment,
} from '../../world/operator-deployment/operator-in-deployment.ts';
import type { SandboxHome } from '../../world/sandbox-home.ts';
import { standStillOnProblem } from '../../world/stand-still.ts';
import { replaceText } from '../../world/state/replace-file.ts';
import type { RunningSandbox } from '../../world/running-sandbox.ts';
import { readCallerAccess } from './caller-access.ts';
import type { SandboxFlags } from './flags.ts';
import { homeOf, writeError } from './homes.ts';
import { serveSandboxPage } from './page.ts';
import { firstDays, newestMinor, releasesOf } from './releases.ts';
import { updateChoices, sandboxPorts, randomOf, type Settings, sandboxSettings, sandboxStart } from './settings.ts';

/** The whole of EKS in this process. */
export async function startEmbedded(flags: SandboxFlags): Promise<RunningSandbox> {
  if (flags.withWorkloadControllers)
    throw new InputError('--with-workload-controllers is for --kubeconfig: the embedded cluster has them always');
  const home = homeOf(flags);
  try {
    const releases = releasesOf(flags.releases, home.identity?.releasesUntil);
    const settings = sandboxSettings(flags, home.identity);
    const earliest = home.last === undefined ? firstDays(releases, flags.kubernetesVersion) : 0;
    const listeners = await listenersOf(flags, home);
    const credentials = createCredentials(home.folder, home.identity?.accessKey);
    return await behindListeners({ flags, settings, releases, home, listeners, credentials, earliest });
  } catch (failure) {
    home.close();
    throw failure;
  }
}

async function behindListeners(ready: Ready): Promise<RunningSandbox> {
  const { home, settings, listeners, credentials } = ready;
  const { ports, certificates } = listeners;
  try {
    home.remember({ ...settings, ports, certificates, accessKey: credentials.accessKey });
    writeControlToken(credentials);
    return await runningSandbox(ready);
  } catch (failure) {
    await listeners.close();
    throw failure;
  }
}

async function listenersOf(flags: SandboxFlags, { identity }: SandboxHome): Promise<OpenEndpoints> {
  try {
    const ports = sandboxPorts(flags, identity);
    return await openEndpoints({
      ports,
      keepsPorts: flags.dataDir !== undefined,
      ...(identity?.certificates && { certificates: identity.certificates }),
      ...(flags.allowedHosts && { allowedHosts: flags.allowedHosts }),
    });
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
  readonly listeners: OpenEndpoints;
  readonly credentials: ClientCredentials;
  /** From when on the cluster's minor has images, in milliseconds. */
  readonly earliest: number;
};

async function runningSandbox(ready: Ready): Promise<RunningSandbox> {
  const { flags, settings, releases, home, listeners, credentials, earliest } = ready;
  const start = instant(sandboxStart(flags, home.last, earliest) - leadMs(flags, home));
  const time = scaledTime({ start, speed: flags.speed });
  try {
    const scheduling = readSchedulingSettings(flags, process.env);
    for (const warning of scheduling.warnings) writeError(`warning: ${warning}`);
    const random = randomOf(settings);
    const ledger = home.ledger(() => time.clock.now(), { onProblem: standStillOnProblem(time, writeError) });
    keepTime(time.clock, ledger, 1000 * flags.speed);
    const access = readCallerAccess(flags, settings, writeError);
    const operator = flags.controller ? operatorOf(ready, time, random) : undefined;
    const world = await createEmbeddedWorld({
      ...settings,
      clock: time.clock,
      gate: time.gate,
      random,
      ledger,
      ...(operator && { podLogs: operator.podLogs, podListener: operator.podListener }),
      kubernetesVersion: flags.kubernetesVersion ?? flags.scenario?.kubernetesVersion ?? newestMinor(releases, start),
      releases,
      controller: false,
      clusterServices: true,
      nodeIdentities: true,
      ...(home.identity?.catalogue && { catalogue: home.identity.catalogue }),
      ...updateChoices(flags),
      ...(access && { access }),
      endpoints: listeners.endpoints,
      writeLeasesEveryMs: Math.max(1000, 10_000 / flags.speed),
      readersClock: realTime().clock,
      accessKey: credentials.accessKey,
      signersClock: realTime().clock,
      log: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    });
    listeners.serve({ world, control: { time, credentials } });
    await world.start();
    await operator?.start(world.sandbox);
    for (const step of scenarioSteps(flags, home)) {
      await step.do(world.sandbox);
      await time.advance(step.settlesInMs);
    }
    const page = await serveSandboxPage(flags, { sandbox: world.sandbox, time, settings, scheduling });
    tellTime(time.status(), realTime().clock.now());
    if (page !== undefined) writeError(`The page is at ${page.url}`);
    return {
      exported: { ...flags.scenario?.exports, ...(page && { NODEWRIGHT_UI: page.url }), ...exportsOf(ready) },
      async stop() {
        await page?.stop();
        await operator?.stop();
        await world.stop();
        time.stop();
        await listeners.close();
        home.close();
      },
    };
  } catch (failure) {
    time.stop();
    throw failure;
  }
}

/** The operator of this process, with its settings in a Deployment. */
function operatorOf({ flags, settings }: Ready, time: ScaledTime, random: Random): OperatorInDeployment {
  const { clusterName, region } = settings;
  const [namespace = '', name = ''] = (flags.operatorDeployment ?? 'kube-system/karpenter').split('/');
  const { preferencePolicy, minValuesPolicy, schedulerConfig, featureGates } = flags;
  return operatorInDeployment({
    clock: time.clock,
    gate: time.gate,
    leaseClock: realTime().clock,
    random,
    region,
    clusterName,
    at: { namespace, name },
    web: createWebClient({ gate: time.gate, agents: webAgents(process.env) }),
    flags: { preferencePolicy, minValuesPolicy, schedulerConfig, featureGates },
    environment: process.env,
  });
}

/** Clients of Kubernetes compute some ages by themselves, with the clock of their own computer. */
function tellTime({ now, speed }: ClockStatus, real: number): void {
  if (Math.abs(now - real) < days(1)) return;
  writeError(
    `The clock of this sandbox begins at ${toTimestamp(now)} and runs at ${speed} times the speed of yours. ` +
      '`kubectl get` shows ages by this clock; `kubectl describe` and `kubectl events` compute ages with the clock of your computer.',
  );
}

/** A situation is brought about once: what has a past is in one already. */
const scenarioSteps = ({ scenario }: SandboxFlags, { last }: SandboxHome): readonly ScenarioStep[] =>
  last === undefined ? (scenario?.steps ?? []) : [];

/** A situation needs its time to come about: the clock begins so much earlier. */
const leadMs = (flags: SandboxFlags, home: SandboxHome): number =>
  scenarioSteps(flags, home).reduce((sum, { settlesInMs }) => sum + settlesInMs, 0);

function exportsOf({ settings: { clusterName, region }, listeners, credentials, home }: Ready): Exported {
  const file = join(home.folder, 'kubeconfig');
  replaceText(file, listeners.kubeconfig(clusterName));
  const { aws, control } = listeners.urls;
  return exportedBy({ clusterName, region, aws, control, credentials, kubeconfig: file });
}
