import type { ByteConnection } from '@nodewright/runtime';
import { commandOverSpdy } from './command-over-spdy.ts';
import { commandOverWebSocket } from './command-over-web-socket.ts';
import type { CommandOptions } from './command-streams.ts';
import { commandStatus } from './command-status.ts';
import type { PodCommand } from './pod-programs.ts';
import type { UpgradeProtocol } from './upgrade.ts';

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
