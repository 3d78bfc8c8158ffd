import { expect, test } from 'vitest';
import { matchRoute } from './rest-routes.ts';

const update = { method: 'GET', path: '/clusters/{name}/updates/{updateId}', status: 200 };

for (const { fact, method, path, labels } of [
  {
    fact: 'labels take their segments',
    method: 'GET',
    path: '/clusters/a/updates/b',
    labels: { name: 'a', updateId: 'b' },
  },
  {
    fact: 'an encoded slash stays inside its segment',
    method: 'GET',
    path: '/clusters/a%2Fb/updates/c',
    labels: { name: 'a/b', updateId: 'c' },
  },
  { fact: 'another method is another operation', method: 'POST', path: '/clusters/a/updates/b', labels: undefined },
  { fact: 'a longer path is another operation', method: 'GET', path: '/clusters/a/updates/b/c', labels: undefined },
  { fact: 'an empty segment names nothing', method: 'GET', path: '/clusters//updates/b', labels: undefined },
]) {
  test(`WIRE-9: ${fact}: ${method} ${path}`, () => {
    expect(matchRoute(update, method, path)).toEqual(labels);
  });
}
