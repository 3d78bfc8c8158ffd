import type { Operator } from '@nodewright/operator';
import { attachSandbox, type AttachedSandboxOptions } from '@nodewright/sandbox';
import type { Aws } from '@nodewright/aws-endpoints';
import type { WebClient } from '@nodewright/runtime';
import type { SchedulingSettings } from '../controller/scheduling-settings.ts';
import { operatorInside } from './operator-inside.ts';

export type AttachedWorldOptions = AttachedSandboxOptions & {
  /** Whether the operator runs inside. */
  readonly controller: boolean;
  /** What scheduling is configured to; Karpenter's defaults unless given. */
  readonly scheduling?: SchedulingSettings;
  /** Gets the operator's log, line by line. */
  readonly operatorLog?: { write(line: string): void };
  /** How receivers and checks of people are called. */
  readonly web: WebClient;
};

/** An AWS account, its kubelets and the operator, at work on an API server of its user. */
export type AttachedWorld = { readonly aws: Aws; start(): Promise<void>; stop(): Promise<void> };

export async function createAttachedWorld(options: AttachedWorldOptions): Promise<AttachedWorld> {
  const sandbox = await attachSandbox(options);
  let operator: Operator | undefined;
  return {
    aws: sandbox.aws,
    async start() {
      await sandbox.start();
      if (!options.controller) return;
      const manifestWarnings = options.scheduling?.manifestWarnings ?? true;
      operator = operatorInside({
        ...options,
        manifestWarnings,
        aws: sandbox.aws,
        client: options.client('karpenter'),
      });
      await operator.ready;
    },
    async stop() {
      await operator?.stop();
      sandbox.stop();
    },
  };
}
