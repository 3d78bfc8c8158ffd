import type { Aws } from '@nodewright/aws-endpoints';
import type { KubernetesClient } from '@nodewright/runtime';

/** A situation that a sandbox can start from. */
export type Scenario = {
  readonly name: string;
  /** One sentence for the list. */
  readonly about: string;
  /** Minor of the control plane, unless another is asked for. */
  readonly kubernetesVersion: string;
  /** When it begins, RFC 3339: every release that its walkthrough names is published. */
  readonly startTime: string;
  /** What a shell needs beside the names that every sandbox exports. */
  readonly exports: Readonly<Record<string, string>>;
  /** What brings it about in a world that has just started, one after the other. */
  readonly steps: readonly ScenarioStep[];
};

export type ScenarioStep = {
  do(world: ScenarioWorld): void | Promise<void>;
  /** How long, in milliseconds, the world then needs. */
  readonly settlesInMs: number;
};

export type ScenarioWorld = { readonly aws: Aws; readonly admin: KubernetesClient };
