import { randomInt } from 'node:crypto';
import { type Listening, PortTakenError } from '@nodewright/sandbox';

/** By default Linux gives ports from 32768 on to outgoing connections, macOS and Windows from 49152. Few servers listen here. */
const lastingPorts = { first: 20_000, end: 32_768 };

const mostTries = 100;

/** Listens on a port. Port 0 is any free one, or, if a later start needs the same port again, a lasting one. */
export const listenAt = (
  { port, isKept }: { readonly port: number; readonly isKept: boolean },
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> => (port === 0 && isKept ? listenOnLastingPort(listen) : listen(port));

/**
 * Listens on a port that the next start can expect to find free: while the sandbox is down, systems give no such port to
 * the connections of other programs.
 * @param listen binds a port. It is called with drawn ports until one is free, and with 0 after a hundred that were taken
 */
export async function listenOnLastingPort(
  listen: (port: number) => Promise<Listening>,
  draw = (): number => randomInt(lastingPorts.first, lastingPorts.end),
): Promise<Listening> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await listen(draw());
    } catch (failure) {
      if (!(failure instanceof PortTakenError)) throw failure;
    }
  }
  return listen(0);
}
