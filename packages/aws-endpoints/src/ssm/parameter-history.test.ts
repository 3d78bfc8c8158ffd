import { expect, test } from 'vitest';
import { aParameterStore } from '@nodewright/testkit/worlds';

test('the history of a parameter has its last hundred versions, the oldest first, and ends with it', async () => {
  const call = aParameterStore();
  const Name = '/a/b';
  for (let version = 1; version <= 102; version += 1)
    await call('PutParameter', { Name, Value: `v${version}`, Type: 'String', Overwrite: true });
  expect(await call('GetParameterHistory', { Name, MaxResults: 2 })).toMatchObject({
    Parameters: [
      { Version: 3, Value: 'v3' },
      { Version: 4, Value: 'v4' },
    ],
    NextToken: expect.any(String),
  });
  await call('DeleteParameter', { Name });
  expect(await call('GetParameterHistory', { Name })).toBe('ParameterNotFound');
  await call('PutParameter', { Name, Value: 'new', Type: 'String' });
  expect(await call('GetParameterHistory', { Name })).toMatchObject({ Parameters: [{ Version: 1, Value: 'new' }] });
});
