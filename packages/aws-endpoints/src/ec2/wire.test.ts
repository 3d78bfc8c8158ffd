import { aTestAccount, aRelease } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const x86 = aRelease();

/** Sends calls as bytes of the query protocol, and reads the XML of the answers. */
function world() {
  const account = aTestAccount({ releases: [x86] });
  const call = async (action: string, parameters: Readonly<Record<string, string>> = {}) => {
    const body = new URLSearchParams({ Action: action, Version: '2016-11-15', ...parameters }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', path: '/', headers, body: Buffer.from(body) };
    const answer = await account.aws.handle(request, new AbortController().signal);
    return { status: answer.status, xml: Buffer.from(answer.body as Uint8Array).toString('utf8') };
  };
  return { ...account, call };
}

const textsOf = (xml: string, element: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => text);

const run = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: '1', MaxCount: '2' };

describe('an error of EC2 on the wire', () => {
  test.each<[action: string, parameters: Readonly<Record<string, string>>, status: number, code: string]>([
    ['DescribeInstances', { MaxResults: '4' }, 400, 'InvalidParameterValue'],
    ['DescribeInstances', { 'InstanceId.1': 'i-0123456789abcdef0' }, 400, 'InvalidInstanceID.NotFound'],
    ['DescribeInstances', { 'InstanceId.1': 'i-1' }, 400, 'InvalidInstanceID.Malformed'],
    ['DescribeInstances', { 'Filter.1.Name': 'colour', 'Filter.1.Value.1': 'red' }, 400, 'InvalidParameterValue'],
    ['DescribeInstances', { NextToken: 'x' }, 400, 'InvalidNextToken'],
    ['DescribeInstances', { DryRun: 'true' }, 412, 'DryRunOperation'],
    ['DescribeInstanceTypes', { 'InstanceType.1': 'm5.huge' }, 400, 'InvalidInstanceType'],
    ['DescribeImages', { 'ImageId.1': 'ami-0123456789abcdef0' }, 400, 'InvalidAMIID.NotFound'],
    ['DescribeSubnets', { 'SubnetId.1': 'subnet-0' }, 400, 'InvalidSubnetID.NotFound'],
    ['RunInstances', { ...run, MinCount: '0' }, 400, 'InvalidParameterValue'],
    ['RunInstances', { ...run, DryRun: 'true' }, 412, 'DryRunOperation'],
    ['TerminateInstances', {}, 400, 'InvalidParameterCombination'],
    ['CreateTags', { 'ResourceId.1': 'x', 'Tag.1.Key': 'a' }, 400, 'InvalidID'],
    [
      'CreateLaunchTemplate',
      { LaunchTemplateName: 'a b', 'LaunchTemplateData.ImageId': 'ami-1' },
      400,
      'InvalidLaunchTemplateName.MalformedException',
    ],
    ['CreateFleet', { Type: 'instant' }, 400, 'MissingParameter'],
    ['NoSuchAction', {}, 400, 'InvalidAction'],
  ])('%s %j is %i %s', async (action, parameters, status, code) => {
    const answer = await world().call(action, parameters);
    expect([answer.status, textsOf(answer.xml, 'Code')]).toEqual([status, [code]]);
    expect(textsOf(answer.xml, 'Message')[0]).not.toBe('');
    expect(textsOf(answer.xml, 'RequestI[dD]').concat(textsOf(answer.xml, 'RequestID'))).not.toEqual([]);
  });

  test('has the marks of XML in its message escaped', async () => {
    const { xml } = await world().call('DescribeInstances', { 'InstanceId.1': 'i-<&>' });
    expect(xml).toContain('Invalid id: &quot;i-&lt;&amp;&gt;&quot;');
  });
});

describe('a call of EC2 on the wire', () => {
  test('has lists as numbered parameters, and its answer as items', async () => {
    const { call } = world();
    const launched = await call('RunInstances', run);
    const ids = textsOf(launched.xml, 'instanceId');
    expect([launched.status, ids.length]).toEqual([200, 2]);
    const parameters = Object.fromEntries(ids.map((id, at) => [`InstanceId.${at + 1}`, id]));
    const ended = await call('TerminateInstances', parameters);
    expect(textsOf(ended.xml, 'instanceId')).toEqual(ids);
    expect(textsOf(ended.xml, 'name')).toEqual(['shutting-down', 'pending', 'shutting-down', 'pending']);
    expect(textsOf(ended.xml, 'code').toSorted()).toEqual(['0', '0', '32', '32']);
  });

  test('has nested lists in tag specifications and filters', async () => {
    const { call } = world();
    const tags = {
      'TagSpecification.1.ResourceType': 'instance',
      'TagSpecification.1.Tag.1.Key': 'team',
      'TagSpecification.1.Tag.1.Value': 'a & b',
    };
    await call('RunInstances', { ...run, ...tags });
    const filter = { 'Filter.1.Name': 'tag:team', 'Filter.1.Value.1': 'none', 'Filter.1.Value.2': 'a*' };
    const { xml } = await call('DescribeInstances', filter);
    expect(textsOf(xml, 'instanceId')).toHaveLength(2);
    expect(xml).toContain('<value>a &amp; b</value>');
  });

  test('names its answer after itself, in the namespace of EC2, with the id of the request', async () => {
    const { xml } = await world().call('DescribeVpcs');
    expect(xml).toMatch(/<DescribeVpcsResponse xmlns="http:\/\/ec2\.amazonaws\.com\/doc\/2016-11-15\/">/);
    expect(textsOf(xml, 'requestId')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(textsOf(xml, 'cidrBlock')).toEqual(['192.168.0.0/16', '192.168.0.0/16']);
  });

  test('has times and booleans in the notation of EC2', async () => {
    const { call } = world();
    await call('RunInstances', run);
    const { xml } = await call('DescribeInstances');
    expect(textsOf(xml, 'launchTime')[0]).toMatch(/^2024-01-28T16:00:00(\.000)?Z$/);
    expect(textsOf(xml, 'ebsOptimized')[0]).toBe('false');
  });

  test('goes on with the token of the page before', async () => {
    const { call } = world();
    await call('RunInstances', { ...run, MinCount: '7', MaxCount: '7' });
    const first = await call('DescribeInstances', { MaxResults: '5' });
    const [token = ''] = textsOf(first.xml, 'nextToken');
    const rest = await call('DescribeInstances', { MaxResults: '5', NextToken: token });
    expect([textsOf(first.xml, 'instanceId').length, textsOf(rest.xml, 'instanceId').length]).toEqual([5, 2]);
    expect(textsOf(rest.xml, 'nextToken')).toEqual([]);
  });
});
