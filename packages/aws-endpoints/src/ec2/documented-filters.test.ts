import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { anEc2, never, templateName, x86 } from '@nodewright/testkit/worlds';

/** The filters that EC2's API reference documents: an operation and its filters on each line. */
const documented = readFileSync(join(import.meta.dirname, 'testdata/documented-filters.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [operation = '', ...names] = line.split(' ');
    return [operation, names] as const;
  });

type Account = Awaited<ReturnType<typeof anEc2>>;
let account: Account;
beforeAll(async () => {
  account = await anEc2();
  await answerOf('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 });
});

async function answerOf(operation: string, input: object): Promise<string> {
  const served = { signal: never, serving: { wait: (work: () => Promise<void>) => work() } };
  const answer = await account.aws.answer({ service: 'ec2', operation, input }, served);
  return answer.kind === 'answered' ? 'answered' : `${answer.code}: ${answer.message}`;
}

const needed: Readonly<Record<string, object>> = {
  DescribeLaunchTemplateVersions: { LaunchTemplateName: templateName },
};

test.each(documented)('%s knows every documented filter', async (operation, names) => {
  const unknown: string[] = [];
  for (const Name of names) {
    // EC2 minds the form of a group's id.
    const Values = [Name === 'group-id' ? 'sg-x' : 'x'];
    const input = { ...needed[operation], Filters: [{ Name, Values }] };
    const answer = await answerOf(operation, input);
    if (answer !== 'answered') unknown.push(`${Name}: ${answer}`);
  }
  expect(unknown).toEqual([]);
});

/** A launch that says something of everything, and filters that find it by what it says. */
test('an instance is found by what it was launched with', async () => {
  const { aws } = account;
  const [subnet] = aws.ec2.network.subnets.filter((each) => each.public);
  await answerOf('CreateKeyPair', { KeyName: 'me' });
  const launched = await answerOf('RunInstances', {
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 2,
    KeyName: 'me',
    EbsOptimized: true,
    SubnetId: subnet?.id,
    MetadataOptions: { HttpPutResponseHopLimit: 2, HttpTokens: 'required' },
    BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 10, VolumeType: 'gp3' } }],
  });
  expect(launched).toBe('answered');
  const instance = aws.ec2.instances.all().at(-1);
  for (const [name, value] of Object.entries({
    'key-name': 'me',
    'ebs-optimized': 'true',
    'launch-index': '1',
    'metadata-options.http-put-response-hop-limit': '2',
    'block-device-mapping.device-name': '/dev/sdb',
    'network-interface.attachment.device-index': '0',
    'ip-address': '54.*',
    'dns-name': 'ec2-54-*.compute-1.amazonaws.com',
    'network-interface.addresses.primary': 'true',
    'network-interface.private-ip-address': instance?.privateIp ?? '',
    'source-dest-check': 'true',
  })) {
    const answer = await aws.answer(
      { service: 'ec2', operation: 'DescribeInstances', input: { Filters: [{ Name: name, Values: [value] }] } },
      { signal: never, serving: { wait: (work) => work() } },
    );
    expect(JSON.stringify(answer), name).toContain(instance?.id ?? 'no instance');
  }
});
