import type { ByteConnection } from '@nodewright/runtime';
import { ByteChannel } from './byte-channel.ts';
import type { CommandOptions, CommandStreams } from './command-streams.ts';
import { SpdySession, type SpdyStream } from './spdy/session.ts';

/** The streams of a command as streams of a SPDY connection. Resolves when the client has opened all of them. */
export function commandOverSpdy(connection: ByteConnection, options: CommandOptions): Promise<CommandStreams> {
  const session = new SpdySession(connection);
  const wanted = streamTypes(options);
  const open = new Map<string, SpdyStream>();
  return new Promise((resolve, reject) => {
    const follow = async (): Promise<void> => {
      for await (const stream of session.streams()) {
        open.set(stream.headers['streamtype'] ?? '', stream);
        if (wanted.every((type) => open.has(type))) resolve(streamsOf(session, open));
      }
      reject(new Error('the client has left'));
    };
    follow().catch(reject);
  });
}

const streamTypes = ({ stdin, stdout, stderr, tty }: CommandOptions): readonly string[] => [
  'error',
  ...(stdin ? ['stdin'] : []),
  ...(stdout ? ['stdout'] : []),
  ...(stderr && !tty ? ['stderr'] : []),
];

function streamsOf(session: SpdySession, open: ReadonlyMap<string, SpdyStream>): CommandStreams {
  const absent = new ByteChannel();
  absent.end();
  return {
    input: open.get('stdin')?.incoming ?? absent,
    write: (to, bytes) => open.get(to)?.send(bytes),
    finish(status) {
      open.get('error')?.send(status);
      for (const stream of open.values()) stream.end();
      session.close();
    },
  };
}
