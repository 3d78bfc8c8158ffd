import { TinyApiServer } from '@nodewright/testkit';
import { anApiServer, describeClientContract } from '@nodewright/testkit/worlds';
import { instant } from '@nodewright/apis';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { kubernetesClient } from './rest-client.ts';

const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

describeClientContract('a client before the embedded API server', () => {
  const { time, server } = anApiServer();
  const transport = inProcessTransport(time.gate, server.handle, { peer: administrator });
  return {
    client: kubernetesClient({ transport, gate: time.gate, userAgent: 'test/1' }),
    finish: (work) => time.finish(work),
    compact: () => server.compact(),
  };
});

describeClientContract(
  'a client before the tiny API server',
  () => {
    const time = virtualTime(instant(0));
    const server = new TinyApiServer();
    const transport = inProcessTransport(time.gate, server.handle);
    return {
      client: kubernetesClient({ transport, gate: time.gate, userAgent: 'test/1' }),
      finish: (work) => time.finish(work),
      compact: () => server.compact(),
    };
  },
  {
    bindings: 'it has no subresources',
    'dry runs': 'it stores what it is sent',
    evictions: 'it has no subresources',
    finalizers: 'it removes what is deleted',
    'generated names': 'it stores what it is sent',
    generations: 'it stores what it is sent',
    'grace periods': 'it removes what is deleted',
    'json patches': 'it takes every patch for a merge patch',
    'no-op writes': 'it stores what it is sent',
    selectors: 'it does not select',
    subresources: 'it has no subresources',
    'unknown kinds': 'it has every kind that is posted to it',
    validation: 'it stores what it is sent',
    version: 'it has none',
  },
);
