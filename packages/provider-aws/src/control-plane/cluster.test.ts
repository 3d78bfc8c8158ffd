import { fromTimestamp, instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import type { AwsContext } from '../context.ts';
import { ClusterLookup } from './cluster.ts';

const never = new AbortController().signal;
const start = fromTimestamp('2024-01-28T16:00:00Z');

/** A cluster whose control plane is upgraded by the test, and how often its version was asked for. */
function anUpgradedCluster(isEks: boolean) {
  const time = virtualTime(start);
  const state = { version: '1.28', asked: 0, isDown: false };
  const answer = async (): Promise<string> => {
    state.asked += 1;
    if (state.isDown) throw new Error('down');
    return state.version;
  };
  const clients = { eks: { send: async () => ({ cluster: { version: await answer() } }) } };
  const context = {
    clock: time.clock,
    clusterName: 'demo',
    clients,
    call: (send: (options: object) => Promise<unknown>) => send({}),
  } as unknown as AwsContext;
  const cluster = new ClusterLookup(context, isEks ? {} : { kubernetesVersion: answer });
  return {
    state,
    version: () => cluster.kubernetesVersion(never),
    pass: (ms: number) => time.run(instant(time.clock.now() + ms)),
  };
}

for (const { from, isEks } of [
  { from: 'EKS', isEks: true },
  { from: 'the API server', isEks: false },
]) {
  test(`the version that ${from} tells is believed for half a minute`, async () => {
    const { state, version, pass } = anUpgradedCluster(isEks);
    expect(await version()).toBe('1.28');
    state.version = '1.29';
    await pass(29_999);
    expect([await version(), state.asked]).toEqual(['1.28', 1]);
    await pass(1);
    expect([await version(), state.asked]).toEqual(['1.29', 2]);
  });

  test(`a version that ${from} does not tell fails whoever asks, and is asked for again`, async () => {
    const { state, version } = anUpgradedCluster(isEks);
    state.isDown = true;
    await expect(version()).rejects.toThrow('down');
    state.isDown = false;
    expect(await version()).toBe('1.28');
  });
}

/** A cluster whose DNS service may be there, and how often it was looked for. */
function aClusterWithDns(dns: string | undefined, network: object = {}) {
  const time = virtualTime(start);
  const state = { dns, asked: 0 };
  const described = { endpoint: 'https://cluster.invalid', kubernetesNetworkConfig: network };
  const context = {
    clock: time.clock,
    clusterName: 'demo',
    clients: { eks: { send: async () => ({ cluster: described }) } },
    call: (send: (options: object) => Promise<unknown>) => send({}),
  } as unknown as AwsContext;
  const clusterDns = async (): Promise<string | undefined> => {
    state.asked += 1;
    return state.dns;
  };
  const cluster = new ClusterLookup(context, { clusterDns });
  return {
    state,
    access: () => cluster.access(never),
    pass: (ms: number) => time.run(instant(time.clock.now() + ms)),
  };
}

test.each([
  ['the family of its DNS service', 'fd00:10::a', { ipFamily: 'ipv4' }, 'ipv6'],
  ['the family of its DNS service', '10.100.0.10', { ipFamily: 'ipv6' }, 'ipv4'],
  ['the family that EKS tells where there is no DNS service', undefined, { ipFamily: 'ipv6' }, 'ipv6'],
  ['IPv4 where nothing is known', undefined, {}, 'ipv4'],
])('a cluster has %s (%s)', async (_fact, dns, network, ipFamily) => {
  expect(await aClusterWithDns(dns, network).access()).toMatchObject({ ipFamily, ...(dns && { dns }) });
});

test('an IPv6 cluster has the service CIDR of its family', async () => {
  const { access } = aClusterWithDns(undefined, { ipFamily: 'ipv6', serviceIpv6Cidr: 'fd00:10::/108' });
  expect(await access()).toMatchObject({ serviceCidr: 'fd00:10::/108' });
});

test('a DNS service that was found is looked for no more, one that was not is', async () => {
  const { state, access, pass } = aClusterWithDns(undefined);
  expect(await access()).not.toHaveProperty('dns');
  state.dns = '10.100.0.10';
  await pass(15 * 60_000);
  expect([await access(), state.asked]).toEqual([expect.objectContaining({ dns: '10.100.0.10' }), 2]);
  await pass(15 * 60_000);
  expect([await access(), state.asked]).toEqual([expect.objectContaining({ dns: '10.100.0.10' }), 2]);
});
