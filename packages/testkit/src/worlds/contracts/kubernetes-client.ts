import { clientFacts, type ClientUnderTest, type ServerLimits } from './kubernetes-client/client-facts.ts';
import { describeClientReads } from './kubernetes-client/reads.ts';
import { describeClientWatches } from './kubernetes-client/watches.ts';
import { describeClientWrites } from './kubernetes-client/writes.ts';

/** The guarantees of `KubernetesClient`, which hold before every API server. */
export function describeClientContract(
  name: string,
  createSubject: () => ClientUnderTest | Promise<ClientUnderTest>,
  limits: ServerLimits = {},
): void {
  const facts = clientFacts(createSubject, limits);
  describeClientReads(name, facts);
  describeClientWrites(name, facts);
  describeClientWatches(name, facts);
}
