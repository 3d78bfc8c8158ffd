import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';

/** The options of every controller of the embedded control plane. */
export type ClusterControllerOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  /** Receives warnings and errors; a lost race is neither. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type Stoppable = {
  /** Ends watches and timers. Requests under way end by themselves. */
  stop(): void;
};
