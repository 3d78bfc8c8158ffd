import type { ByteConnection } from '@nodewright/runtime';
import type { ApiObject } from '../storage/api-object.ts';

export type CommandOutput = 'stdout' | 'stderr';

export type PodCommand = {
  readonly container: string;
  readonly command: readonly string[];
  readonly tty: boolean;
  /** The next piece of the input; `undefined` at its end, and at once without an input. */
  readonly read: () => Promise<Uint8Array | undefined>;
  readonly write: (to: CommandOutput, bytes: Uint8Array) => void;
  /** Aborts when the client has gone away. */
  readonly signal: AbortSignal;
};

/** What runs in the containers of pods. */
export type PodPrograms = {
  /** Runs a command to its end. Returns its exit code. */
  readonly exec?: (pod: ApiObject, command: PodCommand) => Promise<number>;
  /** Connects a client with the program of a container, until the client leaves or the program ends. Returns its exit code. */
  readonly attach?: (pod: ApiObject, attached: Omit<PodCommand, 'command'>) => Promise<number>;
  /** The listener on a port of a pod; `undefined` without one. */
  readonly listener?: (pod: ApiObject, port: number) => ((connection: ByteConnection) => void) | undefined;
};
