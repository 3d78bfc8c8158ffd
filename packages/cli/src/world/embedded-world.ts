import type { Operator } from '@nodewright/operator';
import { createSandbox, type Sandbox, type SandboxOptions } from '@nodewright/sandbox';
import type { SchedulingSettings } from '../controller/scheduling-settings.ts';
import { operatorInside } from './operator-inside.ts';

export type EmbeddedWorldOptions = SandboxOptions & {
  /** Whether the operator runs inside. */
  readonly controller: boolean;
  /** What scheduling is configured to; Karpenter's defaults unless given. */
  readonly scheduling?: SchedulingSettings;
  /** Gets the operator's log, line by line. */
  readonly operatorLog?: { write(line: string): void };
};

/** A sandbox, and the operator that works in it as on a real cluster: over the wire unless `way` says otherwise. */
export type EmbeddedWorld = {
  readonly sandbox: Sandbox;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function createEmbeddedWorld(options: EmbeddedWorldOptions): Promise<EmbeddedWorld> {
  const sandbox = await createSandbox(options);
  let operator: Operator | undefined;
  return {
    sandbox,
    async start() {
      await sandbox.start();
      if (!options.controller) return;
      operator = createOperator(sandbox, options);
      await operator.ready;
    },
    async stop() {
      await operator?.stop();
      sandbox.stop();
    },
  };
}

function createOperator({ clientAs, aws }: Sandbox, options: EmbeddedWorldOptions): Operator {
  const client = clientAs({ commonName: 'karpenter', userAgent: 'karpenter' });
  return operatorInside({ ...options, aws, client });
}
