import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { createTracer, realTime, seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createAwsClients } from './clients.ts';

const turn = '0a1b2c3d-0000-4000-8000-00000000000f';

test('a call names its turn in the user agent, and is a request of its trace', async () => {
  const agents: string[] = [];
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent'] ?? '');
    response.setHeader('content-type', 'text/xml');
    response.setHeader('x-amzn-requestid', 'asked-1');
    response.end('<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const exported: unknown[] = [];
  const tracer = createTracer({
    clock: realTime().clock,
    random: seededRandom(1),
    export: (spans) => void exported.push(...spans),
  });
  const { ec2 } = createAwsClients({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    tracer,
  });
  const describe = () => ec2.send(new DescribeInstancesCommand({}));
  await tracer.runTurn(turn, { name: 'nodeclaim.lifecycle', fields: {} }, describe);
  await describe();
  expect(agents[0]).toMatch(new RegExp(` md/reconcile#${turn}$`));
  expect(agents[1]).not.toContain('reconcile');
  expect(exported).toMatchObject([
    { name: 'nodeclaim.lifecycle', kind: 'turn' },
    {
      name: 'EC2 DescribeInstances',
      fields: { 'rpc.method': 'DescribeInstances', 'http.response.status_code': 200, 'aws.request_id': 'asked-1' },
    },
  ]);
  await new Promise((resolve) => server.close(resolve));
});
