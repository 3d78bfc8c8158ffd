import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import type { SelectDevice } from '../placement/select-device.ts';

/** The options of every controller of the embedded control plane. */
export type ClusterControllerOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  /** Judges the expressions that choose devices. Without it they choose none. */
  readonly selectDevice?: SelectDevice;
  /** The minor version of the control plane now. Without it controllers do what all versions do. */
  readonly kubernetesMinor?: () => number;
  /** Receives warnings and errors; a lost race is neither. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type Stoppable = {
  /** Ends watches and timers. Requests under way end by themselves. */
  stop(): void;
};

/** From this minor on, statuses count the pods that are being deleted. */
const firstWithTerminating = 35;

/** Whether statuses of ReplicaSets and Deployments have `terminatingReplicas`. */
export const countsTerminating = ({ kubernetesMinor }: Pick<ClusterControllerOptions, 'kubernetesMinor'>): boolean =>
  (kubernetesMinor?.() ?? 0) >= firstWithTerminating;
