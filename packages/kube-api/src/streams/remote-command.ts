import type { ByteConnection } from '@nodewright/runtime';
import type { ByteChannel } from './byte-channel.ts';
import { commandOverSpdy } from './command-over-spdy.ts';
import { commandOverWebSocket } from './command-over-web-socket.ts';
import { commandStatus } from './command-status.ts';
import type { CommandOutput, PodCommand } from './pod-programs.ts';
import type { UpgradeProtocol } from './upgrade.ts';

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

/** Connects a command with its client until the command ends or the client leaves. */
export async function serveCommand(
  connection: ByteConnection,
  { protocol, options }: { readonly protocol: UpgradeProtocol; readonly options: CommandOptions },
  run: (streams: Pick<PodCommand, 'read' | 'write'>) => Promise<number>,
): Promise<void> {
  const streams = protocol === 'spdy' ? await commandOverSpdy(connection, options) : commandOverWebSocket(connection);
  const exitCode = await run({
    read: () => (options.stdin ? streams.input.next() : Promise.resolve(undefined)),
    write: (to, bytes) => {
      if (options[to]) streams.write(to, bytes);
    },
  });
  streams.finish(commandStatus(exitCode));
}
