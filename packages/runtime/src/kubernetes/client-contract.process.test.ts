import { anApiServer, describeClientContract } from '@nodewright/testkit/worlds';
import { listenOn, type Listening } from '@nodewright/sandbox';
import { afterEach } from 'vitest';
import { realTime } from '../time/real-time.ts';
import { socketTransport } from '../transport/socket-transport.ts';
import { kubernetesClient } from './rest-client.ts';

const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close();
});

describeClientContract('a client before the embedded API server over HTTP', async () => {
  const { server } = anApiServer();
  const listening = await listenOn((request, signal) => server.handle({ ...request, peer: administrator }, signal), {
    port: 0,
  });
  open.push(listening);
  const transport = socketTransport({ server: listening.url });
  return {
    client: kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test/1' }),
    finish: (work) => work,
    compact: () => server.compact(),
  };
});
