/** The JSON documents of a stream, one a line, wherever its chunks end. A last line needs no newline; empty ones are skipped. */
export async function* readDocumentLines<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') yield JSON.parse(part) as T;
  }
  rest += decoder.decode();
  if (rest !== '') yield JSON.parse(rest) as T;
}
