import { byTextOf } from '@nodewright/apis';
import { createHash } from 'node:crypto';
import type { MessageAttribute } from './message.ts';

/** What SDKs compare with their own: the MD5 of a body, in hexadecimal. */
export const md5OfBody = (body: string): string => md5(Buffer.from(body));

/** The MD5 over all attributes by name: name, type, the kind of value (1 text, 2 bytes) and the value, each after its length. */
export function md5OfAttributes(attributes: Readonly<Record<string, MessageAttribute>>): string {
  const parts = Object.entries(attributes)
    .toSorted(byTextOf(([key]) => key))
    .flatMap(([name, { type, text, base64 = '' }]) => [
      ...withLengthPrefix(Buffer.from(name)),
      ...withLengthPrefix(Buffer.from(type)),
      Buffer.from([text === undefined ? 2 : 1]),
      ...withLengthPrefix(text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)),
    ]);
  return md5(Buffer.concat(parts));
}

function withLengthPrefix(bytes: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
