import type { ByteConnection } from '@nodewright/runtime';
import { ByteChannel } from '../byte-channel.ts';
import {
  controlFrame,
  dataFrame,
  lastOfStream,
  spdyTypes,
  type SpdyFrame,
  SpdyReader,
  encodeUint32s,
} from './frames.ts';
import { HeaderBlocks, type SpdyHeaders } from './header-blocks.ts';

/** A stream that the client has opened. */
export type SpdyStream = {
  readonly headers: SpdyHeaders;
  readonly incoming: ByteChannel;
  send(bytes: Uint8Array): void;
  /** Ends this side of the stream. */
  end(): void;
};

const mostDataBytes = 32 * 1024;

/** The server's side of a SPDY/3.1 connection whose client opens all streams. Windows are not kept. */
export class SpdySession {
  readonly #connection: ByteConnection;
  readonly #blocks = new HeaderBlocks();
  readonly #streams = new Map<number, ByteChannel>();
  #lastStream = 0;

  constructor(connection: ByteConnection) {
    this.#connection = connection;
  }

  /** The streams as the client opens them. Ends with the connection. */
  async *streams(): AsyncGenerator<SpdyStream> {
    const reader = new SpdyReader();
    try {
      for await (const chunk of this.#connection.incoming) {
        for (const frame of reader.read(chunk)) {
          const opened = await this.#take(frame);
          if (opened !== undefined) yield opened;
        }
      }
    } finally {
      for (const channel of this.#streams.values()) channel.end();
      this.#blocks.close();
    }
  }

  /** Tells that no further stream is taken, and ends the connection. */
  close(): void {
    this.#connection.send(controlFrame(spdyTypes.goAway, encodeUint32s(this.#lastStream, 0)));
    this.#connection.end();
  }

  async #take(frame: SpdyFrame): Promise<SpdyStream | undefined> {
    if (frame.kind === 'data') {
      const channel = this.#streams.get(frame.stream);
      channel?.push(frame.payload);
      if (frame.isLast) channel?.end();
      return undefined;
    }
    switch (frame.type) {
      case spdyTypes.openStream:
        return this.#open(frame.payload, (frame.flags & lastOfStream) !== 0);
      case spdyTypes.headers:
        // What it says is of no use here, but the blocks after it are compressed with it.
        await this.#blocks.read(frame.payload.subarray(4));
        return undefined;
      case spdyTypes.resetStream:
        this.#streams.get(frame.payload.readUInt32BE(0))?.end();
        return undefined;
      case spdyTypes.ping:
        this.#connection.send(controlFrame(spdyTypes.ping, frame.payload));
        return undefined;
      default:
        return undefined;
    }
  }

  async #open(payload: Buffer, isLast: boolean): Promise<SpdyStream> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = await this.#blocks.read(payload.subarray(10));
    const incoming = new ByteChannel();
    if (isLast) incoming.end();
    this.#streams.set(id, incoming);
    this.#lastStream = id;
    const reply = Buffer.concat([encodeUint32s(id), await this.#blocks.write({})]);
    this.#connection.send(controlFrame(spdyTypes.answerStream, reply));
    return { headers, incoming, send: (bytes) => this.#send(id, bytes), end: () => this.#end(id) };
  }

  #send(id: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += mostDataBytes) {
      this.#connection.send(dataFrame(id, bytes.subarray(at, at + mostDataBytes), false));
    }
  }

  #end(id: number): void {
    this.#connection.send(dataFrame(id, new Uint8Array(), true));
  }
}
