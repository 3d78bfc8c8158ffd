import type { HealthCategory } from '@nodewright/ports';
import type { Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import type { Objects } from '../../state/objects.ts';
import { instanceStatusLoop, type LastLook } from './instance-status-loop.ts';
import { interruptionLoop } from './loop.ts';

/**
 * `interruption.instancestatus` decides every minute whether to ask EC2. While nothing changes in the cluster it sleeps
 * until it has to, and on while the cloud tells that nothing changes there. `interruption`, where there is a queue, waits for
 * the next messages.
 */
export function startInterruptionLoops(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): readonly Loop[] {
  const { interruptions } = host.cloud;
  const episodes = new Map<string, readonly HealthCategory[]>();
  const lastLook: LastLook = { at: undefined };
  const status = startNamedLoop(host, 'interruption.instancestatus', (turn) =>
    instanceStatusLoop({ ...turn, objects, episodes, lastLook }),
  );
  for (const { cache } of [objects.nodeClaims, objects.nodes]) cache.onChange(() => status.stir());
  host.cloud.changes?.onChange(() => status.stir());
  if (interruptions === undefined) return [status];
  return [
    status,
    startNamedLoop(host, 'interruption', (turn) => interruptionLoop({ ...turn, objects, interruptions })),
  ];
}
