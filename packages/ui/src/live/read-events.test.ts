import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

test('events are whole, however they are cut on the way', async () => {
  const text = 'data: {"a":"ä"}\n\n: rest\n\ndata: 2\n\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 7, 100]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events: string[] = [];
    for await (const event of readEvents(body)) events.push(event);
    expect(events).toEqual(['{"a":"ä"}', '2']);
  }
});
