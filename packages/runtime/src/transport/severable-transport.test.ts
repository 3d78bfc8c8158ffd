import { instant, nodes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from './in-process-transport.ts';
import { severableTransport } from './severable-transport.ts';

function aWorld() {
  const time = virtualTime(instant(0));
  const server = new TinyApiServer();
  const transport = severableTransport(inProcessTransport(time.gate, server.handle));
  return { time, server, transport, client: kubernetesClient({ transport, gate: time.gate, userAgent: 't' }) };
}

test('after the cut nothing is asked, and an answer on its way is lost though its effect stays', async () => {
  const { time, server, transport, client } = aWorld();
  const onItsWay = client.create(nodes, { metadata: { name: 'a' } });
  onItsWay.catch(() => undefined);
  server.intercept = () => {
    transport.sever();
    return undefined;
  };
  await expect(time.finish(onItsWay)).rejects.toThrow('the connection was cut');
  await expect(time.finish(client.list(nodes))).rejects.toThrow('the connection was cut');
  expect(server.list('/api/v1/nodes')).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});

test('a watch ends at the cut', async () => {
  const { time, transport, client } = aWorld();
  const next = client.watch(nodes, { resourceVersion: '0' })[Symbol.asyncIterator]().next();
  time.clock.at(instant(5), () => transport.sever());
  await expect(time.finish(next)).rejects.toThrow('the connection was cut');
});
