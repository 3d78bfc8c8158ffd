import { instant } from '@nodewright/apis';
import { type Ledger, scaledTime, seededRandom } from '@nodewright/runtime';
import { aFailingLedger, fullDisk } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { createAws, historyOf } from '@nodewright/aws-endpoints';
import { controlApiHandler } from './control-api.ts';

const aTime = () => scaledTime({ start: instant(Date.UTC(2024, 0, 28, 16)), speed: 1 });

function aControlApi(time = aTime(), { ledger }: { readonly ledger?: Ledger } = {}) {
  time.pause();
  const aws = createAws({
    clock: time.clock,
    random: seededRandom(1),
    region: 'us-east-1',
    zones: ['us-east-1a'],
    clusterName: 'sandbox',
    kubernetesVersion: '1.28',
    releases: historyOf([]),
    machines: { launched: () => undefined, stopping: () => undefined, behaves: () => undefined },
    onControlPlaneVersion: () => undefined,
    clusterEndpoint: () => '',
    clusterCertificateAuthority: () => '',
    ...(ledger && { ledger }),
  });
  const handle = controlApiHandler({ time, aws });
  return async (method: string, path: string, body?: unknown) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const request = { method, path, headers: {}, body: Buffer.from(text) };
    const { status, body: answer } = await handle(request, new AbortController().signal);
    return { status, body: JSON.parse(Buffer.from(answer as Uint8Array).toString('utf8')) as Record<string, unknown> };
  };
}

test('a fault is in force from when it is added until it is cleared', async () => {
  const pull = aControlApi();
  const fault = { kind: 'throttle', service: 'ec2', times: 2 };
  const items = [{ id: 'fault-1', fault }];
  expect(await pull('POST', '/faults', fault)).toMatchObject({ status: 200, body: { kind: 'FaultList', items } });
  expect((await pull('GET', '/faults')).body).toMatchObject({ items });
  expect((await pull('DELETE', '/faults?id=fault-1')).body).toMatchObject({ items: [] });
});

test('while nothing can be kept, faults and releases stay as they are, and time stands still', async () => {
  const { ledger, journal } = aFailingLedger();
  const pull = aControlApi(aTime(), { ledger });
  const fault = { kind: 'throttle', service: 'ec2', times: 2 };
  await pull('POST', '/faults', fault);
  journal.trouble = fullDisk;
  const refusal = { status: 503, body: { error: fullDisk.message } };
  expect(await pull('POST', '/faults', fault)).toEqual(refusal);
  expect(await pull('DELETE', '/faults')).toEqual(refusal);
  expect(await pull('POST', '/clock', { advance: '1d' })).toEqual(refusal);
  expect((await pull('GET', '/faults')).body).toMatchObject({ items: [{ id: 'fault-1' }] });
  expect((await pull('GET', '/clock')).body).toMatchObject({ now: '2024-01-28T16:00:00Z' });
});

test('the clock moves by what is asked', async () => {
  const pull = aControlApi();
  expect(await pull('POST', '/clock', { advance: '1d' })).toEqual({
    status: 200,
    body: { kind: 'Clock', now: '2024-01-29T16:00:00Z', speed: 1, paused: true },
  });
});

test('an advance that a timer keeps from ending is refused with the name of the timer', async () => {
  const time = aTime();
  const again = (): void => void time.clock.at(time.clock.now(), again, 'the impatient one');
  again();
  const answer = await aControlApi(time)('POST', '/clock', { advance: '10d' });
  expect(answer).toEqual({
    status: 500,
    body: { error: expect.stringContaining('time does not pass: the impatient one sets timers') },
  });
  time.stop();
});

for (const { fact, request, because } of [
  {
    fact: 'a fault of no kind',
    request: ['POST', '/faults', { kind: 'flood' }],
    because: expect.stringContaining('kind is "flood", wanted one of throttle, refusal, latency, '),
  },
  {
    fact: 'to clear a fault that is not there',
    request: ['DELETE', '/faults?id=fault-9'],
    because: 'there is no fault "fault-9"; in force: none',
  },
  {
    fact: 'a speed of nothing',
    request: ['POST', '/clock', { speed: 0 }],
    because: 'speed must be a number above 0, not 0',
  },
  {
    fact: 'calls since no number',
    request: ['GET', '/calls?since=yesterday'],
    because: 'since must be the number of a call, not "yesterday"',
  },
] as const) {
  test(`the control API refuses ${fact}, with the reason`, async () => {
    const [method, path, body] = request;
    expect(await aControlApi()(method, path, body)).toMatchObject({ status: 400, body: { error: because } });
  });
}
