import { expect, test } from 'vitest';
import { groupSentences } from './group-sentences.ts';

const ofPod = (pod: string): string => `PodDisruptionBudget a/web never allows an eviction of pod ${pod}: it is 0`;

test('sentences that differ in a name are one, with a gap for the name, and all can be listed', () => {
  const sentences = ['a/web-1', 'a/web-2', 'a/web-2'].map(ofPod);
  expect(groupSentences(sentences)).toEqual([
    {
      pattern: 'PodDisruptionBudget a/web never allows an eviction of pod …: it is 0',
      sentences: [ofPod('a/web-1'), ofPod('a/web-2')],
    },
  ]);
});

test('sentences that say something else stay apart, in their order, and one alone stays as it is', () => {
  const sentences = ['the node is annotated', ofPod('a/web-1'), 'it waits until 2024-03-01T12:00:00Z'];
  expect(groupSentences(sentences)).toEqual(
    sentences.map((sentence) => ({ pattern: sentence, sentences: [sentence] })),
  );
  expect(groupSentences([])).toEqual([]);
});
