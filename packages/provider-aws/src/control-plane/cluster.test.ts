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
