import { instant, seconds } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { HttpRequest, Transport } from '../http.ts';
import { startController } from '../controllers/controller.ts';
import { type Logger, silentLogger } from '../observability/logger.ts';
import { seededRandom } from '../seeded-random.ts';
import { virtualTime } from '../time/virtual-time.ts';
import type { WebAnswer, WebRequest } from '../transport/web-client.ts';
import { printOtlpDocument } from './otlp-document.ts';
import { startSpanExporter } from './span-exporter.ts';
import { tracedTransport } from './traced-transport.ts';
import { createTracer, type Span } from './tracer.ts';

const id = '0a1b2c3d-0000-4000-8000-00000000000f';
const turn = { name: 'provisioner', fields: { controller: 'provisioner' } };

function aTracer() {
  const time = virtualTime(instant(0));
  const exported: (readonly Span[])[] = [];
  const tracer = createTracer({ ...time, random: seededRandom(1), export: (spans) => void exported.push(spans) });
  return { time, tracer, exported };
}

test('requests belong to the turn that makes them, also after a pause', async () => {
  const { time, tracer, exported } = aTracer();
  const work = tracer.runTurn(id, turn, async () => {
    await time.clock.sleep(seconds(1));
    return tracer.runRequest({ name: 'ec2 CreateFleet', fields: {} }, async (note) => {
      note({ 'aws.request_id': 'r' });
      await time.clock.sleep(seconds(2));
      return tracer.currentTurn();
    });
  });
  expect(await time.finish(work)).toBe(id);
  expect(tracer.currentTurn()).toBeUndefined();
  const [whole, request] = exported[0] ?? [];
  expect(whole).toMatchObject({ traceId: id.replaceAll('-', ''), startMs: 0, endMs: 3000 });
  expect(request).toMatchObject({
    traceId: whole?.traceId,
    parentSpanId: whole?.spanId,
    startMs: 1000,
    fields: { 'aws.request_id': 'r' },
  });
});

test('a turn without requests is not exported, one that failed is, and errors pass', async () => {
  const { tracer, exported } = aTracer();
  await tracer.runTurn(id, turn, () => Promise.resolve());
  expect(exported).toEqual([]);
  await expect(tracer.runTurn(id, turn, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(exported).toMatchObject([[{ error: 'no' }]]);
});

test('a turn of a controller is traced under the id that its log has', async () => {
  const { time, tracer, exported } = aTracer();
  const lines: unknown[] = [];
  const log: Logger = { ...silentLogger, with: (fields) => ({ ...log, error: () => void lines.push(fields()) }) };
  const controller = startController({
    name: 'nodeclaim.lifecycle',
    clock: time.clock,
    log,
    tracer,
    aboutTurn: () => ({ reconcileID: id }),
    reconcile: () => Promise.reject(new Error('no')),
  });
  controller.enqueue('default/a');
  await time.settle();
  await time.finish(controller.stop());
  expect(lines[0]).toEqual({ controller: 'nodeclaim.lifecycle', namespace: 'default', name: 'a', reconcileID: id });
  expect(exported[0]).toMatchObject([
    { name: 'nodeclaim.lifecycle', traceId: id.replaceAll('-', ''), fields: { name: 'a' }, error: 'no' },
  ]);
});

test('a request to Kubernetes carries the id of its turn, and none outside of turns', async () => {
  const { tracer, exported } = aTracer();
  const sent: HttpRequest[] = [];
  const plain: Transport = {
    send: (request) => {
      sent.push(request);
      return Promise.resolve({ status: 409, headers: {}, body: new Uint8Array() });
    },
  };
  const transport = tracedTransport(plain, tracer);
  const request = { method: 'PATCH', path: '/api/v1/nodes/a?x=1', headers: { a: 'b' }, body: new Uint8Array() };
  const send = () => transport.send(request, { ticket: 0 });
  await send();
  await tracer.runTurn(id, turn, send);
  expect(sent.map(({ headers }) => headers)).toEqual([{ a: 'b' }, { a: 'b', 'audit-id': id }]);
  expect(exported[0]?.[1]).toMatchObject({
    name: 'kubernetes PATCH',
    fields: { 'url.path': '/api/v1/nodes/a', 'http.response.status_code': 409 },
  });
});

const aSpan = (name: string, more: Partial<Span> = {}): Span => ({
  traceId: 'a',
  spanId: 'b',
  name,
  kind: 'turn',
  startMs: 1_700_000_000_000,
  endMs: 1_700_000_000_001,
  fields: {},
  ...more,
});
const source = { service: 'nodewright', version: '1', attributes: { 'k8s.cluster.name': 'prod' } };

test('spans are printed as OTLP has them', () => {
  const span = aSpan('t', { fields: { a: 1, b: 0.5, c: true, d: undefined }, error: 'no' });
  expect(JSON.parse(printOtlpDocument([span], source))).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'nodewright' } },
            { key: 'service.version', value: { stringValue: '1' } },
            { key: 'k8s.cluster.name', value: { stringValue: 'prod' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'nodewright', version: '1' },
            spans: [
              {
                traceId: 'a',
                spanId: 'b',
                name: 't',
                kind: 1,
                startTimeUnixNano: '1700000000000000000',
                endTimeUnixNano: '1700000000001000000',
                attributes: [
                  { key: 'a', value: { intValue: '1' } },
                  { key: 'b', value: { doubleValue: 0.5 } },
                  { key: 'c', value: { boolValue: true } },
                ],
                status: { code: 2, message: 'no' },
              },
            ],
          },
        ],
      },
    ],
  });
});

