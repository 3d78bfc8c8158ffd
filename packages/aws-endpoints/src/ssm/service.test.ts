import {
  DeleteParameterCommand,
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import { aRelease, inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const older = aRelease();
const newer = aRelease({
  version: 'v20240129',
  imageId: 'ami-0aaaaaaaaaaaaaaa2',
  name: 'amazon-eks-node-1.29-v20240129',
  publishedAt: '2024-01-30T20:00:00Z',
});
const bottlerocket = aRelease({
  family: 'Bottlerocket',
  version: '1.18.0',
  imageId: 'ami-0bbbbbbbbbbbbbbb1',
  name: 'bottlerocket-aws-k8s-1.29-x86_64-v1.18.0-7452c37e',
});

const al2 = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2';
const moving = `${al2}/recommended/image_id`;
const day = 24 * 60 * 60 * 1000;

function world() {
  const { aws, clock } = aTestAccount({ releases: [older, newer, bottlerocket] });
  const ssm = new SSMClient(inProcess(aws.handle));
  const parameter = async (name: string) => (await ssm.send(new GetParameterCommand({ Name: name }))).Parameter;
  return { aws, clock, ssm, parameter };
}

test('REL-8: a release becomes visible to those who ask when the clock reaches its publication', async () => {
  const { clock, parameter } = world();
  expect((await parameter(moving))?.Value).toBe(older.imageId);
  await clock.advance(3 * day);
  expect(await parameter(moving)).toMatchObject({
    Value: newer.imageId,
    Version: 2,
    LastModifiedDate: new Date(newer.publishedAt),
    Type: 'String',
    DataType: 'aws:ec2:image',
    ARN: `arn:aws:ssm:us-east-1::parameter${moving}`,
  });
});

for (const { leaf, value } of [
  { leaf: `${al2}/amazon-eks-node-1.29-v20240117/image_id`, value: older.imageId },
  { leaf: `${al2}/amazon-eks-node-1.29-v20240117/release_version`, value: '1.29.0-20240117' },
  { leaf: `${al2}/recommended/image_name`, value: older.name },
  { leaf: '/aws/service/bottlerocket/aws-k8s-1.29/x86_64/latest/image_id', value: bottlerocket.imageId },
  { leaf: '/aws/service/bottlerocket/aws-k8s-1.29/x86_64/1.18.0/image_id', value: bottlerocket.imageId },
  { leaf: '/aws/service/bottlerocket/aws-k8s-1.29/x86_64/1.18.0-7452c37e/image_id', value: bottlerocket.imageId },
  { leaf: '/aws/service/bottlerocket/aws-k8s-1.29/x86_64/latest/image_version', value: '1.18.0-7452c37e' },
]) {
  test(`SSM-1, SSM-2: ${leaf} says ${value}`, async () => {
    expect((await world().parameter(leaf))?.Value).toBe(value);
  });
}

test('SSM-4, REL-7: a withdrawn release gives the moving parameter back to the one before, dated by the withdrawal', async () => {
  const { aws, clock, parameter } = world();
  await clock.advance(3 * day);
  aws.releases.withdraw({ version: 'v20240129' }, clock.now());
  expect(await parameter(moving)).toMatchObject({ Value: older.imageId, LastModifiedDate: new Date(clock.now()) });
  await expect(parameter(`${al2}/${newer.name}/image_id`)).rejects.toMatchObject({ name: 'ParameterNotFound' });
});

test('a release withdrawn with its image kept gives the moving parameter back, and can still be pinned', async () => {
  const { aws, clock, parameter } = world();
  await clock.advance(3 * day);
  aws.releases.recall({ version: 'v20240129' }, clock.now());
  expect(await parameter(moving)).toMatchObject({ Value: older.imageId, LastModifiedDate: new Date(clock.now()) });
  expect((await parameter(`${al2}/${newer.name}/image_id`))?.Value).toBe(newer.imageId);
});

test('SSM-3, REL-2: a Bottlerocket release has its long version first, and the short one and latest once it is promoted', async () => {
  const tree = '/aws/service/bottlerocket/aws-k8s-1.29/x86_64';
  const next = aRelease({
    family: 'Bottlerocket',
    version: '1.19.0',
    imageId: 'ami-0bbbbbbbbbbbbbbb2',
    name: 'bottlerocket-aws-k8s-1.29-x86_64-v1.19.0-5c19e2c3',
    promotedAt: '2024-01-30T20:00:00Z',
  });
  const { aws, clock } = aTestAccount({ releases: [bottlerocket, next] });
  const ssm = new SSMClient(inProcess(aws.handle));
  const values = async () => {
    const Names = ['1.19.0-5c19e2c3', '1.19.0', 'latest'].map((form) => `${tree}/${form}/image_id`);
    const { Parameters = [] } = await ssm.send(new GetParametersCommand({ Names }));
    return Parameters.map(({ Name = '', Value }) => `${Name.split('/').at(-2)} ${Value}`);
  };
  expect(await values()).toEqual([`1.19.0-5c19e2c3 ${next.imageId}`, `latest ${bottlerocket.imageId}`]);
  await clock.advance(3 * day);
  expect(await values()).toEqual(['1.19.0-5c19e2c3', '1.19.0', 'latest'].map((form) => `${form} ${next.imageId}`));
});

test('of two builds of one release on one day, the parameter holds the later', async () => {
  const again = { ...older, imageId: 'ami-0aaaaaaaaaaaaaaa9', publishedAt: '2024-01-25T20:00:00Z' };
  const { aws } = aTestAccount({ releases: [older, again] });
  const ssm = new SSMClient(inProcess(aws.handle));
  const Name = `${al2}/${older.name}/image_id`;
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
  expect(Parameter).toMatchObject({ Value: again.imageId, LastModifiedDate: new Date(again.publishedAt) });
});

test('a release whose image has a name of its own is pinned by the name EKS would give it', async () => {
  const { aws } = aTestAccount({ releases: [{ ...older, name: 'my build' }] });
  const ssm = new SSMClient(inProcess(aws.handle));
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: `${al2}/${older.name}/image_id` }));
  expect(Parameter?.Value).toBe(older.imageId);
});

