import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';

/** What every controller of the embedded control plane is started with. */
export type ClusterControllerOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  /** Told of failures that are not lost races, and of little else. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type Stoppable = {
  /** Ends watches and timers. What is under way ends by itself. */
  stop(): void;
};
