import { startCapacityLoops } from './capacity-loops.ts';
import { startClaimControllers } from './claim-controllers.ts';
import { startConfigurationControllers } from './configuration-controllers.ts';
import type { ControllerDeps } from '../hosting/controller-host.ts';
import { startGauges } from '../reporting/gauges/start-gauges.ts';
import { startNodeControllers } from './node-controllers.ts';
import { observePods } from '../controllers/pod-metrics/watches.ts';
import { observeStatus } from '../controllers/status-changes/watches.ts';

export type RunningControllers = { stop(): Promise<void> };

/** Everything that runs, and what wakes it. The names are Karpenter's: they stand in logs and metrics. */
export function startControllers(deps: ControllerDeps): RunningControllers {
  observeStatus(deps);
  observePods(deps);
  const parts = [
    ...startConfigurationControllers(deps),
    ...startClaimControllers(deps),
    ...startNodeControllers(deps),
    ...startCapacityLoops(deps),
    startGauges(deps),
  ];
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}
