import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { createWebClient, type ScaledTime, seededRandom } from '@nodewright/runtime';
import type { Sandbox } from '@nodewright/sandbox';
import { minorVersion } from '../../controller/minor-version.ts';
import { webAgents } from '../../controller/network-settings.ts';
import {
  type SchedulingFlags,
  type SchedulingSettings,
  writeSchedulingFlags,
} from '../../controller/scheduling-settings.ts';
import { createPageForecasts, forecastInProcess } from '../../dashboard/page-forecasts.ts';
import { type ServedDashboard, serveDashboard } from '../../dashboard/serve-dashboard.ts';
import { snapshotOfWorld } from '../snapshot/snapshot.ts';
import type { SandboxFlags } from './flags.ts';
import type { Settings } from './settings.ts';

type PageWorld = {
  readonly sandbox: Pick<Sandbox, 'clientAs' | 'aws'>;
  readonly time: Pick<ScaledTime, 'clock' | 'gate'>;
  readonly settings: Pick<Settings, 'clusterName' | 'region'>;
  readonly scheduling: SchedulingSettings;
};

type PageFlags = SchedulingFlags & Pick<SandboxFlags, 'uiPort' | 'uiForecast' | 'allowedHosts'>;

/** The page of `--ui-port`; `undefined` without that flag. It reads as an admin of the sandbox, and writes nothing. */
export async function serveSandboxPage(
  { uiPort, uiForecast, allowedHosts = [], ...flags }: PageFlags,
  { sandbox, time, settings, scheduling }: PageWorld,
): Promise<ServedDashboard | undefined> {
  if (uiPort === undefined) return undefined;
  const { clock, gate } = time;
  const client = sandbox.clientAs({ commonName: 'nodewright-page', userAgent: 'nodewright-page' });
  const clients = createInProcessClients({ gate, answer: sandbox.aws.answer });
  const cloud = createAwsCloud({
    clock,
    gate,
    random: seededRandom('page'),
    ...settings,
    clients,
    kubernetesVersion: () => minorVersion(client),
    reservedCapacity: scheduling.reservedCapacity,
  });
  return serveDashboard({
    client,
    cloud,
    clock,
    scheduling,
    testing: { web: createWebClient({ gate, agents: webAgents(process.env) }), clusterName: settings.clusterName },
    port: uiPort,
    allowedHosts,
    ...(uiForecast === undefined ? {} : { forecastFile: uiForecast }),
    forecasts: createPageForecasts({
      takeSnapshot: () => snapshotOfWorld({ client, cloud, clock, gate, clients, ...settings, now: clock.now() }),
      forecast: (snapshot, signal) => forecastInProcess(snapshot, writeSchedulingFlags(flags), signal),
    }),
  });
}
