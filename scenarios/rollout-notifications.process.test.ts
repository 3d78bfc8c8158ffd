import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { manifest } from './support/manifests.ts';
import { startSandbox } from './support/running-sandbox.ts';

const kubectl = kubectls().at(-1) ?? '';

type TakenMessage = { readonly type: string; readonly body: Readonly<Record<string, unknown>> };

/** A receiver that keeps what is posted to it, and says when enough has come. */
async function startReceiver() {
  const taken: TakenMessage[] = [];
  let isEnough: (all: readonly TakenMessage[]) => boolean = () => false;
  let arrived: () => void = () => undefined;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body = JSON.parse(text) as TakenMessage['body'];
      taken.push({ type: request.headers['content-type'] ?? '', body });
      response.writeHead(202).end();
      if (isEnough(taken)) arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    until: async (holds: typeof isEnough): Promise<readonly TakenMessage[]> => {
      isEnough = holds;
      if (!holds(taken)) await new Promise<void>((resolve) => (arrived = resolve));
      return taken;
    },
    stop: () => server.close().closeAllConnections(),
  };
}

const aPolicy = (url: string) => ({
  apiVersion: 'nodewright.dev/v1alpha1',
  kind: 'NodeRolloutPolicy',
  metadata: { name: 'production' },
  spec: {
    preset: 'fast',
    notify: [
      { url, format: 'CloudEvents' },
      { url, format: 'Slack', events: ['Halted'] },
    ],
  },
});

const eventOf = ({ body }: TakenMessage): unknown => (body['data'] as { readonly event?: string } | undefined)?.event;

test.skipIf(kubectl === '')('a receiver hears over HTTP that a release is stopped at its canary', async () => {
  const receiver = await startReceiver();
  const sandbox = await startSandbox('--kubernetes-version', '1.28', '--speed', '300');
  await sandbox.run(kubectl, ['apply', '-f', '-'], { input: JSON.stringify(aPolicy(receiver.url)) });
  await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('basic.yaml') });
  await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml') });
  await sandbox.until(kubectl, ['get', 'noderolloutpolicies', 'production', '-o', 'json'], ({ stdout }) =>
    /"baseline"/.test(stdout),
  );
  await sandbox.until(kubectl, ['get', 'nodes'], ({ stdout }) => / Ready /.test(stdout));
  const published = await sandbox.nodewright(
    'sandbox',
    'release',
    'publish',
    '--family=AL2',
    '--version=v20300101',
    '--behavior=neverJoins',
  );
  expect(published.status).toBe(0);
  const taken = await receiver.until(
    (all) => all.some((each) => eventOf(each) === 'Halted') && all.some(({ body }) => body['text'] !== undefined),
  );
  expect(taken.map(eventOf).filter((event) => event !== undefined)).toEqual(['Started', 'Halted']);
  expect(taken.find((each) => eventOf(each) === 'Halted')).toMatchObject({
    type: 'application/cloudevents+json; charset=utf-8',
    body: { specversion: '1.0', type: 'dev.nodewright.rollout.halted', subject: 'production-1' },
  });
  expect(taken.find(({ body }) => body['text'] !== undefined)?.body['text']).toContain(
    '*Halted* sandbox: production-1',
  );
  const waits = ['wait', '--for=condition=Halted', 'noderollout/production-1', '--timeout=10m'];
  expect(await sandbox.run(kubectl, waits)).toMatchObject({ status: 0 });
  await sandbox.stop();
  receiver.stop();
});
