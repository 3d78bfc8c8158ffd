import { CreateTags$, DescribeInstances$, DescribeSubnets$ } from '@aws-sdk/client-ec2';
import { CreateInstanceProfile$, DeleteInstanceProfile$ } from '@aws-sdk/client-iam';
import { expect, test } from 'vitest';
import { AwsError } from './aws-error.ts';
import { queryProtocol } from './query-protocol.ts';

const ec2 = queryProtocol({ dialect: 'ec2Query', namespace: 'http://ec2.amazonaws.com/doc/2016-11-15/' });
const iam = queryProtocol({ dialect: 'awsQuery', namespace: 'https://iam.amazonaws.com/doc/2010-05-08/' });

const form = (body: string) => ({ method: 'POST', path: '/', headers: {}, body: Buffer.from(body) });
const text = ({ body }: { body: unknown }): string => Buffer.from(body as Uint8Array).toString();

test('WIRE-5: a form of EC2 numbers its lists directly', () => {
  const body =
    'Action=DescribeInstances&Filter.1.Name=tag-key&Filter.1.Value.1=a&Filter.1.Value.2=b&InstanceId.1=i-1&MaxResults=5';
  expect(ec2.decode(form(body), [DescribeInstances$]).input).toEqual({
    Filters: [{ Name: 'tag-key', Values: ['a', 'b'] }],
    InstanceIds: ['i-1'],
    MaxResults: 5,
  });
});

test('lists keep the order of their numbers, however many there are', () => {
  const body = Array.from({ length: 12 }, (_, at) => `ResourceId.${12 - at}=i-${12 - at}`).join('&');
  const { input } = ec2.decode(form(`Action=CreateTags&${body}`), [CreateTags$]);
  expect(input).toEqual({ Resources: Array.from({ length: 12 }, (_, at) => `i-${at + 1}`) });
});

test('WIRE-2: a form of IAM wraps its lists in members', () => {
  const body = 'Action=CreateInstanceProfile&InstanceProfileName=p&Tags.member.1.Key=k&Tags.member.1.Value=v%26w';
  expect(iam.decode(form(body), [CreateInstanceProfile$]).input).toEqual({
    InstanceProfileName: 'p',
    Tags: [{ Key: 'k', Value: 'v&w' }],
  });
});

test('WIRE-5: EC2 answers in lower camel case with items, and escapes what is text', () => {
  const output = { Subnets: [{ SubnetId: 'subnet-1', MapPublicIpOnLaunch: true, Tags: [{ Key: 'a<b', Value: '&' }] }] };
  expect(text(ec2.encode(DescribeSubnets$, output, 'id-1'))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>id-1</requestId>' +
      '<subnetSet><item><tagSet><item><key>a&lt;b</key><value>&amp;</value></item></tagSet>' +
      '<subnetId>subnet-1</subnetId><mapPublicIpOnLaunch>true</mapPublicIpOnLaunch></item></subnetSet>' +
      '</DescribeSubnetsResponse>',
  );
});

test('WIRE-3: an operation of IAM without output answers with its metadata alone', () => {
  expect(text(iam.encode(DeleteInstanceProfile$, {}, 'id-1'))).toContain(
    '<DeleteInstanceProfileResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/">' +
      '<ResponseMetadata><RequestId>id-1</RequestId></ResponseMetadata></DeleteInstanceProfileResponse>',
  );
});

for (const { protocol, name, body } of [
  {
    protocol: ec2,
    name: 'EC2',
    body: '<Response><Errors><Error><Code>NoSuchEntity</Code><Message>gone</Message></Error></Errors><RequestID>id-1</RequestID></Response>',
  },
  {
    protocol: iam,
    name: 'IAM',
    body: '<ErrorResponse><Error><Type>Sender</Type><Code>NoSuchEntity</Code><Message>gone</Message></Error><RequestId>id-1</RequestId></ErrorResponse>',
  },
]) {
  test(`WIRE-4, WIRE-5: ${name} has its own envelope for refusals`, () => {
    const refusal = protocol.refuse(new AwsError('NoSuchEntity', 'gone', { status: 404 }), 'id-1');
    expect(refusal.status).toBe(404);
    expect(text(refusal)).toContain(body);
  });
}

test('an action that is not served is refused', () => {
  expect(() => ec2.decode(form('Action=DescribeVolumes'), [DescribeSubnets$])).toThrow(
    expect.objectContaining({ code: 'InvalidAction' }),
  );
});
