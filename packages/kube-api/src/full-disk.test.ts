import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aFailingLedger, fullDisk, keptIn } from '@nodewright/testkit';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ metadata: { name } });

function aServer() {
  const { ledger, journal } = aFailingLedger();
  const api = anApiServer({ ledger });
  const names = async (): Promise<readonly string[]> => {
    const { items } = (await api.send('GET', configMaps)).body as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  };
  const kept = () => [...(keptIn(journal.lines).maps.get('kubernetes/configmaps')?.keys() ?? [])];
  return { ...api, journal, names, kept };
}

const refusal = { status: 503, body: { kind: 'Status', reason: 'ServiceUnavailable', message: fullDisk.message } };

test('while the disk is full, writes are refused, and what is there can be read and watched', async () => {
  const { send, watch, journal, names, kept, time } = aServer();
  await send('POST', configMaps, configMap('a'));
  const { lines } = await watch(`${configMaps}?watch=true`);
  journal.trouble = fullDisk;
  expect(await send('POST', configMaps, configMap('b'))).toMatchObject(refusal);
  expect(await send('DELETE', `${configMaps}/a`)).toMatchObject(refusal);
  expect(await names()).toEqual(['a']);
  journal.trouble = undefined;
  expect(await send('POST', configMaps, configMap('c'))).toMatchObject({ status: 201 });
  expect([await names(), kept()]).toEqual([['a', 'c'], ['default/a', 'default/c']]); // prettier-ignore
  await time.run(time.clock.now());
  expect(lines.map((line) => (line['object'] as ReturnType<typeof configMap>).metadata.name)).toEqual(['a', 'c']);
});

test('a write that turns out not to be kept has not happened: no list, no watch, no version', async () => {
  const { send, watch, journal, names, server, time } = aServer();
  await send('POST', configMaps, configMap('b'));
  const { lines } = await watch(`${configMaps}?watch=true`);
  const { revision } = server.snapshot();
  for (const [method, path, body] of [
    ['POST', configMaps, configMap('a')],
    ['DELETE', `${configMaps}/b`, undefined],
    ['DELETE', configMaps, undefined],
  ] as const) {
    journal.failsNext = true;
    expect(await send(method, path, body)).toMatchObject(refusal);
  }
  expect([await names(), server.snapshot().revision]).toEqual([['b'], revision]);
  await time.run(time.clock.now());
  expect(lines).toHaveLength(1);
});

test('a request of several writes is kept as one', async () => {
  const { send, journal } = aServer();
  await send('POST', configMaps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await send('DELETE', `${configMaps}/held`);
  const before = journal.lines.length;
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${configMaps}/held`, { metadata: { finalizers: null } }, merge);
  expect(journal.lines.length - before).toBe(1);
  expect(keptIn(journal.lines).maps.get('kubernetes/configmaps')?.size).toBe(0);
});

test('readyz says it, and livez does not', async () => {
  const { send, journal } = aServer();
  journal.trouble = fullDisk;
  expect(await send('GET', '/readyz')).toMatchObject({
    status: 500,
    body: { text: expect.stringContaining('[-]etcd failed: the disk is full\n') },
  });
  expect(await send('GET', '/readyz/etcd')).toMatchObject({ status: 500 });
  expect(await send('GET', '/livez')).toMatchObject({ status: 200 });
  journal.trouble = undefined;
  expect(await send('GET', '/readyz')).toMatchObject({ status: 200, body: { text: 'ok' } });
});

test('nothing is shown while memory holds changes that are not kept', async () => {
  const { send, journal } = aServer();
  journal.trouble = { ...fullDisk, isReadable: false };
  expect(await send('GET', configMaps)).toMatchObject(refusal);
});

test('events that are due stay until the disk takes changes again', async () => {
  const { send, time, journal } = aServer();
  const events = '/api/v1/namespaces/default/events';
  const involvedObject = { kind: 'Pod', name: 'web', namespace: 'default' };
  await send('POST', events, { metadata: { name: 'e' }, involvedObject, reason: 'Tested', type: 'Normal' });
  journal.trouble = fullDisk;
  const pass = (minutes: number) => time.run(instant(time.clock.now() + minutes * 60_000));
  await pass(62);
  expect(await send('GET', `${events}/e`)).toMatchObject({ status: 200 });
  journal.trouble = undefined;
  await pass(2);
  expect(await send('GET', `${events}/e`)).toMatchObject({ status: 404 });
});