test('a version is asked for as families write it, whether or not it was given with its v', async () => {
  const { aws } = aTestAccount({
    releases: [
      { ...older, version: '20240117' },
      { ...bottlerocket, version: 'v1.18.0' },
    ],
  });
  const ssm = new SSMClient(inProcess(aws.handle));
  for (const Name of [`${al2}/${older.name}/image_id`, '/aws/service/bottlerocket/aws-k8s-1.29/x86_64/1.18.0/image_id'])
    expect((await ssm.send(new GetParameterCommand({ Name }))).Parameter?.Value).toMatch(/^ami-/);
});

test('SSM-6: a parameter that is not there is refused with its real code', async () => {
  await expect(world().parameter('/aws/service/none')).rejects.toMatchObject({
    name: 'ParameterNotFound',
    $metadata: { httpStatusCode: 400 },
  });
});

test('only the current version of a public parameter can be read', async () => {
  const { clock, parameter } = world();
  await clock.advance(3 * day);
  expect((await parameter(`${moving}:2`))?.Value).toBe(newer.imageId);
  await expect(parameter(`${moving}:1`)).rejects.toMatchObject({ name: 'ParameterVersionNotFound' });
});

test('SSM-6: several parameters come with the names that are none', async () => {
  const { ssm } = world();
  const answer = await ssm.send(new GetParametersCommand({ Names: [moving, '/none'] }));
  expect(answer.Parameters?.map(({ Name }) => Name)).toEqual([moving]);
  expect(answer.InvalidParameters).toEqual(['/none']);
});

test('SSM-5: a path is listed in pages of at most ten', async () => {
  const { clock, ssm } = world();
  await clock.advance(3 * day);
  const names: (string | undefined)[] = [];
  let token: string | undefined;
  do {
    const page = await ssm.send(
      new GetParametersByPathCommand({ Path: '/aws/service', Recursive: true, ...(token && { NextToken: token }) }),
    );
    expect(page.Parameters?.length).toBeLessThanOrEqual(10);
    names.push(...(page.Parameters ?? []).map(({ Name }) => Name));
    token = page.NextToken;
  } while (token !== undefined);
  expect(names).toHaveLength(6 + 10);
  expect(names).toContain(`${al2}/recommended`);
});

test('WIRE-12: a token that was never given out is refused', async () => {
  const { ssm } = world();
  await expect(ssm.send(new GetParametersByPathCommand({ Path: '/aws', NextToken: 'x' }))).rejects.toMatchObject({
    name: 'InvalidNextToken',
  });
});

describe('a parameter of the account itself', () => {
  const Name = '/golden/al2023';

  test('is read by its name and by its ARN, also with its version', async () => {
    const { ssm, parameter } = world();
    await ssm.send(new PutParameterCommand({ Name, Value: older.imageId, Type: 'String' }));
    const arn = `arn:aws:ssm:us-east-1:111122223333:parameter${Name}`;
    expect(await parameter(Name)).toMatchObject({ Name, Value: older.imageId, Version: 1, ARN: arn });
    expect((await parameter(arn))?.Value).toBe(older.imageId);
    expect((await parameter(`${arn}:1`))?.Value).toBe(older.imageId);
    expect((await parameter(`arn:aws:ssm:us-east-1::parameter${moving}`))?.Value).toBe(older.imageId);
  });

  test('is overwritten only by those who say so', async () => {
    const { ssm, parameter } = world();
    await ssm.send(new PutParameterCommand({ Name, Value: 'a', Type: 'String' }));
    await expect(ssm.send(new PutParameterCommand({ Name, Value: 'b' }))).rejects.toMatchObject({
      name: 'ParameterAlreadyExists',
    });
    await ssm.send(new PutParameterCommand({ Name, Value: 'b', Overwrite: true }));
    expect(await parameter(Name)).toMatchObject({ Value: 'b', Version: 2, Type: 'String' });
  });

  test('is listed with its folder until it is deleted', async () => {
    const { ssm } = world();
    await ssm.send(new PutParameterCommand({ Name, Value: 'a', Type: 'String' }));
    const list = async () => (await ssm.send(new GetParametersByPathCommand({ Path: '/golden' }))).Parameters ?? [];
    expect((await list()).map((each) => each.Name)).toEqual([Name]);
    await ssm.send(new DeleteParameterCommand({ Name }));
    expect(await list()).toEqual([]);
    await expect(ssm.send(new DeleteParameterCommand({ Name }))).rejects.toMatchObject({ name: 'ParameterNotFound' });
  });

  test('cannot have a name that is reserved', async () => {
    const { ssm } = world();
    for (const reserved of ['/aws/mine', 'ssm-x', 'a/b', 'a b'])
      await expect(
        ssm.send(new PutParameterCommand({ Name: reserved, Value: 'a', Type: 'String' })),
      ).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
