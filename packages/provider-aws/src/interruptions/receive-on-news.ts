import type { InterruptionPort } from '@nodewright/ports';

/**
 * The port of a queue in the same process, which tells when a message is there. An empty queue is not polled: polls would
 * be most of the work of a quiet world.
 * @param untilNews resolves when a message may be received
 */
export const receiveOnNews = (
  port: InterruptionPort,
  untilNews: (signal: AbortSignal) => Promise<void>,
): InterruptionPort => ({
  receive: async (signal) => {
    await untilNews(signal);
    return port.receive(signal);
  },
  remove: (message, signal) => port.remove(message, signal),
});
