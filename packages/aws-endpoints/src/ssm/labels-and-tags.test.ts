import { expect, test } from 'vitest';
import { aParameterStore } from '@nodewright/testkit/worlds';

async function withVersions(count: number) {
  const call = aParameterStore();
  const Name = '/app/image';
  for (let version = 1; version <= count; version += 1)
    await call('PutParameter', { Name, Value: `v${version}`, Type: 'String', Overwrite: true });
  return { call, Name };
}

test('a label chooses a version, and moves to another one', async () => {
  const { call, Name } = await withVersions(3);
  expect(await call('LabelParameterVersion', { Name, ParameterVersion: 1, Labels: ['live', '1st', 'aws-x'] })).toEqual({
    InvalidLabels: ['1st', 'aws-x'],
    ParameterVersion: 1,
  });
  expect(await call('GetParameter', { Name: `${Name}:live` })).toMatchObject({
    Parameter: { Version: 1, Value: 'v1', Selector: ':live', Name },
  });
  await call('LabelParameterVersion', { Name, Labels: ['live'] });
  expect(await call('GetParameterHistory', { Name })).toMatchObject({
    Parameters: [{ Labels: [] }, { Labels: [] }, { Labels: ['live'] }],
  });
  expect(
    await call('GetParametersByPath', { Path: '/app', ParameterFilters: [{ Key: 'Label', Values: ['live'] }] }),
  ).toMatchObject({ Parameters: [{ Version: 3 }] });
});

test('a label is taken off the version that has it', async () => {
  const { call, Name } = await withVersions(2);
  await call('LabelParameterVersion', { Name, ParameterVersion: 2, Labels: ['live'] });
  expect(await call('UnlabelParameterVersion', { Name, ParameterVersion: 2, Labels: ['live', 'gone'] })).toEqual({
    RemovedLabels: ['live'],
    InvalidLabels: ['gone'],
  });
  expect(await call('GetParameter', { Name: `${Name}:live` })).toBe('ParameterVersionNotFound');
  expect(await call('UnlabelParameterVersion', { Name, ParameterVersion: 7, Labels: ['live'] })).toBe(
    'ParameterVersionNotFound',
  );
});

test('a version has ten labels at most', async () => {
  const { call, Name } = await withVersions(1);
  const Labels = Array.from({ length: 10 }, (_, at) => `label-${at}`);
  await call('LabelParameterVersion', { Name, Labels });
  expect(await call('LabelParameterVersion', { Name, Labels: ['more'] })).toBe('ParameterVersionLabelLimitExceeded');
});

test('the oldest of a hundred versions makes no room while it has a label', async () => {
  const { call, Name } = await withVersions(100);
  await call('LabelParameterVersion', { Name, ParameterVersion: 1, Labels: ['first'] });
  expect(await call('PutParameter', { Name, Value: 'more', Overwrite: true })).toBe('ParameterMaxVersionLimitExceeded');
});

test('earlier versions can be asked for by number', async () => {
  const { call, Name } = await withVersions(2);
  expect(await call('GetParameter', { Name: `${Name}:1` })).toMatchObject({
    Parameter: { Value: 'v1', Selector: ':1' },
  });
  expect(await call('GetParameter', { Name: `${Name}:3` })).toBe('ParameterVersionNotFound');
  expect(await call('GetParameters', { Names: [`${Name}:1`, `${Name}:3`] })).toMatchObject({
    Parameters: [{ Value: 'v1' }],
    InvalidParameters: [`${Name}:3`],
  });
});

test('tags of a parameter are listed, filter descriptions, and go with it', async () => {
  const call = aParameterStore();
  await call('PutParameter', { Name: '/a/b', Value: 'x', Type: 'String', Tags: [{ Key: 'team', Value: 'red' }] });
  await call('PutParameter', { Name: '/a/c', Value: 'x', Type: 'String' });
  const resource = { ResourceType: 'Parameter', ResourceId: '/a/b' };
  await call('AddTagsToResource', { ...resource, Tags: [{ Key: 'stage', Value: 'live' }] });
  expect(await call('ListTagsForResource', resource)).toEqual({
    TagList: [
      { Key: 'team', Value: 'red' },
      { Key: 'stage', Value: 'live' },
    ],
  });
  const ParameterFilters = [{ Key: 'tag:team', Values: ['red'] }];
  expect(await call('DescribeParameters', { ParameterFilters })).toMatchObject({ Parameters: [{ Name: '/a/b' }] });
  await call('RemoveTagsFromResource', { ...resource, TagKeys: ['team'] });
  expect(await call('DescribeParameters', { ParameterFilters })).toMatchObject({ Parameters: [] });
  await call('DeleteParameter', { Name: '/a/b' });
  expect(await call('ListTagsForResource', resource)).toBe('InvalidResourceId');
});

