import { startCapacityLoops } from './wiring/capacity-loops.ts';
import { startClaimControllers } from './wiring/claim-controllers.ts';
import { startConfigurationControllers } from './wiring/configuration-controllers.ts';
import type { ControllerDeps } from './wiring/controller-deps.ts';
import { startGauges } from './wiring/gauges.ts';
import { startNodeControllers } from './wiring/node-controllers.ts';
import { observePods } from './wiring/pod-observer.ts';
import { observeStatus } from './wiring/status-observers.ts';

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
