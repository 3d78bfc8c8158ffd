import type { RequestHandler } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { requireToken } from './require-token.ts';

const served: RequestHandler = async () => ({ status: 200, headers: {}, body: new Uint8Array() });

function answerTo(authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  const request = { method: 'GET', path: '/clock', headers, body: new Uint8Array() };
  const handle = requireToken(served, { token: 'right', file: '/tmp/sandbox/control-token' });
  return handle(request, new AbortController().signal);
}

test('a request with the token is served', async () => {
  expect((await answerTo('Bearer right')).status).toBe(200);
  expect((await answerTo('bearer  right')).status).toBe(200);
});

for (const authorization of [undefined, '', 'Bearer wrong', 'Bearer right-and-more', 'Bearer righ', 'Basic right']) {
  test(`a request with ${authorization ?? 'no header'} is told where the token is`, async () => {
    const { status, headers, body } = await answerTo(authorization);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('Bearer');
    const { error } = JSON.parse(Buffer.from(body as Uint8Array).toString()) as { error: string };
    expect(error).toContain('needs the token in /tmp/sandbox/control-token');
  });
}
