import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRelease } from './testing/a-release.ts';
import { awsCli } from './testing/aws-cli.ts';
import { aTestAccount } from './testing/test-account.ts';

let cli: Awaited<ReturnType<typeof awsCli>>;

beforeAll(async () => {
  cli = await awsCli(aTestAccount({ releases: [aRelease()] }).aws.handle, process.env);
});
afterAll(() => cli.close());

test('the aws command is told who it is', async () => {
  expect(await cli.json('sts', 'get-caller-identity')).toMatchObject({ Account: '111122223333' });
});

test('the aws command reads an image parameter', async () => {
  const name = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';
  expect(await cli.json('ssm', 'get-parameter', '--name', name)).toMatchObject({
    Parameter: { Value: 'ami-0aaaaaaaaaaaaaaa1', Version: 1 },
  });
});

test('the aws command shows a refusal as AWS words it', async () => {
  const { status, stderr } = await cli.run('ssm', 'get-parameter', '--name', '/none');
  expect(status).not.toBe(0);
  expect(stderr).toContain('An error occurred (ParameterNotFound) when calling the GetParameter operation');
});
