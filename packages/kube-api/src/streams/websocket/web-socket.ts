import { createHash } from 'node:crypto';
import type { ByteConnection } from '@nodewright/runtime';
import { webSocketFrame, webSocketOpcodes, WebSocketReader } from './frames.ts';

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The answer that a client of a WebSocket checks. */
export const acceptKey = (key: string): string => createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');

const normalClosure = 1000;

/** The messages of a WebSocket. Pings are answered, and a close ends the messages. */
export class WebSocketMessages {
  readonly #connection: ByteConnection;
  #isClosed = false;

  constructor(connection: ByteConnection) {
    this.#connection = connection;
  }

  send(payload: Uint8Array): void {
    if (!this.#isClosed) this.#connection.send(webSocketFrame(webSocketOpcodes.binary, payload));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const code = Buffer.alloc(2);
    code.writeUInt16BE(normalClosure);
    this.#connection.send(webSocketFrame(webSocketOpcodes.close, code));
    this.#connection.end();
  }

  /** Ends with the connection. */
  async *messages(): AsyncGenerator<Uint8Array> {
    const reader = new WebSocketReader();
    let parts: Uint8Array[] = [];
    for await (const chunk of this.#connection.incoming) {
      for (const { opcode, isLast, payload } of reader.read(chunk)) {
        if (opcode === webSocketOpcodes.close) return this.close();
        if (opcode === webSocketOpcodes.ping) this.#answerPing(payload);
        if (opcode > webSocketOpcodes.binary) continue;
        parts.push(payload);
        if (!isLast) continue;
        yield Buffer.concat(parts);
        parts = [];
      }
    }
  }

  #answerPing(payload: Uint8Array): void {
    if (!this.#isClosed) this.#connection.send(webSocketFrame(webSocketOpcodes.pong, payload));
  }
}
