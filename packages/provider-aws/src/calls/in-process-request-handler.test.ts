import { fromTimestamp } from '@nodewright/apis';
import { type HttpRequest, type HttpResponse, virtualTime } from '@nodewright/runtime';
import { HttpRequest as SdkRequest } from '@smithy/core/transport';
import { expect, test } from 'vitest';
import { inProcessRequestHandler } from './in-process-request-handler.ts';

const ok: HttpResponse = { status: 200, headers: { 'x-amzn-requestid': 'r-1' }, body: Buffer.from('<ok/>') };

/** A server that answers all alike, and what it was asked. */
function aServer(answer: HttpResponse = ok) {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const asked: HttpRequest[] = [];
  const handler = inProcessRequestHandler(time.gate, async (request) => {
    asked.push(request);
    return answer;
  });
  const send = (request: Partial<SdkRequest> = {}, options: object = {}) =>
    time.finish(
      time.gate.call((ticket) =>
        handler.handle(new SdkRequest({ method: 'POST', path: '/', ...request }), { ticket, ...options }),
      ),
    );
  return { time, handler, asked, send };
}

test('a request comes as it would over the wire', async () => {
  const { asked, send } = aServer();
  await send({
    path: '/clusters/demo',
    query: { a: '1', list: ['x', 'ü'], none: null },
    headers: { 'X-Amz-Target': 'T', 'content-type': 'x' },
    body: 'Action=DescribeImages',
  });
  expect(asked).toMatchObject([
    {
      method: 'POST',
      path: '/clusters/demo?a=1&list=x&list=%C3%BC&none=',
      headers: { 'x-amz-target': 'T', 'content-type': 'x' },
    },
  ]);
  expect(Buffer.from(asked[0]?.body ?? []).toString()).toBe('Action=DescribeImages');
});

test('bytes are sent as they are, and a missing body is empty', async () => {
  const { asked, send } = aServer();
  await send({ body: new Uint8Array([1, 2, 255]) });
  await send({});
  expect(asked.map(({ body }) => [...body])).toEqual([[1, 2, 255], []]);
});

test('an answer in bytes keeps its status, headers and bytes', async () => {
  const { response } = await aServer({ ...ok, status: 400 }).send();
  expect(response).toMatchObject({ statusCode: 400, headers: { 'x-amzn-requestid': 'r-1' } });
  expect(Buffer.from(response.body as Uint8Array).toString()).toBe('<ok/>');
});

test('an answer that comes in parts is whole', async () => {
  async function* parts() {
    yield Buffer.from('<o');
    yield Buffer.from('k/>');
  }
  const { response } = await aServer({ ...ok, body: parts() }).send();
  expect(Buffer.from(response.body as Uint8Array).toString()).toBe('<ok/>');
});

test('a request that is given up does not reach the server', async () => {
  const { asked, send } = aServer();
  const abortSignal = AbortSignal.abort(new Error('no need'));
  await expect(send({}, { abortSignal })).rejects.toThrow('no need');
  expect(asked).toEqual([]);
});

test('a request without a ticket is a mistake', async () => {
  const { handler, asked } = aServer();
  const request = new SdkRequest({ method: 'POST', path: '/' });
  await expect(handler.handle(request)).rejects.toThrow('without a ticket');
  expect(asked).toEqual([]);
});
