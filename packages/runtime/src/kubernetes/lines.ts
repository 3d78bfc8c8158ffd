const newline = 10;

/** What a line that comes as a chunk of its own says. In one process its readers get the same bytes, and share what they say. */
const decoded = new WeakMap<Uint8Array, unknown>();

/** The JSON documents of a stream, one a line, wherever its chunks end. A last line needs no newline; empty ones are skipped. */
export async function* documents<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let isBetweenLines = true;
  for await (const chunk of chunks) {
    if (isBetweenLines && chunk.length > 1 && chunk.indexOf(newline) === chunk.length - 1) {
      yield documentOf(chunk) as T;
      continue;
    }
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    isBetweenLines = chunk.length === 0 ? isBetweenLines : chunk.at(-1) === newline;
    for (const part of parts) if (part !== '') yield JSON.parse(part) as T;
  }
  rest += decoder.decode();
  if (rest !== '') yield JSON.parse(rest) as T;
}

function documentOf(line: Uint8Array): unknown {
  const known = decoded.get(line);
  if (known !== undefined) return known;
  const document: unknown = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'));
  decoded.set(line, document);
  return document;
}
