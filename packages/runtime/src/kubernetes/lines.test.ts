import { expect, test } from 'vitest';
import { readDocumentLines } from './lines.ts';

async function* chunks(...parts: readonly (string | Uint8Array)[]) {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function all(parts: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const document of readDocumentLines(parts)) found.push(document);
  return found;
}

for (const { fact, parts } of [
  { fact: 'a line each', parts: ['{"a":"ü"}\n', '{"b":2}\n'] },
  { fact: 'all at once, with an empty line', parts: ['{"a":"ü"}\n\n{"b":2}\n'] },
  { fact: 'cut in the middle, without a last newline', parts: ['{"a":"ü"', '}\n', '{"b":', '2}'] },
  {
    fact: 'cut inside of a character',
    parts: [Buffer.from('{"a":"ü"}\n').subarray(0, 7), Buffer.from('{"a":"ü"}\n').subarray(7), '{"b":2}\n'],
  },
]) {
  test(`documents are found when they come ${fact}`, async () => {
    expect(await all(chunks(...parts))).toEqual([{ a: 'ü' }, { b: 2 }]);
  });
}
