/** A frame of SPDY/3.1: a control frame with its type, or data of a stream. */
export type SpdyFrame =
  | { readonly kind: 'control'; readonly type: number; readonly flags: number; readonly payload: Buffer }
  | { readonly kind: 'data'; readonly stream: number; readonly isLast: boolean; readonly payload: Buffer };

export const spdyTypes = {
  openStream: 1,
  answerStream: 2,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const lastOfStream = 1;

const spdyVersion = 3;
const headBytes = 8;

/** Divides what arrives into frames. */
export class SpdyReader {
  #unread = Buffer.alloc(0);

  *read(chunk: Uint8Array): Generator<SpdyFrame> {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (this.#unread.length >= headBytes) {
      const length = this.#unread.readUIntBE(5, 3);
      if (this.#unread.length < headBytes + length) return;
      const head = this.#unread.subarray(0, headBytes);
      const payload = Buffer.from(this.#unread.subarray(headBytes, headBytes + length));
      this.#unread = this.#unread.subarray(headBytes + length);
      yield parseSpdyFrame(head, payload);
    }
  }
}

function parseSpdyFrame(head: Buffer, payload: Buffer): SpdyFrame {
  const flags = head[4] ?? 0;
  const first = head.readUInt32BE(0);
  if (first >>> 31 === 1) return { kind: 'control', type: first & 0xffff, flags, payload };
  return { kind: 'data', stream: first, isLast: (flags & lastOfStream) !== 0, payload };
}

export function controlFrame(type: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(((0x8000 | spdyVersion) * 0x10000 + type) >>> 0, 0);
  head[4] = flags;
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

export function dataFrame(stream: number, payload: Uint8Array, isLast: boolean): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(stream, 0);
  head[4] = isLast ? lastOfStream : 0;
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Numbers of four bytes each. */
export function encodeUint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, 4 * index));
  return bytes;
}
