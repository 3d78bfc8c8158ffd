import type { Instant } from '@nodewright/apis';
import type { CallGate, VirtualTime } from '@nodewright/runtime';
import type { Sandbox, SandboxOptions } from '@nodewright/sandbox';
import type { FeatureGateName } from '../reading/scenario-file.ts';

/** Time that a scenario drives. On virtual time it drives itself; elsewhere other processes keep pace. */
export type DrivenTime = Pick<VirtualTime, 'clock' | 'run' | 'runUntil' | 'finish'> & { readonly gate: CallGate };

/** The controller of a scenario. */
export type ScenarioController = {
  /** Resolves when it works. */
  start(): Promise<void>;
  /** It dies at once, and is started again after a while. @throws ValueError where that cannot be done */
  kill(downMs: number): void;
  stop(): Promise<void>;
};

/** What a controller outside of this process is started for. */
export type HostedCluster = {
  readonly sandbox: Sandbox;
  readonly clusterName: string;
  readonly region: string;
  readonly featureGates: ReadonlyMap<FeatureGateName, boolean>;
};

/** Plays a world over ports, with a controller that is another process. */
export type WorldHost = {
  /** When its clock begins [when the scenario says]. */
  readonly start?: Instant;
  /** How the cluster shows itself to processes outside. */
  readonly sandbox: Partial<SandboxOptions>;
  /** Is called once, before anything else. */
  createTime(start: Instant): HostedTime;
  /** Is called once the cluster is up. */
  createController(cluster: HostedCluster): ScenarioController;
};

/** Time that is told of every change of the world. */
export type HostedTime = DrivenTime & { noteChange(): void; stop(): void };
