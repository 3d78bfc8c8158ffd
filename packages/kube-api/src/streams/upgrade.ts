import type { ByteConnection, HttpHeaders, HttpResponse } from '@nodewright/runtime';
import { badRequestError, StatusError } from '../http/status-error.ts';
import { acceptKey } from './websocket/web-socket.ts';

export type UpgradeProtocol = 'webSocket' | 'spdy';

/** The subprotocols that a path speaks over each protocol, the preferred one first. */
export type OfferedProtocols = { readonly webSocket: readonly string[]; readonly spdy: readonly string[] };

/** What client and server have agreed on. */
export type AgreedUpgrade = { readonly protocol: UpgradeProtocol; readonly headers: HttpHeaders };

/**
 * Chooses the protocol of a connection.
 * @throws StatusError 400 for a request that asks for none, 403 when none of its subprotocols is spoken
 */
export function agreeUpgrade(headers: HttpHeaders, offered: OfferedProtocols): AgreedUpgrade {
  const wanted = (headers['upgrade'] ?? '').toLowerCase();
  const isAsked = /\bupgrade\b/i.test(headers['connection'] ?? '');
  if (isAsked && wanted === 'websocket') return agreeWebSocket(headers, offered.webSocket);
  if (isAsked && wanted === 'spdy/3.1') return agreeSpdy(headers, offered.spdy);
  throw badRequestError('Upgrade request required');
}

function agreeWebSocket(headers: HttpHeaders, offered: readonly string[]): AgreedUpgrade {
  const subprotocol = choose(headers['sec-websocket-protocol'], offered);
  const key = headers['sec-websocket-key'];
  if (key === undefined) throw badRequestError('Upgrade request required');
  return {
    protocol: 'webSocket',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-accept': acceptKey(key),
      'sec-websocket-protocol': subprotocol,
    },
  };
}

function agreeSpdy(headers: HttpHeaders, offered: readonly string[]): AgreedUpgrade {
  return {
    protocol: 'spdy',
    headers: {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': choose(headers['x-stream-protocol-version'], offered),
    },
  };
}

function choose(asked: string | undefined, offered: readonly string[]): string {
  const protocols = (asked ?? '').split(',').map((each) => each.trim());
  const chosen = offered.find((each) => protocols.includes(each));
  if (chosen !== undefined) return chosen;
  const message = `unable to upgrade: unable to negotiate protocol: client supports [${protocols.join(' ')}], server accepts [${offered.join(' ')}]`;
  throw new StatusError(403, message, { reason: 'Forbidden' });
}

/** The answer after which `serve` speaks on the connection. */
export const switchingResponse = (
  headers: HttpHeaders,
  serve: (connection: ByteConnection) => Promise<void>,
): HttpResponse => ({ status: 101, headers, body: new Uint8Array(), switchProtocol: serve });
