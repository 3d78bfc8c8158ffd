import { DescribeImagesCommand } from '@aws-sdk/client-ec2';
import { fromTimestamp } from '@nodewright/apis';
import { type HttpRequest, type HttpResponse, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createAwsClients } from './clients.ts';
import { inProcessRequestHandler } from './in-process-request-handler.ts';

const nothing: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: Buffer.from('<DescribeImagesResponse><imagesSet/></DescribeImagesResponse>'),
};

function someClients(answer: HttpResponse = nothing, region = 'us-east-1') {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const asked: HttpRequest[] = [];
  const requestHandler = inProcessRequestHandler(time.gate, async (request) => {
    asked.push(request);
    return answer;
  });
  const clients = createAwsClients({ region, requestHandler });
  const describeImages = () =>
    time.finish(time.gate.call((ticket) => clients.ec2.send(new DescribeImagesCommand({}), { ticket } as object)));
  return { time, asked, clients, describeImages };
}

test('a client adds nothing by chance or by the clock: the same call is the same bytes', async () => {
  const { asked, describeImages } = someClients();
  await describeImages();
  await describeImages();
  const [first, second] = asked;
  expect(second).toEqual(first);
  expect(Object.keys(first?.headers ?? {}).filter((name) => /invocation|attempt|date|auth/.test(name))).toEqual([]);
});

test('a client makes a failed call once: attempts are not its own', async () => {
  const body = Buffer.from(
    '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>no</Message></Error></Errors></Response>',
  );
  const { asked, describeImages } = someClients({ ...nothing, status: 503, body });
  await expect(describeImages()).rejects.toMatchObject({ name: 'RequestLimitExceeded' });
  expect(asked).toHaveLength(1);
});

for (const status of [200, 502]) {
  test(`a web page with status ${status} is no answer`, async () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    const body = Buffer.from('<!doctype html><title>Sign   in</title>');
    const { describeImages } = someClients({ status, headers, body });
    await expect(describeImages()).rejects.toMatchObject({
      name: 'UnreadableAnswer',
      message: `the endpoint answered HTTP ${status} with what is no answer of AWS: <!doctype html><title>Sign in</title>`,
    });
  });
}

for (const [region, asked] of [
  ['us-east-1', 'us-east-1'],
  ['us-west-2', 'us-east-1'],
  ['eu-west-1', 'eu-central-1'],
  ['ap-southeast-2', 'ap-south-1'],
  ['cn-north-1', 'cn-northwest-1'],
] as const) {
  test(`the price list of ${region} is asked for in ${asked}`, async () => {
    const { clients } = someClients(nothing, region);
    expect(await clients.pricing.config.region()).toBe(asked);
    expect(await clients.ec2.config.region()).toBe(region);
  });
}
