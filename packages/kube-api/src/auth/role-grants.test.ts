import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';
import type { RoleGrant } from './user.ts';

/** Whether the bearer of a token with these grants may list the pods of a namespace, or of all. */
async function listsPods(grants: readonly RoleGrant[], namespace: string): Promise<boolean> {
  const tokens = [() => ({ name: 'dev', groups: ['system:authenticated'], grants })];
  const { server } = anApiServer({ tokens });
  const path = namespace === '' ? '/api/v1/pods' : `/api/v1/namespaces/${namespace}/pods`;
  const request = { method: 'GET', path, headers: { authorization: 'Bearer x' }, body: new Uint8Array() };
  const { status } = await server.handle(request, new AbortController().signal);
  return status === 200;
}

for (const { fact, grants, namespace, allowed } of [
  { fact: 'everywhere', grants: [{ clusterRole: 'view' }], namespace: '', allowed: true },
  {
    fact: 'in one namespace',
    grants: [{ clusterRole: 'view', namespaces: ['shop'] }],
    namespace: 'shop',
    allowed: true,
  },
  { fact: 'in another one', grants: [{ clusterRole: 'view', namespaces: ['shop'] }], namespace: 'x', allowed: false },
  { fact: 'in a namespace only', grants: [{ clusterRole: 'view', namespaces: ['*'] }], namespace: '', allowed: false },
  { fact: 'by a pattern', grants: [{ clusterRole: 'view', namespaces: ['a-*-z'] }], namespace: 'a-b-z', allowed: true },
  {
    fact: 'by a longer pattern',
    grants: [{ clusterRole: 'view', namespaces: ['a*a'] }],
    namespace: 'a',
    allowed: false,
  },
  { fact: 'of a role that is not there', grants: [{ clusterRole: 'none' }], namespace: 'shop', allowed: false },
]) {
  test(`a grant ${fact} ${allowed ? 'allows' : 'does not allow'} pods of "${namespace}"`, async () => {
    expect(await listsPods(grants, namespace)).toBe(allowed);
  });
}

test('the claims of a token are read for any audience, and those of another cluster are not', async () => {
  const { server, send } = anApiServer();
  const wanted = { spec: { audiences: ['sts.amazonaws.com'] } };
  const { body } = await send('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', wanted);
  const { token } = body['status'] as { readonly token: string };
  expect(server.readTokenClaims(token)).toMatchObject({
    sub: 'system:serviceaccount:default:default',
    aud: ['sts.amazonaws.com'],
  });
  expect(anApiServer().server.readTokenClaims(token)).toBeUndefined();
});
