import type { DirectLink } from '@nodewright/kube-api';
import type { createInProcessClients, SdkRequestHandler } from '@nodewright/provider-aws';
import { severableTransport, type Transport } from '@nodewright/runtime';
import { severableLink } from '@nodewright/testkit/worlds';

export type Side = 'kubernetes' | 'aws';

/** How an account in this process answers a call. */
export type AnswerCall = Parameters<typeof createInProcessClients>[0]['answer'];

/** What lies between an operator and the two servers: either can be out of reach for a while. */
export class Outages {
  readonly #away = new Set<Side>();
  readonly #onBegin = new Set<() => void>();
  readonly #refused: Record<Side, number> = { kubernetes: 0, aws: 0 };

  /** Connections break; until the end none is accepted. */
  begin(...sides: readonly Side[]): void {
    for (const side of sides) this.#away.add(side);
    if (sides.includes('kubernetes')) for (const cut of this.#onBegin) cut();
  }

  end(): void {
    this.#away.clear();
  }

  /** How often a client tried in vain. */
  get refused(): Readonly<Record<Side, number>> {
    return this.#refused;
  }

  /** A transport to the API server whose streams end when an outage begins. */
  over(transport: Transport): Transport {
    let current = severableTransport(transport);
    this.#onBegin.add(() => {
      current.sever();
      current = severableTransport(transport);
    });
    return {
      send: async (request, options) => {
        this.#check('kubernetes');
        return current.send(request, options);
      },
    };
  }

  /** As `over`, for a client on the objects of the server. */
  overLink(link: DirectLink): DirectLink {
    let current = severableLink(link);
    this.#onBegin.add(() => {
      current.sever();
      current = severableLink(link);
    });
    return {
      send: async (request, serve) => {
        this.#check('kubernetes');
        return current.send(request, serve);
      },
      stream: (parts) => current.stream(parts),
    };
  }

  overAws(handler: SdkRequestHandler): SdkRequestHandler {
    return {
      handle: async (request, options) => {
        this.#check('aws');
        return handler.handle(request, options);
      },
    };
  }

  /** As `overAws`, for calls that an account in this process answers as objects. */
  overCalls(answer: AnswerCall): AnswerCall {
    return async (call, caller) => {
      this.#check('aws');
      return answer(call, caller);
    };
  }

  #check(side: Side): void {
    if (!this.#away.has(side)) return;
    this.#refused[side] += 1;
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }
}
