import { instant } from '@nodewright/apis';
import { type RequestHandler, scaledTime } from '@nodewright/runtime';
import {
  anApiServer,
  aTestAccount,
  controlRequest,
  formRequest,
  type HostileRequest,
  jsonRequest,
  kubernetesRequest,
  restRequest,
} from '@nodewright/testkit/worlds';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlApiHandler } from './control-api.ts';

const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

/** What an answer must never show: a frame of a stack, or a file of the server. */
const leaks = /\n\s+at |\.tsx?[:)]|node_modules|file:\/\/|node:internal/;

async function checkAnswer(handle: RequestHandler, request: HostileRequest): Promise<void> {
  const gone = new AbortController();
  const body = Buffer.from(request.body);
  // A handler rejects with a defect only: every input has an answer of its protocol.
  const answer = await handle({ ...request, body, peer }, gone.signal);
  gone.abort();
  const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '';
  expect(text).not.toMatch(leaks);
  expect(answer.status).toBeGreaterThanOrEqual(200);
  if (answer.status < 400 || text === '') return;
  expect(text.trimStart()).toMatch(/^(?:\{[^]*\}|<\?xml [^]*<\/\w+>|apiVersion: v1\n[^]*|[^<{]*)\s*$/);
  if (text.startsWith('{')) expect(() => JSON.parse(text) as unknown).not.toThrow();
}

const runs = { seed: 14, numRuns: 500 };

describe('every hostile request has a well-formed answer', () => {
  test('of the Kubernetes API', async () => {
    const { server, send } = anApiServer();
    for (const kind of ['configmaps', 'pods']) {
      const spec = kind === 'pods' ? { spec: { containers: [{ name: 'c', image: 'i' }] } } : {};
      await send('POST', `/api/v1/namespaces/default/${kind}`, { metadata: { name: 'm' }, ...spec });
    }
    await fc.assert(
      fc.asyncProperty(kubernetesRequest, (request) => checkAnswer(server.handle, request)),
      { ...runs, numRuns: 2_000 },
    );
  });

  test.each([
    { protocol: 'form', requests: formRequest },
    { protocol: 'JSON', requests: jsonRequest },
    { protocol: 'REST', requests: restRequest },
  ])('of the AWS endpoints: $protocol', async ({ requests }) => {
    const { aws } = aTestAccount();
    await fc.assert(
      fc.asyncProperty(requests, (request) => checkAnswer(aws.handle, request)),
      runs,
    );
  });

  test('of the control API', async () => {
    const { aws } = aTestAccount();
    const time = scaledTime({ start: instant(Date.UTC(2024, 0, 28)), speed: 1 });
    time.pause();
    const handle = controlApiHandler({ time, aws });
    await fc.assert(
      fc.asyncProperty(controlRequest, (request) => checkAnswer(handle, request)),
      runs,
    );
  });
});
