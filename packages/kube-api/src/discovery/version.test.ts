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
