import { setMaxListeners } from 'node:events';
import type { DirectLink, DirectRequest } from '@nodewright/kube-api';
import { ApiError, endOnAbort } from '@nodewright/runtime';

/** A link that can be cut, as by the death of the process that uses it. */
export type SeverableLink = DirectLink & {
  /** From now on no call leaves and no answer arrives; watches end. What the server has begun to serve, it serves. */
  readonly sever: () => void;
};

export function severableLink(link: DirectLink): SeverableLink {
  const cut = new AbortController();
  setMaxListeners(0, cut.signal); // one for each watch that is open
  const tapped = tapAnswers(link, () => cut.signal.throwIfAborted());
  return {
    sever: () => cut.abort(new Error('the connection was cut')),
    async send(request, serve) {
      cut.signal.throwIfAborted();
      return tapped.send(request, serve);
    },
    stream: (parts) => endOnAbort(link.stream(parts), cut.signal),
  };
}

/** A link that tells of every answer before it passes it on. A refusal is an answer, too. */
export const tapAnswers = (link: DirectLink, onAnswer: (request: DirectRequest) => void): DirectLink => ({
  ...link,
  async send(request, serve) {
    try {
      const answer = await link.send(request, serve);
      onAnswer(request);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) onAnswer(request);
      throw error;
    }
  },
});
