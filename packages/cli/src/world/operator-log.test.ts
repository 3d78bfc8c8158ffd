import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { OperatorLog } from './operator-log.ts';

const plain = { follow: false, timestamps: false, signal: new AbortController().signal };

function aLog(...lines: readonly (readonly [atSecond: number, text: string])[]) {
  let now = instant(0);
  const log = new OperatorLog({ now: () => now });
  const write = (atSecond: number, text: string): void => {
    now = instant(atSecond * 1000);
    log.write(`${text}\n`);
  };
  for (const [atSecond, text] of lines) write(atSecond, text);
  return { log, write };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('utf8');
  return text;
}

describe('the log of the operator', () => {
  const { log } = aLog([1, 'a'], [2, 'b'], [3, 'c']);
  for (const { fact, options, text } of [
    { fact: 'is read whole', options: {}, text: 'a\nb\nc\n' },
    { fact: 'is read from its tail', options: { tailLines: 2 }, text: 'b\nc\n' },
    { fact: 'is read from a time on', options: { since: instant(2000) }, text: 'b\nc\n' },
    { fact: 'has nothing when no line is wanted', options: { tailLines: 0 }, text: '' },
    {
      fact: 'tells the times of its lines',
      options: { tailLines: 1, timestamps: true },
      text: '1970-01-01T00:00:03.000Z c\n',
    },
  ]) {
    test(fact, async () => {
      expect(await textOf(log.read({ ...plain, ...options }))).toBe(text);
    });
  }
});

test('whoever follows the log gets what is written later, until he goes', async () => {
  const { log, write } = aLog([1, 'before']);
  const gone = new AbortController();
  const read = textOf(log.read({ ...plain, follow: true, signal: gone.signal }));
  write(2, 'after');
  await new Promise<void>((resolve) => setImmediate(resolve));
  write(3, 'later');
  await new Promise<void>((resolve) => setImmediate(resolve));
  gone.abort();
  expect(await read).toBe('before\nafter\nlater\n');
});
