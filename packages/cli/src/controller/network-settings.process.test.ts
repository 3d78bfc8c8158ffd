import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { certificateAuthority } from '@nodewright/kube-api';
import { createAwsClients } from '@nodewright/provider-aws';
import { kubeConfigCluster, realTime, type RequestHandler } from '@nodewright/runtime';
import { listenOn, type Listening } from '@nodewright/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { awsAgents } from './network-settings.ts';

const emptyAnswer = '<DescribeInstancesResponse><requestId>1</requestId><reservationSet/></DescribeInstancesResponse>';

/** Answers every request, as EC2 or as an API server would. */
const answering: RequestHandler = async () => ({
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: Buffer.from(emptyAnswer),
});

let folder: string;
let target: Listening;
let plainTarget: Listening;
let proxy: Server;
let asked: { readonly target: string; readonly authorization: string | undefined }[];
let ca: string;

/** A proxy that knows every name: whatever is asked for, it leads to the target. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const now = realTime().clock.now();
  const authority = await certificateAuthority({
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + 600_000),
  });
  ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.cert);
  target = await listenOn(answering, { port: 0, tls: await authority.server(['ec2.aws.test', 'cluster.test']) });
  plainTarget = await listenOn(answering, { port: 0 });
  asked = [];
  proxy = createServer();
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, client) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    const upstream = connect(url.endsWith(':80') ? plainTarget.port : target.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await Promise.all([target.close(), plainTarget.close()]);
  rmSync(folder, { recursive: true });
});

const proxyUrl = (user = '') => `http://${user}127.0.0.1:${(proxy.address() as AddressInfo).port}`;

async function describeInstances(environment: Readonly<Record<string, string>>, endpoint = 'https://ec2.aws.test') {
  const agents = awsAgents(environment);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const { ec2 } = createAwsClients({
    region: 'us-east-1',
    endpoint,
    credentials,
    ...(agents === undefined ? {} : { agents }),
  });
  try {
    return (await ec2.send(new DescribeInstancesCommand({}))).Reservations;
  } finally {
    ec2.destroy();
    agents?.httpAgent.destroy();
    agents?.httpsAgent.destroy();
  }
}

describe('AWS', () => {
  test('is reached through HTTPS_PROXY, trusting AWS_CA_BUNDLE', async () => {
    expect(await describeInstances({ HTTPS_PROXY: proxyUrl('me:secret@'), AWS_CA_BUNDLE: ca })).toEqual([]);
    const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(asked).toEqual([{ target: 'ec2.aws.test:443', authorization }]);
  });

  test('is reached through HTTP_PROXY where its endpoint is plain', async () => {
    expect(await describeInstances({ HTTP_PROXY: proxyUrl() }, 'http://ec2.aws.test')).toEqual([]);
    expect(asked.map((each) => each.target)).toEqual(['ec2.aws.test:80']);
  });

  test('is not trusted without the authority that signed for it', async () => {
    await expect(describeInstances({ HTTPS_PROXY: proxyUrl() })).rejects.toThrow(/certificate/);
  });

  test('is reached directly where NO_PROXY says so', async () => {
    const environment = { HTTPS_PROXY: proxyUrl(), AWS_CA_BUNDLE: ca, NO_PROXY: '.aws.test' };
    await expect(describeInstances(environment)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    expect(asked).toEqual([]);
  });

  test('on this machine is reached directly', async () => {
    expect(await describeInstances({ HTTP_PROXY: proxyUrl() }, plainTarget.url)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('the API server', () => {
  const reach = async (environment: Readonly<Record<string, string>>, proxyLine = '') => {
    const file = join(folder, 'kubeconfig');
    writeFileSync(
      file,
      `apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
users: [{ name: u, user: { token: t } }]
clusters:
- name: c
  cluster:
    server: https://cluster.test
    certificate-authority: ${ca}
${proxyLine}`,
    );
    const { transport } = await kubeConfigCluster({ file, environment });
    const request = { method: 'GET', path: '/version', headers: {}, body: Buffer.alloc(0) };
    return realTime().gate.call(async (ticket) => (await transport.send(request, { ticket })).status);
  };

  test('is reached through HTTPS_PROXY, as by kubectl', async () => {
    expect(await reach({ HTTPS_PROXY: proxyUrl() })).toBe(200);
    expect(asked.map((each) => each.target)).toEqual(['cluster.test:443']);
  });

  test('is reached directly where NO_PROXY says so', async () => {
    await expect(reach({ HTTPS_PROXY: proxyUrl(), NO_PROXY: 'cluster.test' })).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  test('is reached through the proxy-url of the kubeconfig first', async () => {
    expect(await reach({ HTTPS_PROXY: 'http://127.0.0.1:1' }, `    proxy-url: ${proxyUrl()}\n`)).toBe(200);
    expect(asked).toHaveLength(1);
  });
});

test.each([
  [{ HTTPS_PROXY: 'socks5://proxy:1080' }, /HTTPS_PROXY.*no http or https URL/],
  [{ AWS_CA_BUNDLE: '/nowhere/ca.pem' }, /AWS_CA_BUNDLE: ENOENT/],
])('%j is refused at the start', (environment, message) => {
  expect(() => awsAgents(environment)).toThrow(message);
});

test('without settings the SDK has its own agents', () => expect(awsAgents({ NO_PROXY: '*' })).toBeUndefined());
