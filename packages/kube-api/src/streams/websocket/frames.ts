/** One frame of RFC 6455, unmasked. */
export type WebSocketFrame = {
  readonly isLast: boolean;
  /** 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong. */
  readonly opcode: number;
  readonly payload: Uint8Array;
};

export const webSocketOpcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Bytes that are no frame, or a frame that is too large. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
}

const mostPayloadBytes = 32 * 1024 * 1024;

/** Divides what arrives into frames. */
export class WebSocketReader {
  #unread = Buffer.alloc(0);

  *read(chunk: Uint8Array): Generator<WebSocketFrame> {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (let found = readFrame(this.#unread); found !== undefined; found = readFrame(this.#unread)) {
      this.#unread = this.#unread.subarray(found.length);
      yield found.frame;
    }
  }
}

function readFrame(bytes: Buffer): { readonly frame: WebSocketFrame; readonly length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const { size, at } = payloadSize(bytes, second & 0x7f) ?? {};
  if (size === undefined || at === undefined) return undefined;
  if (size > mostPayloadBytes) throw new WebSocketError(`a frame of ${size} bytes is too large`);
  const isMasked = (second & 0x80) !== 0;
  const start = at + (isMasked ? 4 : 0);
  if (bytes.length < start + size) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + size));
  if (isMasked) unmask(payload, bytes.subarray(at, at + 4));
  return { frame: { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload }, length: start + size };
}

function payloadSize(bytes: Buffer, short: number): { readonly size: number; readonly at: number } | undefined {
  if (short < 126) return { size: short, at: 2 };
  if (short === 126) return bytes.length < 4 ? undefined : { size: bytes.readUInt16BE(2), at: 4 };
  return bytes.length < 10 ? undefined : { size: Number(bytes.readBigUInt64BE(2)), at: 10 };
}

function unmask(payload: Buffer, mask: Buffer): void {
  for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
}

/** A whole message of a server, which masks nothing. */
export function webSocketFrame(opcode: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([frameHead(opcode, payload.length), payload]);
}

function frameHead(opcode: number, size: number): Buffer {
  const first = 0x80 | opcode;
  if (size < 126) return Buffer.from([first, size]);
  if (size < 65_536) {
    const head = Buffer.from([first, 126, 0, 0]);
    head.writeUInt16BE(size, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(size), 2);
  return head;
}
