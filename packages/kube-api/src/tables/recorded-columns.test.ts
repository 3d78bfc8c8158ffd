import { expect, test } from 'vitest';
import { answerOf, anApiServer, recorded } from '@nodewright/testkit/worlds';
import { builtInResources } from '../resources/built-in.ts';
import { columnsOfResource } from './columns-of.ts';

type Column = { readonly name: string; readonly type: string; readonly format: string; readonly priority: number };

const shapeOf = ({ name, type, format, priority }: Column): Column => ({ name, type, format, priority });

test('tables have the columns that a real API server has', () => {
  const tables = recorded('tables').flatMap((exchange) => {
    const columns = answerOf(exchange)?.['columnDefinitions'] as unknown as readonly Column[] | undefined;
    const path = exchange.request.path.replace(/\?.*/, '').split('/');
    return columns === undefined ? [] : [{ plural: path.at(-1), columns }];
  });
  const resources = builtInResources(36);
  const compared = tables.flatMap(({ plural, columns }) => {
    const resource = resources.find((each) => each.plural === plural);
    return resource === undefined ? [] : [{ resource, columns }];
  });
  expect(compared.length).toBeGreaterThan(25);
  for (const { resource, columns } of compared) {
    expect(columnsOfResource(resource, 36).definitions.map(shapeOf), resource.plural).toEqual(columns.map(shapeOf));
  }
});

test('every column of every built-in kind says what it means', () => {
  const columns = builtInResources(36)
    .filter(({ verbs }) => verbs.includes('list'))
    .flatMap((resource) => columnsOfResource(resource, 36).definitions.map((each) => ({ resource, each })));
  const without = columns.filter(({ each }) => each.description === '');
  expect(without.map(({ resource, each }) => `${resource.collection}/${each.name}`)).toEqual([]);
});

test.each([
  { version: '1.34', account: ['Name', 'Secrets', 'Age'] },
  { version: '1.35', account: ['Name', 'Age'] },
])('service accounts of $version have the columns $account', async ({ version, account }) => {
  const { send } = anApiServer({ version });
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const { body } = await send('GET', '/api/v1/namespaces/default/serviceaccounts', undefined, accept);
  const columns = (body as unknown as { readonly columnDefinitions: readonly Column[] }).columnDefinitions;
  expect(columns.map(({ name }) => name)).toEqual(account);
});

test('both versions of an autoscaler print one row, and so do both groups of events', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const metadata = { name: 'a', namespace: 'default' };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  await send('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata,
    spec: { scaleTargetRef, maxReplicas: 3, metrics },
  });
  await send('POST', '/api/v1/namespaces/default/events', { metadata, involvedObject, reason: 'Seen', message: 'm' });
  const rowAt = async (path: string): Promise<unknown> => {
    const { body } = await send('GET', `${path}/a`, undefined, accept);
    return (body as unknown as { readonly rows: readonly { readonly cells: unknown }[] }).rows[0]?.cells;
  };
  const scalers = 'namespaces/default/horizontalpodautoscalers';
  expect(await rowAt(`/apis/autoscaling/v1/${scalers}`)).toEqual([
    'a',
    'Deployment/web',
    'cpu: <unknown>/80%',
    '1',
    3,
    0,
    '0s',
  ]);
  expect(await rowAt(`/apis/autoscaling/v2/${scalers}`)).toEqual(await rowAt(`/apis/autoscaling/v1/${scalers}`));
  const events = 'namespaces/default/events';
  expect(await rowAt(`/apis/events.k8s.io/v1/${events}`)).toEqual(await rowAt(`/api/v1/${events}`));
  expect(await rowAt(`/api/v1/${events}`)).toContain('pod/p');
});
