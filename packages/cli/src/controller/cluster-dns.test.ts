import type { Service } from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { findClusterDns } from './cluster-dns.ts';

const refusal = (code: number) => new ApiError({ kind: 'Status', code, reason: 'x', message: 'no' });

async function found(answer: Service | undefined | ApiError) {
  const asked: unknown[] = [];
  const warned: string[] = [];
  const get = async (type: { readonly plural: string }, key: object): Promise<unknown> => {
    asked.push([type.plural, key]);
    if (answer instanceof ApiError) throw answer;
    return answer;
  };
  const client = { get } as unknown as Pick<KubernetesClient, 'get'>;
  const address = await findClusterDns(client, { warn: (message) => warned.push(message) });
  expect(asked).toEqual([['services', { name: 'kube-dns', namespace: 'kube-system' }]]);
  return { address, warned: warned.length };
}

const service = (clusterIP: string): Service => ({ metadata: { name: 'kube-dns' }, spec: { clusterIP } });

test.each([
  ['its address', service('10.100.0.10'), '10.100.0.10', 0],
  ['its IPv6 address', service('fd00:10::a'), 'fd00:10::a', 0],
  ['nothing for a headless service', service('None'), undefined, 0],
  ['nothing where there is no such service', undefined, undefined, 0],
  ['nothing and a warning where it may not be read', refusal(403), undefined, 1],
])('the DNS service tells %s', async (_fact, answer, address, warned) => {
  expect(await found(answer)).toEqual({ address, warned });
});

test('an API server that does not answer is an error', async () => {
  await expect(found(refusal(503))).rejects.toThrow('no');
});
