import { createWebClient } from '@nodewright/runtime';
import { PortTakenError } from '@nodewright/sandbox';
import { webAgents } from '../../controller/network-settings.ts';
import { readSchedulingSettings, writeSchedulingFlags } from '../../controller/scheduling-settings.ts';
import { createPageForecasts, forecastInProcess } from '../../dashboard/page-forecasts.ts';
import { serveDashboard } from '../../dashboard/serve-dashboard.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import { snapshotOfWorld } from '../snapshot/snapshot.ts';
import type { UiFlags } from './flags.ts';

/** `nodewright ui`: serves the page until it is stopped. stdout gets its address in one line. */
export async function runUi(this: CliContext, flags: UiFlags): Promise<void> {
  const scheduling = readSchedulingSettings(flags, process.env);
  const stopped = stopSignal();
  const serve = async (world: ReadableWorld): Promise<void> => {
    const { client, cloud, clock, gate, clusterName } = world;
    const { port, allowedHosts = [], forecast } = flags;
    const page = await serveDashboard({
      client,
      cloud,
      clock,
      scheduling,
      testing: { web: createWebClient({ gate, agents: webAgents(process.env) }), clusterName },
      port,
      allowedHosts,
      ...(forecast === undefined ? {} : { forecastFile: forecast }),
      forecasts: createPageForecasts({
        takeSnapshot: () => snapshotOfWorld({ ...world, now: clock.now() }),
        forecast: (snapshot, signal) => forecastInProcess(snapshot, writeSchedulingFlags(flags), signal),
      }),
    }).catch((failure: unknown) => {
      throw failure instanceof PortTakenError ? new InputError(failure.message, { cause: failure }) : failure;
    });
    try {
      this.process.stdout.write(`${page.url}\n`);
      await stopped;
    } finally {
      await page.stop();
    }
  };
  await withWorld(flags, serve, { toleratesNoRegion: true });
}
