import { instant } from '@nodewright/apis';
import { seededRandom, silentLogger, silentMetrics, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { Freshness } from '../../caching/freshness.ts';
import { createProviderCounters } from '../../calls/provider-counters.ts';
import { callAws } from '../../calls/call-aws.ts';
import { createAwsClients } from '../../calls/clients.ts';
import type { SdkRequestHandler } from '../../calls/in-process-request-handler.ts';
import { Pricing } from './pricing.ts';

/** An account whose price lists nobody may read. */
function aWorld(region = 'us-east-1') {
  const time = virtualTime(instant(0));
  const complaints: unknown[] = [];
  const asked: string[] = [];
  const log = {
    ...silentLogger,
    named: () => log,
    warn: (_: string, fields?: Readonly<Record<string, unknown>>) => void complaints.push(fields?.['which']),
  };
  const requestHandler = {
    handle: ({ hostname }: { hostname: string }) => {
      asked.push(hostname);
      throw Object.assign(new Error('not allowed'), { name: 'AccessDeniedException', $metadata: {} });
    },
  } as unknown as SdkRequestHandler;
  const pricing = new Pricing(
    {
      ...time,
      random: seededRandom(1),
      clients: createAwsClients({ region, requestHandler }),
      call: callAws({ ...time, random: seededRandom(2) }),
      clusterName: 'demo',
      region,
      log,
      counters: createProviderCounters(silentMetrics),
      freshness: new Freshness(time.clock),
    },
    { isolatedVpc: false },
  );
  const current = () => time.finish(pricing.current(new AbortController().signal));
  return { time, complaints, asked, current };
}

test('prices that cannot be read are told, and asked for again after ten minutes', async () => {
  const { time, complaints, asked, current } = aWorld();
  expect((await current()).onDemand('m5.large')).toBe(96_000);
  expect(complaints).toEqual(['on-demand', 'spot']);
  const before = asked.length;
  await time.run(instant(599_000));
  await current();
  expect(asked).toHaveLength(before);
  await time.run(instant(601_000));
  await current();
  expect(asked.length).toBeGreaterThan(before);
});

test('the price list of a partition that has none is not asked for', async () => {
  const { complaints, current } = aWorld('us-gov-west-1');
  expect((await current()).onDemand('m5.large')).toBe(96_000);
  expect(complaints).toEqual(['spot']);
});
