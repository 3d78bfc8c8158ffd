import { anApiServer, describeClientContract } from '@nodewright/testkit/worlds';
import { createDirectClient } from './direct-client.ts';

const administrator = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

describeClientContract('a client on the objects of the embedded API server', () => {
  const { time, server } = anApiServer();
  return {
    client: createDirectClient(server, { gate: time.gate, name: 'test', user: administrator }),
    finish: (work) => time.finish(work),
    compact: () => server.compact(),
  };
});