test('a name of one level is the same with and without its slash', async () => {
  const call = aParameterStore();
  await call('PutParameter', { Name: 'plain', Value: 'x', Type: 'String' });
  expect(await call('GetParameter', { Name: '/plain' })).toMatchObject({ Parameter: { Name: 'plain' } });
  expect(await call('DescribeParameters', { ParameterFilters: [{ Key: 'Name', Values: ['/plain'] }] })).toMatchObject({
    Parameters: [{ Name: 'plain' }],
  });
  expect(await call('DeleteParameter', { Name: '/plain' })).toEqual({});
  expect(await call('GetParameter', { Name: 'plain' })).toBe('ParameterNotFound');
});

test('a SecureString is told encrypted, unless the caller wants it decrypted', async () => {
  const call = aParameterStore();
  await call('PutParameter', { Name: 's', Value: 'secret', Type: 'SecureString' });
  expect(await call('GetParameter', { Name: 's' })).not.toMatchObject({ Parameter: { Value: 'secret' } });
  expect(await call('GetParameter', { Name: 's', WithDecryption: true })).toMatchObject({
    Parameter: { Value: 'secret', Type: 'SecureString' },
  });
  expect(await call('DescribeParameters', {})).toMatchObject({ Parameters: [{ KeyId: 'alias/aws/ssm' }] });
  expect(await call('PutParameter', { Name: 't', Value: 'x', Type: 'String', KeyId: 'alias/k' })).toBe(
    'ValidationException',
  );
});

test('what is written of a parameter is told of it', async () => {
  const call = aParameterStore();
  const Value = 'x'.repeat(5000);
  const told = { Description: 'long', AllowedPattern: 'x+' };
  const put = { Name: 'a', Value, Type: 'String', Tier: 'Intelligent-Tiering', ...told };
  expect(await call('PutParameter', put)).toEqual({ Version: 1, Tier: 'Advanced' });
  expect(await call('DescribeParameters', {})).toMatchObject({ Parameters: [{ ...told, Tier: 'Advanced' }] });
  expect(await call('GetParameterHistory', { Name: 'a' })).toMatchObject({ Parameters: [{ ...told, Labels: [] }] });
  await call('PutParameter', { Name: 'a', Value: 'xx', Overwrite: true });
  expect(await call('DescribeParameters', {})).toMatchObject({ Parameters: [{ ...told, Version: 2 }] });
  expect(await call('PutParameter', { Name: 'a', Value: 'x', Overwrite: true, Tier: 'Standard' })).toBe(
    'ValidationException',
  );
  expect(await call('PutParameter', { Name: 'a', Value: 'x', Overwrite: true, Type: 'StringList' })).toBe(
    'HierarchyTypeMismatchException',
  );
});

for (const { what, filter, code } of [
  { what: 'a key that is none', filter: { Key: 'Label', Values: ['a'] }, code: 'InvalidFilterKey' },
  { what: 'no values', filter: { Key: 'Name' }, code: 'InvalidFilterValue' },
  {
    what: 'an option of another key',
    filter: { Key: 'Path', Option: 'Equals', Values: ['/a'] },
    code: 'InvalidFilterOption',
  },
  { what: 'a type that is none', filter: { Key: 'Type', Values: ['Text'] }, code: 'InvalidFilterOption' },
  { what: 'a path of AWS', filter: { Key: 'Path', Values: ['/aws/x'] }, code: 'ValidationException' },
  { what: 'a path without a slash', filter: { Key: 'Path', Values: ['x'] }, code: 'ValidationException' },
]) {
  test(`a filter with ${what} is refused`, async () => {
    expect(await aParameterStore()('DescribeParameters', { ParameterFilters: [filter] })).toBe(code);
  });
}
