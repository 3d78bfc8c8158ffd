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
  const requests: string[] = [];
  const candidate = (identity: string) => {
    const note = (what: string): number => log.push(`${seconds(time.clock.now())} ${identity} ${what}`);
    const transport = inProcessTransport(time.gate, async (request, signal) => {
      requests.push(`${identity} ${request.method}`);
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
  /** How many requests of each method a candidate made since it was asked last. */
  const count = (identity: string): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const request of requests.splice(0)) {
      const [who, method = ''] = request.split(' ');
      if (who === identity) counts[method] = (counts[method] ?? 0) + 1;
    }
    return counts;
  };
  return { time, server, cutOff, log, complaints, candidate, lease, count };
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

  test('a leader renews every two seconds, in one request, and a candidate only looks', async () => {
    const { time, candidate, count } = aWorld();
    candidate('a');
    await time.run(after(1));
    expect(count('a')).toEqual({ GET: 1, POST: 1 });
    await time.run(after(101));
    expect(count('a')).toEqual({ PUT: 50 });
    candidate('b');
    await time.run(after(201));
    expect(Object.keys(count('b'))).toEqual(['GET']);
  });

  test('a leader reads the lease again when another one has written it', async () => {
    const { time, server, log, candidate, lease, count } = aWorld();
    const leader = candidate('a');
    await time.run(after(1));
    count('a');
    const written = server.get(path, 'karpenter-leader-election') as Lease;
    server.put(path, { ...written, metadata: { ...written.metadata, annotations: { seen: 'yes' } } });
    await time.run(after(5));
    expect(count('a')).toEqual({ PUT: 3, GET: 1 });
    server.remove(path, 'karpenter-leader-election');
    await time.run(after(7));
    expect(leader.isLeader()).toBe(true);
    expect(lease()?.holderIdentity).toBe('a');
    expect(count('a')).toEqual({ PUT: 1, GET: 1, POST: 1 });
    expect(log).toEqual(['0 a leads']);
  });

  test('a leader whose lease another one holds stops', async () => {
    const { time, server, candidate } = aWorld();
    const leader = candidate('a');
    await time.run(after(1));
    const written = server.get(path, 'karpenter-leader-election') as Lease;
    const taken: Lease = { ...written, spec: { ...written.spec, holderIdentity: 'b' } };
    server.put(path, taken);
    await time.run(after(12));
    expect(leader.isLeader()).toBe(false);
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
