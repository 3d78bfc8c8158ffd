import type { ByteChannel } from './byte-channel.ts';
import type { CommandOutput } from './pod-programs.ts';

/** The streams that a client asks for. */
export type CommandOptions = {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
};

/** The streams of a command on a connection. */
export type CommandStreams = {
  readonly input: ByteChannel;
  readonly write: (to: CommandOutput, bytes: Uint8Array) => void;
  /** Tells how the command has ended, and ends the connection. */
  readonly finish: (status: Uint8Array) => void;
};
