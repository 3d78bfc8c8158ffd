import type { Cloud } from '@nodewright/ports';
import { createWebClient, type KubernetesClient } from '@nodewright/runtime';
import { webAgents } from '../../controller/network-settings.ts';
import type { ControllerTime } from '../../controller/sandbox-clock.ts';
import { settleScheduling } from '../../controller/scheduling-settings.ts';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import type { ServedDashboard } from '../../dashboard/serve-dashboard.ts';
import { InputError } from '../../terminal/exit-status.ts';

type ControllerPage = {
  readonly settings: ControllerSettings;
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  readonly time: ControllerTime;
};

/**
 * The page of UI_PORT; `undefined` without that setting. It is read with the rights of the controller, and each reader sees
 * what the reader may list. A controller without it does not load what it needs.
 */
export async function servePageOfController({
  settings,
  client,
  cloud,
  time: { clock, gate },
}: ControllerPage): Promise<ServedDashboard | undefined> {
  const { uiPort, uiAddress, uiAllowedHosts } = settings;
  if (uiPort === 0) return undefined;
  const [{ serveDashboard }, { createCallerCheck }] = await Promise.all([
    import('../../dashboard/serve-dashboard.ts'),
    import('../../dashboard/caller-review.ts'),
  ]);
  return serveDashboard({
    client,
    cloud,
    clock,
    scheduling: settleScheduling(settings),
    testing: {
      web: createWebClient({ gate, agents: webAgents(process.env) }),
      clusterName: settings.clusterName,
    },
    port: uiPort,
    host: uiAddress,
    allowedHosts: uiAllowedHosts,
    review: createCallerCheck({ client, clock }),
  }).catch((failure: Error) => {
    throw failure.name === 'PortTakenError'
      ? new InputError(`--ui-port: ${failure.message}`, { cause: failure })
      : failure;
  });
}
