import { instant, type Lease } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { silentLogger } from '../observability/logger.ts';
import { seededRandom } from '../seeded-random.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { startLeaderElection } from './leader-election.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const after = (seconds: number) => instant(seconds * 1000);
const seconds = (ms: number): number => ms / 1000;

function aWorld() {
  const time = virtualTime(after(0));
  const server = new TinyApiServer();
  /** Who can reach the server. */
  const cutOff = new Set<string>();
  const log: string[] = [];
  const complaints: string[] = [];
  const candidate = (identity: string) => {
    const note = (what: string): number => log.push(`${seconds(time.clock.now())} ${identity} ${what}`);
    const transport = inProcessTransport(time.gate, async (request, signal) => {
      if (cutOff.has(identity)) throw new Error('unreachable');
      return server.handle(request, signal);
    });
    return startLeaderElection({
      client: kubernetesClient({ transport, gate: time.gate, userAgent: identity }),
      clock: time.clock,
      random: seededRandom(identity),
      log: {
        ...silentLogger,
        warn: (message, fields) => void complaints.push(`${message}: ${String(fields?.['error'])}`),
      },
      name: 'karpenter-leader-election',
      namespace: 'kube-system',
      identity,
      lead: (signal) => {
        note('leads');
        signal.addEventListener('abort', () => note('stops leading'));
      },
    });
  };
  const lease = (): Lease['spec'] => (server.get(path, 'karpenter-leader-election') as Lease | undefined)?.spec;
  return { time, cutOff, log, complaints, candidate, lease };
}

describe('leader election', () => {
  test('the first one leads as long as it renews, and the lease says since when', async () => {
    const { time, log, candidate, lease } = aWorld();
    const first = candidate('a');
    const second = candidate('b');
    await time.run(after(100));
    expect(log).toEqual(['0 a leads']);
    expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
    expect(lease()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '1970-01-01T00:00:00.000000Z',
      renewTime: '1970-01-01T00:01:40.000000Z',
      leaseTransitions: 0,
    });
  });

  test('a leader that stops gives its lease back, and the next one leads within a retry', async () => {
    const { time, log, candidate, lease } = aWorld();
    const first = candidate('a');
    candidate('b');
    await time.run(after(20));
    await time.finish(first.stop());
    expect(lease()?.holderIdentity).toBe('');
    await time.run(after(30));
    expect(log.slice(0, 2)).toEqual(['0 a leads', '20 a stops leading']);
    expect(log[2]).toMatch(/^2[0-2](\.\d+)? b leads$/);
    expect(lease()?.leaseTransitions).toBe(1);
  });

  test('a leader that is cut off stops before another one leads', async () => {
    const { time, cutOff, log, candidate } = aWorld();
    const first = candidate('a');
    candidate('b');
    time.clock.at(after(21), () => cutOff.add('a'));
    await time.run(after(60));
    expect(first.isLeader()).toBe(false);
    expect(log.slice(0, 2)).toEqual(['0 a leads', '30 a stops leading']);
    expect(log[2]).toMatch(/^3[5-8](\.\d+)? b leads$/);
  });

  test('a leader that misses a few renewals goes on', async () => {
    const { time, cutOff, log, candidate } = aWorld();
    candidate('a');
    candidate('b');
    time.clock.at(after(21), () => cutOff.add('a'));
    time.clock.at(after(27), () => cutOff.delete('a'));
    await time.run(after(100));
    expect(log).toEqual(['0 a leads']);
  });

  test('tells why it cannot lead once, not with every attempt', async () => {
    const { time, cutOff, complaints, candidate } = aWorld();
    cutOff.add('a');
    candidate('a');
    time.clock.at(after(20), () => cutOff.delete('a'));
    await time.run(after(60));
    expect(complaints).toEqual(['could not claim the lease: Error: unreachable']);
  });
});