function anExporter(answer: (request: WebRequest) => WebAnswer) {
  const time = virtualTime(instant(0));
  const sent: WebRequest[] = [];
  const warnings: unknown[] = [];
  const exporter = startSpanExporter({
    clock: time.clock,
    log: { ...silentLogger, warn: (message, fields) => void warnings.push([message, fields]) },
    web: {
      send: (request) => {
        sent.push(request);
        return Promise.resolve(answer(request));
      },
    },
    url: 'http://collector:4318/v1/traces',
    headers: { authorization: 'secret' },
    source,
  });
  const pass = (span: number) => time.run(instant(time.clock.now() + span));
  const names = () => sent.map(({ body = '' }) => [...body.matchAll(/"name":"(span \d+)"/g)].length);
  return { time, exporter, sent, warnings, pass, names };
}

const taken: WebAnswer = { kind: 'answered', status: 200, text: '' };

test('spans are sent some seconds later, in portions, and what is left at the end', async () => {
  const { time, exporter, sent, pass, names } = anExporter(() => taken);
  exporter.add(Array.from({ length: 1_500 }, (_, index) => aSpan(`span ${index}`)));
  expect(sent).toEqual([]);
  await pass(seconds(5));
  expect(names()).toEqual([1_024, 476]);
  expect(sent[0]).toMatchObject({ method: 'POST', headers: { authorization: 'secret' } });
  exporter.add([aSpan('span 1')]);
  await time.finish(exporter.stop());
  expect(names()).toEqual([1_024, 476, 1]);
});

test('while the collector is away spans wait, and what does not fit is dropped and told', async () => {
  let isThere = false;
  const { time, exporter, pass, names, warnings } = anExporter(() =>
    isThere ? taken : { kind: 'unreachable', because: 'connection refused' },
  );
  exporter.add(Array.from({ length: 9_000 }, (_, index) => aSpan(`span ${index}`)));
  await pass(seconds(5));
  isThere = true;
  await pass(seconds(5));
  expect(names().reduce((sum, count) => sum + count) - 1_024).toBe(8_192);
  expect(warnings).toEqual([
    ['dropped spans, because the collector of traces did not take others', { dropped: 808 }],
    ['could not send traces', { problem: 'connection refused' }],
  ]);
  await time.finish(exporter.stop());
});

test('spans that a collector refuses are given up', async () => {
  const { time, exporter, sent, pass } = anExporter(() => ({ kind: 'answered', status: 400, text: 'bad' }));
  exporter.add([aSpan('span 1')]);
  await pass(seconds(20));
  expect(sent).toHaveLength(1);
  await time.finish(exporter.stop());
});
