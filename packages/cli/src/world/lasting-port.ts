import { randomInt } from 'node:crypto';
import { type Listening, PortTakenError } from '@nodewright/sandbox';

/** Above the ports of well-known servers, below those that Linux (32768) and others (49152) give to outgoing connections. */
const lastingPorts = { first: 20_000, end: 32_768 };

const mostTries = 100;

/** Listens on a port; where 0 is asked for on any free one, and where a later start needs it again on a lasting one. */
export const listenAt = (
  { port, isKept }: { readonly port: number; readonly isKept: boolean },
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> => (port === 0 && isKept ? listenOnLastingPort(listen) : listen(port));

/**
 * Listens where the next start can listen again: no connection of another program gets such a port by chance while the
 * sandbox is down.
 * @param listen is asked for a port again and again while others have those that were drawn; for any free one in the end
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
