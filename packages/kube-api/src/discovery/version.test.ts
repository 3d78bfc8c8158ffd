import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

test('the version follows the control plane', async () => {
  const { server, send } = anApiServer();
  expect((await send('GET', '/version')).body).toMatchObject({ minor: '28', gitVersion: 'v1.28.5-eks-5e0fdde' });
  server.setVersion('1.29');
  expect((await send('GET', '/version')).body).toMatchObject({ minor: '29' });
});

test('a version of another form is refused with the form in the message', () => {
  const { server } = anApiServer();
  expect(() => server.setVersion('v1.29.0')).toThrow(/"v1\.29\.0" is not of the form 1\.29/);
});

test('from 1.36 on flags and state are told as text and as documents', async () => {
  const { server, send } = anApiServer({ version: '1.35' });
  expect(await send('GET', '/statusz')).toMatchObject({ status: 404 });
  server.setVersion('1.36');
  const wanted = (kind: string) => ({ accept: `application/json;v=v1beta1;g=config.k8s.io;as=${kind}` });
  expect((await send('GET', '/statusz', undefined, wanted('Statusz'))).body).toMatchObject({
    kind: 'Statusz',
    apiVersion: 'config.k8s.io/v1beta1',
    uptimeSeconds: 0,
    binaryVersion: '1.36.0',
    emulationVersion: '1.36',
  });
  expect((await send('GET', '/flagz', undefined, wanted('Flagz'))).body).toMatchObject({
    kind: 'Flagz',
    flags: { 'authorization-mode': '[Node,RBAC]' },
  });
  expect(await send('GET', '/flagz', undefined, { accept: 'application/json' })).toMatchObject({ status: 406 });
  expect((await send('GET', '/')).body['paths']).toEqual(expect.arrayContaining(['/flagz', '/statusz']));
});

test('pods are resized from 1.33 on', async () => {
  const { server, send } = anApiServer({ version: '1.32' });
  const names = async () => {
    const { body } = await send('GET', '/api/v1');
    return (body['resources'] as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  expect(await names()).not.toContain('pods/resize');
  server.setVersion('1.33');
  expect(await names()).toContain('pods/resize');
});
