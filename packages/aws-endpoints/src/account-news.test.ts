import { instant } from '@nodewright/apis';
import { forgetfulLedger } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { LedgerNews } from './account-news.ts';
import { Faults } from './faults/faults.ts';
import { historyOf } from './releases/history.ts';
import { ReleaseStore } from './releases/release-store.ts';

function anAccount() {
  const told = new LedgerNews(forgetfulLedger());
  const releases = new ReleaseStore(historyOf([]), told.ledger);
  const faults = new Faults(told.ledger);
  const ends = [{ endsAt: instant(10_000_000) }] as unknown as ReturnType<
    Parameters<LedgerNews['of']>[0]['reservations']
  >;
  let reservations = ends;
  const news = told.of({ releases, faults, reservations: () => reservations });
  let count = 0;
  news.onChange(() => (count += 1));
  return {
    told,
    releases,
    faults,
    news,
    changes: () => count,
    without: () => {
      reservations = [];
    },
  };
}

test('every change of a map is told, but for records of calls and messages', () => {
  const { told, changes } = anAccount();
  const instances = told.ledger.map<string>('ec2/instances');
  instances.set('a', 'pending').set('a', 'running');
  instances.delete('a');
  expect(instances.size).toBe(0);
  expect(changes()).toBe(3);
  for (const name of ['aws/calls', 'sqs/messages', 'events/rules', 'ec2/client-tokens', 'eks/insights'])
    told.ledger.map<string>(name).set('a', 'b');
  expect(changes()).toBe(3);
});

test('a handler that is taken back hears of nothing more, and the others do', () => {
  const { told, news, changes } = anAccount();
  let heard = 0;
  const takeBack = news.onChange(() => (heard += 1));
  const instances = told.ledger.map<string>('ec2/instances');
  instances.set('a', 'pending');
  takeBack();
  instances.set('a', 'running');
  expect({ heard, others: changes() }).toEqual({ heard: 1, others: 2 });
});

test('a block is taken back and ends in time, and releases come and go', () => {
  const { news, releases, without } = anAccount();
  expect(news.nextChange(instant(0))).toBe(10_000_000 - 2_400_000);
  expect(news.nextChange(instant(9_000_000))).toBe(10_000_000);
  expect(news.nextChange(instant(10_000_000))).toBeUndefined();
  without();
  releases.publish({
    family: 'AL2',
    kubernetesVersion: '1.28',
    imageId: 'ami-1',
    createdAt: '1970-01-01T00:00:10Z',
    publishedAt: '1970-01-01T00:00:20Z',
    withdrawnAt: '1970-01-01T00:00:30Z',
  } as Parameters<typeof releases.publish>[0]);
  const following = [0, 20_000, 30_000].map((since) => news.nextChange(instant(since)));
  expect(following).toEqual([20_000, 30_000, undefined]);
});

test('nothing is told beforehand while descriptions lag behind', () => {
  const { faults, news } = anAccount();
  expect(news.isSteady()).toBe(true);
  const { id } = faults.add({ kind: 'stale-describes', lagMs: 1_000 });
  expect(news.isSteady()).toBe(false);
  faults.clear(id);
  expect(news.isSteady()).toBe(true);
});
