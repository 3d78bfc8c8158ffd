import { createSandbox, type Sandbox, type SandboxOptions } from '@nodewright/sandbox';

export type EmbeddedWorldOptions = SandboxOptions & {
  /** Whether the operator runs inside. */
  readonly controller: boolean;
};

/** A sandbox, and the operator that works in it through the same wire protocols as on a real cluster. */
export type EmbeddedWorld = {
  readonly sandbox: Sandbox;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function createEmbeddedWorld(options: EmbeddedWorldOptions): Promise<EmbeddedWorld> {
  const sandbox = await createSandbox(options);
  return {
    sandbox,
    start: () => sandbox.start(),
    async stop() {
      sandbox.stop();
    },
  };
}
