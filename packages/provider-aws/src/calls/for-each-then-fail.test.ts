import { sdkError } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { forEachThenFail } from './for-each-then-fail.ts';

for (const { fact, error, done } of [
  { fact: 'one that is refused does not keep the others', error: sdkError('DeleteConflict'), done: ['a', 'b', 'c'] },
  { fact: 'an endpoint that throttles is asked for no other', error: sdkError('Throttling'), done: ['a', 'b'] },
]) {
  test(`of several things to remove ${fact}`, async () => {
    const asked: string[] = [];
    const removing = forEachThenFail(['a', 'b', 'c'], async (item) => {
      asked.push(item);
      if (item === 'b') throw error;
    });
    await expect(removing).rejects.toBe(error);
    expect(asked).toEqual(done);
  });
}
