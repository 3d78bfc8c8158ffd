import { describe, expect, test } from 'vitest';
import { parseRequest, type ResourcePath } from './request-info.ts';
import { verbOf } from './verb.ts';

const pods: ResourcePath = {
  group: '',
  version: 'v1',
  plural: 'pods',
  namespace: '',
  name: '',
  subresource: '',
  watchPath: false,
};
const claims = { ...pods, group: 'karpenter.sh', plural: 'nodeclaims' };

describe('a path names', () => {
  test.each<readonly [string, Partial<ResourcePath> | undefined]>([
    ['/api/v1/pods', pods],
    ['/api/v1/pods/', pods],
    ['/api/v1/namespaces/default/pods', { ...pods, namespace: 'default' }],
    ['/api/v1/namespaces/default/pods/web', { ...pods, namespace: 'default', name: 'web' }],
    ['/api/v1/namespaces/default/pods/web/log', { ...pods, namespace: 'default', name: 'web', subresource: 'log' }],
    [
      '/api/v1/namespaces/default/services/web/proxy/a/b',
      { ...pods, plural: 'services', namespace: 'default', name: 'web', subresource: 'proxy', proxied: 'a/b' },
    ],
    ['/api/v1/namespaces', { ...pods, plural: 'namespaces' }],
    ['/api/v1/namespaces/default', { ...pods, plural: 'namespaces', name: 'default' }],
    ['/api/v1/namespaces/default/status', { ...pods, plural: 'namespaces', name: 'default', subresource: 'status' }],
    [
      '/api/v1/namespaces/default/finalize',
      { ...pods, plural: 'namespaces', name: 'default', subresource: 'finalize' },
    ],
    ['/api/v1/watch/pods', { ...pods, watchPath: true }],
    ['/api/v1/watch/namespaces/default/pods/web', { ...pods, namespace: 'default', name: 'web', watchPath: true }],
    ['/apis/karpenter.sh/v1/nodeclaims', { ...claims }],
    ['/apis/karpenter.sh/v1/nodeclaims/a%2Fb', { ...claims, name: 'a/b' }],
    ['/apis/karpenter.sh/v1/nodeclaims/a%zz', { ...claims, name: 'a%zz' }],
    ['/apis/karpenter.sh/v1/nodeclaims/a/status', { ...claims, name: 'a', subresource: 'status' }],
    ['/api/v1', undefined],
    ['/apis', undefined],
    ['/apis/karpenter.sh', undefined],
    ['/apis/karpenter.sh/v1', undefined],
    ['/healthz', undefined],
    ['/', undefined],
  ])('%s', (path, resource) => expect(parseRequest('GET', path).resource).toEqual(resource));

  test('its query, with what follows a second question mark', () => {
    const { path, query } = parseRequest('GET', '/api/v1/pods?labelSelector=a%3Db&fieldSelector=x?y');
    expect([path, query.get('labelSelector'), query.get('fieldSelector')]).toEqual(['/api/v1/pods', 'a=b', 'x?y']);
  });
});

describe('the verb of', () => {
  test.each<readonly [string, string, string | undefined]>([
    ['GET', '/api/v1/pods', 'list'],
    ['GET', '/api/v1/pods?watch=true', 'watch'],
    ['GET', '/api/v1/pods?watch=1', 'watch'],
    ['GET', '/api/v1/pods?watch', 'watch'],
    ['GET', '/api/v1/pods?watch=false', 'list'],
    ['GET', '/api/v1/pods?watch=0', 'list'],
    ['GET', '/api/v1/watch/pods', 'watch'],
    ['GET', '/api/v1/namespaces/default/pods/web', 'get'],
    ['GET', '/api/v1/namespaces/default/pods/web?watch=true', 'get'],
    ['POST', '/api/v1/namespaces/default/pods', 'create'],
    ['PUT', '/api/v1/namespaces/default/pods/web', 'update'],
    ['PATCH', '/api/v1/namespaces/default/pods/web', 'patch'],
    ['DELETE', '/api/v1/namespaces/default/pods/web', 'delete'],
    ['DELETE', '/api/v1/namespaces/default/pods', 'deletecollection'],
    ['OPTIONS', '/api/v1/pods', undefined],
    ['TRACE', '/api/v1/pods', undefined],
  ])('%s %s is %s', (method, target, verb) => {
    const info = parseRequest(method, target);
    expect(info.resource && verbOf(info, info.resource)).toBe(verb);
  });
});
