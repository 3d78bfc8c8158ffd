import { PortTakenError } from '@nodewright/sandbox';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { serveDashboard } from '../../dashboard/serve-dashboard.ts';
import { withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import type { UiFlags } from './flags.ts';

/** `nodewright ui`: serves the page until it is stopped. stdout gets its address in one line. */
export async function runUi(this: CliContext, flags: UiFlags): Promise<void> {
  const scheduling = readSchedulingSettings(flags, process.env);
  const stopped = stopSignal();
  await withWorld(flags, async ({ client, cloud, clock }) => {
    const { port, allowedHosts = [], forecast } = flags;
    const page = await serveDashboard({
      client,
      cloud,
      clock,
      scheduling,
      port,
      allowedHosts,
      ...(forecast === undefined ? {} : { forecastFile: forecast }),
    }).catch((failure: unknown) => {
      throw failure instanceof PortTakenError ? new InputError(failure.message, { cause: failure }) : failure;
    });
    try {
      this.process.stdout.write(`${page.url}\n`);
      await stopped;
    } finally {
      await page.stop();
    }
  });
}
