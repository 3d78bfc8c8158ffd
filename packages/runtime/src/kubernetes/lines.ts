/** Cuts a stream of UTF-8 into lines, wherever its chunks end. A last line needs no newline; empty ones are skipped. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') yield part;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
