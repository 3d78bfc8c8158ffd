import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { encodeUint32s } from './frames.ts';
import { headerDictionary } from './header-dictionary.ts';

export type SpdyHeaders = Readonly<Record<string, string>>;

const mostBlockBytes = 256 * 1024;

/** Compresses and decompresses the headers of one connection: each block goes on from those before it. */
export class HeaderBlocks {
  readonly #inflate: Inflate = createInflate({
    dictionary: headerDictionary,
    flush: constants.Z_SYNC_FLUSH,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  readonly #deflate: Deflate = createDeflate({ dictionary: headerDictionary });

  /** Blocks are read in their order, one after the other. */
  async read(block: Uint8Array): Promise<SpdyHeaders> {
    return parseBlock(await passThroughZlib(this.#inflate, block));
  }

  /** Blocks are written in their order, one after the other. */
  write(headers: SpdyHeaders): Promise<Buffer> {
    return passThroughZlib(this.#deflate, headerBlock(headers));
  }

  close(): void {
    this.#inflate.close();
    this.#deflate.close();
  }
}

function passThroughZlib(stream: Inflate | Deflate, bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostBlockBytes) fail(new Error(`headers of more than ${mostBlockBytes} bytes`));
    };
    const settle = (): void => {
      stream.off('data', take);
      stream.off('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    stream.on('data', take);
    stream.on('error', fail);
    stream.write(bytes);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      settle();
      resolve(Buffer.concat(chunks));
    });
  });
}

/** The number of pairs, and then names and values, each behind its length. */
function parseBlock(block: Buffer): SpdyHeaders {
  let at = 4;
  const next = (): string => {
    const length = block.readUInt32BE(at);
    const text = block.toString('utf8', at + 4, at + 4 + length);
    at += 4 + length;
    return text;
  };
  const pairs = Array.from({ length: Math.min(block.readUInt32BE(0), 1000) }, (): [string, string] => [
    next().toLowerCase(),
    next(),
  ]);
  return Object.fromEntries(pairs);
}

function headerBlock(headers: SpdyHeaders): Buffer {
  const pairs = Object.entries(headers);
  return Buffer.concat([
    encodeUint32s(pairs.length),
    ...pairs.flat().flatMap((text) => [encodedLength(text), Buffer.from(text)]),
  ]);
}

const encodedLength = (text: string): Buffer => encodeUint32s(Buffer.byteLength(text));
