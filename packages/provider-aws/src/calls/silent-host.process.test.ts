import { createServer, type Server, type Socket } from 'node:net';
import { DescribeImagesCommand } from '@aws-sdk/client-ec2';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { afterEach, expect, test } from 'vitest';
import { createAwsClients } from './clients.ts';
import { classifyError } from './error-codes.ts';

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** Clients of a host that accepts connections and never answers. */
async function clientsOfSilence(patience: { answerMs: number; isForOnce?: boolean }) {
  const silent = createServer((socket) => void sockets.push(socket));
  server = silent;
  const port = await new Promise<number>((resolve) => {
    silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port));
  });
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  return createAwsClients({ region: 'eu-west-1', endpoint: `http://127.0.0.1:${port}`, credentials, patience });
}

test('a host that accepts a connection and never answers is a call that timed out', async () => {
  const { ec2 } = await clientsOfSilence({ answerMs: 50 });
  const failure = await ec2.send(new DescribeImagesCommand({})).catch((error: unknown) => error as Error);
  expect(classifyError(failure)).toBe('timeout');
});

test('a command does not ask a silent host again, whatever the service', async () => {
  const { ec2, ssm } = await clientsOfSilence({ answerMs: 50, isForOnce: true });
  const first = await ec2.send(new DescribeImagesCommand({})).catch((error: unknown) => error);
  const connections = sockets.length;
  expect(await ssm.send(new GetParameterCommand({ Name: '/a' })).catch((error: unknown) => error)).toBe(first);
  expect(sockets.length).toBe(connections);
});
